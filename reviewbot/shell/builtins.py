"""The shell's builtin commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewbot.shell import conditions
from reviewbot.shell.expansion import runs_code
from reviewbot.shell.external import place_of
from reviewbot.shell.model import Known, Origin
from reviewbot.shell.printf import formatted, unescaped
from reviewbot.shell.prepared import Prepared
from reviewbot.shell.state import FAILURE, SUCCESS, Leave, Outcome, Return, Stop
from reviewbot.shell.syntax import Assignment, Simple
from reviewbot.shell.values import Field, Run, Value, computed, cut, known_of, slice_runs, text_of, unknown
from reviewbot.shell.variables import Index, Variable
from reviewbot.text import Span

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter

Builtin = Callable[["Interpreter", list[Field], Simple], Outcome]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _true(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    return SUCCESS


def _false(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    return FAILURE


def _status(shell: Interpreter, fields: list[Field]) -> Outcome:
    if len(fields) < 2:
        return shell.shell.status
    text = fields[1].text
    if text is None or not text.lstrip("-").isdecimal():
        return Outcome(None)
    code = int(text[:9]) % 256
    return Outcome(code == 0, known_of(fields[1].runs), code)


def _exit(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    raise Stop(_status(shell, fields))


def _return(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    shell.shell.status = _status(shell, fields)
    raise Return


def _leave(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    text = fields[1].text if len(fields) > 1 else "1"
    levels = int(text[:4]) if text is not None and text.isdecimal() else 1
    raise Leave(max(levels, 1), again=fields[0].text == "continue")


def _test(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    words = [field.runs for field in fields[1:]]
    if fields[0].text == "[":
        if not fields[-1].text == "]":
            return Outcome(False, code=2)
        words = words[:-1]
    return conditions.evaluate(shell, words)


def _echo(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    words = fields[1:]
    newline, escapes = True, False
    while words and re.fullmatch(r"-[neE]+", words[0].text or ""):
        newline = newline and "n" not in (words[0].text or "")
        escapes = "e" in (words[0].text or "")
        words = words[1:]
    out: list[Run] = []
    for index, field in enumerate(words):
        if index:
            out.append(Run(" "))
        out.extend(_unescaped_runs(field.runs) if escapes else field.runs)
    if newline:
        out.append(Run("\n"))
    shell.write(out)
    return SUCCESS


def _unescaped_runs(runs: Value) -> list[Run]:
    return [
        run._replace(text=unescaped(run.text), word=None)
        if run.text is not None and "\\" in run.text
        else run
        for run in runs
    ]


def _printf(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    words = fields[1:]
    target = None
    if len(words) > 2 and words[0].text == "-v":
        target, words = words[1].text, words[2:]
    if words and words[0].text == "--":
        words = words[1:]
    if not words:
        return Outcome(False, code=2)
    out = formatted([field.runs for field in words])
    if target is None:
        shell.write(out)
    elif _NAME.fullmatch(target):
        shell.assign(target, tuple(out), _origin(target, command))
    return SUCCESS


def _origin(name: str, command: Simple) -> Origin | None:
    span = command.code.span(command.start, command.end)
    return None if span is None else Origin(name, span)


def _set(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    options = shell.shell.options
    words = fields[1:]
    while words:
        text = words[0].text
        if text is None or text[:1] not in ("-", "+") or text in ("-", "+"):
            break
        words = words[1:]
        if text == "--":
            _positional(shell, words)
            return SUCCESS
        change = options.add if text[0] == "-" else options.discard
        for letter in text[1:]:
            if letter == "o" and words:
                change(
                    {"errexit": "e", "nounset": "u", "noglob": "f"}.get(
                        words[0].text or "", words[0].text or ""
                    )
                )
                words = words[1:]
            else:
                change(letter)
    if words:
        _positional(shell, words)
    return SUCCESS


def _positional(shell: Interpreter, fields: Sequence[Field]) -> None:
    values = [field.runs for field in fields]
    is_open = shell.shell.open_arguments and bool(fields) and fields[-1].many
    shell.shell.positional = values[:-1] if is_open else values
    shell.shell.open_arguments = is_open
    if not is_open:
        shell.path.shifted = 0


def _shift(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    text = fields[1].text if len(fields) > 1 else "1"
    count = int(text) if text is not None and text.isdecimal() and len(text) < 6 else 1
    positional = shell.shell.positional
    if count > len(positional):
        if not shell.shell.open_arguments:
            return Outcome(False, code=1)
        shell.path.shifted += count - len(positional)
        shell.shell.positional = []
        return Outcome(None, Known.NO, rendered="shift")
    shell.shell.positional = positional[count:]
    return SUCCESS


def _declare(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    """``declare``, ``typeset``, ``local``, ``export``, ``readonly``"""
    name = fields[0].text or ""
    written = {word.start: word for word in command.words if isinstance(word, Assignment)}
    flags: set[str] = set()
    removed: set[str] = set()
    for field in fields[1:]:
        text = field.text
        assignment = written.get(field.word.start) if field.word.plain == text else None
        if text is not None and assignment is None and text[:1] in ("-", "+") and len(text) > 1:
            (flags if text[0] == "-" else removed).update(text[1:])
            continue
        _declare_one(shell, name, field, assignment, flags, removed, command)
    return SUCCESS


def _declare_one(
    shell: Interpreter,
    kind: str,
    field: Field,
    assignment: Assignment | None,
    flags: set[str],
    removed: set[str],
    command: Simple,
) -> None:
    prepared = shell.prepared(assignment) if assignment is not None else _prepared(field, command)
    if prepared is None or (kind == "export" and "f" in flags):
        return
    name, variables = prepared.name, shell.shell.variables
    assigns = assignment is not None or prepared.origin is not None
    local = kind == "local" or (
        kind in ("declare", "typeset") and shell.shell.local_depth and "g" not in flags
    )
    if local and name not in variables.scopes[-1]:
        variables.put_local(name, Variable())
    if "n" in flags and kind != "export":
        target = text_of(prepared.value) or ""
        if _NAME.fullmatch(target) and target != name:
            variables.put(name, Variable(reference=target))
        return
    before, after = _attributes(kind, flags, removed), {}
    for attribute in ("exported", "readonly"):
        if attribute in before:
            after[attribute] = before.pop(attribute)
    _make_array(variables.get(name), flags, before)
    if before:
        variables.change(name, **before)
    if assigns:
        shell.store(prepared)
    if after:
        _mark(shell, name, after)
    variable = variables.get(name)
    if variable is not None and variable.exported:
        origin = variable.origin or _origin(name, command)
        if origin is not None:
            shell.path.exports[name] = origin


def _prepared(field: Field, command: Simple) -> Prepared | None:
    """``NAME`` or ``NAME=value`` that came out of an expansion, or in quotes."""
    shown = "".join("\0" if run.text is None else run.text for run in field.runs)
    match = re.match(r"([A-Za-z_][A-Za-z0-9_]*)(?:(\+?)=|$)", shown)
    if match is None:
        return None
    if match[2] is None:
        return Prepared(match[1], None, False)
    value: list[Run] = []
    skipped = match.end()
    for run in field.runs:
        length = len(run.text or "\0")
        if skipped >= length:
            skipped -= length
        elif run.text is None:
            value.append(run)
        else:
            value.append(cut(run, skipped, length) if skipped else run)
            skipped = 0
    return Prepared(match[1], _origin(match[1], command) or _NO_ORIGIN, bool(match[2]), tuple(value))


_NO_ORIGIN = Origin("", Span("", 1, 1, 1, 1))


def _make_array(existing: Variable | None, flags: set[str], changes: dict[str, object]) -> None:
    if existing is not None and existing.elements is not None:
        return
    if "A" in flags:
        changes.update(associative=True, elements={}, value=None)
    elif "a" in flags:
        elements: dict[Index, Value] = (
            {} if existing is None or existing.value is None else {0: existing.value}
        )
        changes.update(elements=elements, value=None)


def _mark(shell: Interpreter, name: str, changes: dict[str, object]) -> None:
    """``export NAME``, also of a variable that the environment may already hold."""
    variables = shell.shell.variables
    if variables.get(name) is None and set(changes) == {"exported"}:
        value = shell.read(name)
        if value is None or value[0].unset or value[0].text is None:
            return
        changes["value"] = value
    variables.change(name, **changes)


def _attributes(kind: str, flags: set[str], removed: set[str]) -> dict[str, object]:
    changes: dict[str, object] = {}
    if kind == "export":
        changes["exported"] = "n" not in flags
    elif "x" in flags:
        changes["exported"] = True
    elif "x" in removed:
        changes["exported"] = False
    if kind == "readonly" or "r" in flags:
        changes["readonly"] = True
    if "i" in flags:
        changes["integer"] = True
    if "l" in flags or "u" in flags:
        changes["case"] = "l" if "l" in flags else "u"
    return changes


def _unset(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    functions = False
    for field in fields[1:]:
        text = field.text
        if text is None:
            continue
        if text.startswith("-"):
            functions = functions or "f" in text
            continue
        if functions:
            shell.shell.functions.pop(text, None)
            continue
        match = re.fullmatch(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?", text, re.DOTALL)
        if match is None:
            continue
        if match[2] is None or match[2] in ("@", "*"):
            variable = shell.shell.variables.get(match[1])
            if variable is not None and variable.readonly:
                continue
            shell.shell.variables.remove(match[1])
            shell.shell.functions.pop(match[1], None) if variable is None else None
            continue
        variable = shell.shell.variables.get(match[1])
        key = shell.index(variable, (Run(match[2]),))
        if variable is not None and variable.elements is not None and key in variable.elements:
            elements = {k: v for k, v in variable.elements.items() if k != key}
            shell.shell.variables.change(match[1], elements=elements)
    return SUCCESS


def _cd(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    words = [field for field in fields[1:] if not re.fullmatch(r"--|-[LPe@]+", field.text or "x")]
    if fields[0].text == "popd" or not words or words[0].text == "-":
        shell.shell.folder = None
    else:
        shell.shell.folder = place_of(words[0].runs, shell.shell.folder)
    return SUCCESS


def _pwd(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    shell.write([unknown("$(pwd)", place=shell.shell.folder), Run("\n")])
    return SUCCESS


def _eval(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    runs: list[Run] = []
    for index, field in enumerate(fields[1:]):
        if index:
            runs.append(Run(" "))
        runs.extend(field.runs)
    if any(run.text is None and (run.many or index == 0) for index, run in enumerate(runs)):
        shell.path.opaque = True
        return Outcome(None, Known.NO, rendered="eval")
    shell.path.enter(25)
    try:
        shell.run_code(runs_code(runs, shell.shell.script))
    finally:
        shell.path.depth -= 1
    return shell.shell.status


def _source(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    if len(fields) < 2:
        return Outcome(False, code=2)
    path = shell.located(fields[1].runs)
    code = None if path is None else shell.path.files.code(path)
    if code is None:
        shell.path.opaque = True
        return Outcome(None, Known.NO, rendered="source " + (fields[1].text or ""))
    inner = shell.shell
    saved = (inner.positional, inner.open_arguments)
    if len(fields) > 2:
        inner.positional, inner.open_arguments = [field.runs for field in fields[2:]], False
    shell.path.enter(25)
    script, inner.script = inner.script, code.path
    try:
        shell.run_code(code)
    except Return:
        pass
    finally:
        shell.path.depth -= 1
        inner.script = script
        if len(fields) > 2:
            inner.positional, inner.open_arguments = saved
    return shell.shell.status


def _read(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    names: list[str] = []
    array = ""
    words = fields[1:]
    at = 0
    raw = False
    while at < len(words):
        text = words[at].text or ""
        if text.startswith("-") and len(text) > 1 and not names:
            raw = raw or "r" in text
            if text[-1] in "adinNptu":
                at += 1
                if text[-1] == "a" and at < len(words):
                    array = words[at].text or ""
        elif _NAME.fullmatch(text):
            names.append(text)
        at += 1
    return _read_line(shell, names or ([] if array else ["REPLY"]), array, command)


def _read_line(shell: Interpreter, names: Sequence[str], array: str, command: Simple) -> Outcome:
    try:
        line = shell.stdin.line()
    except LookupError:
        for name in names:
            shell.assign(name, (unknown(f"${name}"),), _origin(name, command))
        if array:
            _unknown_array(shell, array, command)
        return Outcome(None, Known.NO, rendered="read", guess=True)
    if line is None:
        for name in names:
            shell.assign(name, (), _origin(name, command))
        return FAILURE
    fields = [runs for runs in shell.split_value(line)]
    if array:
        _known_array(shell, array, fields, command)
        return SUCCESS
    for index, name in enumerate(names):
        last = index == len(names) - 1
        if last and len(names) == 1:
            value: Value = _trimmed(line, shell.ifs())
        elif last and len(fields) > index + 1:
            value = tuple(run for i, f in enumerate(fields[index:]) for run in ((Run(" "), *f) if i else f))
        else:
            value = fields[index] if index < len(fields) else ()
        shell.assign(name, value, _origin(name, command))
    return SUCCESS


def _trimmed(line: Value, ifs: str) -> Value:
    text = text_of(line) or ""
    blanks = "".join(char for char in ifs if char in " \t\n")
    start = len(text) - len(text.lstrip(blanks)) if blanks else 0
    end = len(text.rstrip(blanks)) if blanks else len(text)
    return slice_runs(line, start, max(start, end))


def _known_array(shell: Interpreter, name: str, values: Sequence[Value], command: Simple) -> None:
    from reviewbot.shell.values import fed

    origin = _origin(name, command)
    elements: dict[Index, Value] = {index: fed(value, origin) for index, value in enumerate(values)}
    shell.shell.variables.put(name, Variable(elements=elements, origin=origin))


def _unknown_array(shell: Interpreter, name: str, command: Simple) -> None:
    if _NAME.fullmatch(name):
        origin = _origin(name, command)
        value: Value = (unknown(f"${{{name}[@]}}", many=True),)
        shell.shell.variables.put(name, Variable(elements={0: value}, origin=origin))


def _mapfile(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    words = [field.text or "" for field in fields[1:]]
    options = {word for word in words if word.startswith("-")}
    name = words[-1] if words and not words[-1].startswith("-") else "MAPFILE"
    if not _NAME.fullmatch(name):
        return SUCCESS
    lines: list[Value] = []
    try:
        if options - {"-t"}:
            raise LookupError
        while (line := shell.stdin.line()) is not None and len(lines) < 2000:
            lines.append(line if "-t" in options else (*line, Run("\n")))
    except LookupError:
        _unknown_array(shell, name, command)
        return SUCCESS
    _known_array(shell, name, lines, command)
    return SUCCESS


def _getopts(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    name = fields[2].text if len(fields) > 2 else None
    if name and _NAME.fullmatch(name):
        shell.assign(name, (unknown(f"${name}"),), _origin(name, command))
    shell.assign("OPTARG", (unknown("$OPTARG"),), None)
    if shell.shell.open_arguments or shell.shell.positional:
        return Outcome(None, Known.NO, rendered="getopts", guess=False)
    return FAILURE


def _let(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    value: int | None = 0
    for field in fields[1:]:
        text = field.text
        value = None if text is None else shell.number(text)
    if value is None:
        return Outcome(None, Known.NO, rendered="let")
    return SUCCESS if value else FAILURE


def _command(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    words = fields[1:]
    while words and (words[0].text or "").startswith("-"):
        if set((words[0].text or "")[1:]) & set("vV"):
            shown = " ".join(field.text or "?" for field in fields)
            shell.write([unknown(shown)])
            return Outcome(None, Known.NO, rendered=shown, guess=False)
        words = words[1:]
    if not words:
        return SUCCESS
    builtin = BUILTINS.get(words[0].text or "")
    if builtin is not None:
        return builtin(shell, words, command)
    return shell.external(command, words)


def _type(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    shown = " ".join(field.text or "?" for field in fields)
    if any(field.text in shell.shell.functions for field in fields[1:]):
        return SUCCESS
    shell.write([unknown(shown)])
    return Outcome(None, Known.NO, rendered=shown, guess=False)


def _exec(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    words = fields[1:]
    while words and (words[0].text or "").startswith("-"):
        words = words[2:] if words[0].text == "-a" else words[1:]
    if not words:
        return SUCCESS
    raise Stop(shell.external(command, words))


def _trap(shell: Interpreter, fields: list[Field], command: Simple) -> Outcome:
    return SUCCESS


BUILTINS: dict[str | None, Builtin] = {
    ":": _true, "true": _true, "false": _false, "exit": _exit, "return": _return, "break": _leave,
    "continue": _leave, "test": _test, "[": _test, "echo": _echo, "printf": _printf, "set": _set, "shift": _shift,
    "declare": _declare, "typeset": _declare, "local": _declare, "export": _declare, "readonly": _declare,
    "unset": _unset, "cd": _cd, "pushd": _cd, "popd": _cd, "pwd": _pwd, "eval": _eval, "source": _source,
    ".": _source, "read": _read, "mapfile": _mapfile, "readarray": _mapfile, "getopts": _getopts, "let": _let,
    "command": _command, "builtin": _command, "type": _type, "hash": _type, "exec": _exec, "trap": _trap,
    "shopt": _true, "ulimit": _true, "umask": _true, "wait": _true, "alias": _true, "unalias": _true,
    "enable": _true, "disown": _true, "jobs": _true, "kill": _true, "times": _true, "history": _true,
    "complete": _true, "bind": _true, "compopt": _true,
}  # fmt: skip

__all__ = ["BUILTINS", "computed"]
