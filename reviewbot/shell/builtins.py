"""The shell's builtin commands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.shell import conditions, declarations, lines, sourcing
from reviewbot.shell.calls import NAME, Builtin, Call
from reviewbot.shell.external import run_program
from reviewbot.shell.model import Known
from reviewbot.shell.printf import formatted, unescaped
from reviewbot.shell.state import FAILURE, SUCCESS, Leave, Outcome, Return, Stop
from reviewbot.shell.values import Field, Run, Value, known_of, unknown

_LONG_OPTIONS = {"errexit": "e", "nounset": "u", "noglob": "f"}


def _true(_call: Call) -> Outcome:
    return SUCCESS


def _false(_call: Call) -> Outcome:
    return FAILURE


def _status(call: Call) -> Outcome:
    """The outcome that the argument of ``exit`` and ``return`` names."""
    if not call.words:
        return call.shell.shell.status
    text = call.words[0].text
    if text is None or not re.fullmatch(r"-?[0-9]{1,9}", text):
        return Outcome(None)
    code = int(text) % 256
    return Outcome(code == 0, known_of(call.words[0].runs), code)


def _exit(call: Call) -> Outcome:
    raise Stop(_status(call))


def _return(call: Call) -> Outcome:
    call.shell.shell.status = _status(call)
    raise Return


def _leave(call: Call) -> Outcome:
    text = call.words[0].text if call.words else "1"
    levels = int(text) if text is not None and re.fullmatch(r"[0-9]{1,4}", text) else 1
    raise Leave(max(levels, 1), again=call.name == "continue")


def _test(call: Call) -> Outcome:
    words = [field.runs for field in call.words]
    if call.name == "[":
        if call.fields[-1].text != "]":
            return Outcome(False, code=2)
        words = words[:-1]
    return conditions.evaluate(call.shell, words)


def _echo(call: Call) -> Outcome:
    words = call.words
    newline, escapes = True, False
    while words and re.fullmatch(r"-[neE]+", words[0].text or ""):
        newline = newline and "n" not in (words[0].text or "")
        escapes = "e" in (words[0].text or "")
        words = words[1:]
    if call.shell.out is None:
        return SUCCESS
    out: list[Run] = []
    for index, field in enumerate(words):
        if index:
            out.append(Run(" "))
        out.extend(_unescaped_runs(field.runs) if escapes else field.runs)
    if newline:
        out.append(Run("\n"))
    call.shell.write(out)
    return SUCCESS


def _unescaped_runs(runs: Value) -> list[Run]:
    return [
        run if run.text is None or "\\" not in run.text else run._replace(text=unescaped(run.text), word=None)
        for run in runs
    ]


def _printf(call: Call) -> Outcome:
    words = call.words
    target = None
    if len(words) > 2 and words[0].text == "-v":
        target, words = words[1].text, words[2:]
    if words and words[0].text == "--":
        words = words[1:]
    if not words:
        return Outcome(False, code=2)
    out = formatted([field.runs for field in words])
    if target is None:
        call.shell.write(out)
    elif NAME.fullmatch(target):
        call.shell.assign(target, tuple(out), call.origin(target))
    return SUCCESS


def _set(call: Call) -> Outcome:
    options = call.shell.shell.options
    words = call.words
    while words:
        text = words[0].text
        if text is None or text[:1] not in ("-", "+") or text in ("-", "+"):
            break
        words = words[1:]
        if text == "--":
            _set_arguments(call, words)
            return SUCCESS
        change = options.add if text[0] == "-" else options.discard
        for letter in text[1:]:
            if letter == "o" and words:
                name = words[0].text or ""
                letter = _LONG_OPTIONS.get(name, name)
                words = words[1:]
            change(letter)
    if words:
        _set_arguments(call, words)
    return SUCCESS


def _set_arguments(call: Call, fields: Sequence[Field]) -> None:
    state = call.shell.shell
    values = [field.runs for field in fields]
    still_open = state.open_arguments and bool(fields) and fields[-1].many
    state.positional = values[:-1] if still_open else values
    state.open_arguments = still_open


def _shift(call: Call) -> Outcome:
    text = call.words[0].text if call.words else "1"
    count = int(text) if text is not None and re.fullmatch(r"[0-9]{1,5}", text) else 1
    state = call.shell.shell
    if count <= len(state.positional):
        state.positional = state.positional[count:]
        return SUCCESS
    if not state.open_arguments:
        return Outcome(False, code=1)
    call.shell.path.shifted += count - len(state.positional)
    state.positional = []
    return Outcome(None, Known.NO, rendered="shift")


def _let(call: Call) -> Outcome:
    value: int | None = 0
    for field in call.words:
        text = field.text
        value = None if text is None else call.shell.number(text)
    if value is None:
        return Outcome(None, Known.NO, rendered="let")
    return SUCCESS if value else FAILURE


def _command(call: Call) -> Outcome:
    words = call.words
    while words and (words[0].text or "").startswith("-"):
        if set(words[0].text or "") & set("vV"):
            return _type(call)
        words = words[1:]
    if not words:
        return SUCCESS
    builtin = BUILTINS.get(words[0].text or "")
    if builtin is not None:
        return builtin(Call(call.shell, words, call.command))
    return run_program(call.shell, call.command, words)


def _type(call: Call) -> Outcome:
    """Whether a command is there: functions and builtins are, what else there is is not known."""
    names = [field.text for field in call.words if not (field.text or "").startswith("-")]
    shown = " ".join(field.text or "?" for field in call.fields)
    call.shell.write((unknown(shown),))
    if names and all(name in call.shell.shell.functions or name in BUILTINS for name in names):
        return SUCCESS
    return Outcome(None, Known.NO, rendered=shown, guess=False)


BUILTINS: dict[str | None, Builtin] = {
    ":": _true, "true": _true, "false": _false, "exit": _exit, "return": _return, "break": _leave,
    "continue": _leave, "test": _test, "[": _test, "echo": _echo, "printf": _printf, "set": _set, "shift": _shift,
    "declare": declarations.declare, "typeset": declarations.declare, "local": declarations.declare,
    "export": declarations.declare, "readonly": declarations.declare, "unset": declarations.unset,
    "cd": sourcing.cd, "pushd": sourcing.cd, "popd": sourcing.cd, "pwd": sourcing.pwd, "eval": sourcing.run_eval,
    "source": sourcing.source, ".": sourcing.source, "exec": sourcing.run_exec, "read": lines.read,
    "mapfile": lines.mapfile, "readarray": lines.mapfile, "getopts": lines.getopts, "let": _let,
    "command": _command, "builtin": _command, "type": _type, "hash": _type,
    **dict.fromkeys(
        ("alias", "bind", "complete", "compopt", "disown", "enable", "history", "jobs", "kill", "shopt", "times",
         "trap", "ulimit", "umask", "unalias", "wait"),
        _true,
    ),
}  # fmt: skip
"""By name.  Those that change nothing that a launch depends on are taken to succeed."""
