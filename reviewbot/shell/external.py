"""Programs: launches, scripts that are at hand, and the rest, of which little is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from reviewbot.shell import programs
from reviewbot.shell.expansion import UNKNOWN_CHARACTER, rendered
from reviewbot.shell.launches import Started
from reviewbot.shell.model import Known
from reviewbot.shell.outputs import OUTPUTS
from reviewbot.shell.scripts import run_nested
from reviewbot.shell.state import SUCCESS, Outcome
from reviewbot.shell.syntax import Parameter, Simple, Word, flat
from reviewbot.shell.values import Field, Run, Value, unknown, used
from reviewbot.text import Span

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter

_PROBES = frozenset((
    "which", "grep", "egrep", "fgrep", "pgrep", "nvidia-smi", "npu-smi", "rocm-smi", "lspci", "diff",
    "cmp",
))  # fmt: skip
"""Commands that are mostly run to find something out; a failure is the better guess."""
_SUCCEEDS = frozenset((
    "mkdir", "rm", "cp", "mv", "ln", "touch", "chmod", "chown", "sleep", "kill", "pkill", "killall",
    "sync",
))  # fmt: skip
"""Commands that write nothing and are taken to succeed."""


MAX_OTHERS = 1000
"""Commands that are remembered of one path."""


def run_program(shell: Interpreter, command: Simple, fields: list[Field]) -> Outcome:
    """Runs a program that is not part of the shell."""
    if shell.out is not None:
        written = OUTPUTS[fields[0].text](shell, fields[1:]) if fields[0].text in OUTPUTS else None
        if written is not None:
            shell.write(written)
            return SUCCESS
    found = programs.find(_Sketches(fields)) if programs.may_start(_sketch(fields[0])) else None
    if isinstance(found, programs.Program):
        _launch(shell, command, fields, found)
    elif found is not None:
        outcome = run_nested(shell, command, fields, found)
        if outcome is not None:
            return outcome
    elif len(shell.path.others) < MAX_OTHERS:
        shell.path.others[" ".join(rendered(field.runs) for field in fields)[:10_000]] = None
    return _opaque(shell, fields)


def _sketch(field: Field) -> str | None:
    """The text of a word with a placeholder for what is not known; None where none of it is."""
    text = field.text
    if text is not None or field.many or all(run.text is None for run in field.runs):
        return text
    return "".join(UNKNOWN_CHARACTER if run.text is None else run.text for run in field.runs)


class _Sketches(Sequence[str | None]):
    """The sketches of words, made where they are asked for."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = fields

    def __len__(self) -> int:
        return len(self.fields)

    @overload
    def __getitem__(self, index: int) -> str | None: ...

    @overload
    def __getitem__(self, index: slice) -> list[str | None]: ...

    def __getitem__(self, index: int | slice) -> str | list[str | None] | None:
        if isinstance(index, slice):
            return [_sketch(field) for field in self.fields[index]]
        return _sketch(self.fields[index])


def _opaque(shell: Interpreter, fields: Sequence[Field]) -> Outcome:
    """A program of which nothing is known."""
    name = (fields[0].text or "").rpartition("/")[2]
    if name in _SUCCEEDS:
        return SUCCESS
    shown = " ".join(rendered(field.runs) for field in fields)[:500]
    probing, silent = name in _PROBES, False
    if programs.PYTHON.fullmatch(name):
        before = (field.text for field in fields)
        code = next(
            (field.text or "" for field, text in zip(fields[1:], before, strict=False) if text == "-c"), ""
        )
        probing = bool(re.search(r"\bimport\b", code))
        silent = bool(code) and "print" not in code and "write" not in code
    if not silent:
        shell.write((unknown(shown),))
    return Outcome(None, Known.NO, rendered=shown, guess=not probing)


def _launch(shell: Interpreter, command: Simple, fields: Sequence[Field], program: programs.Program) -> None:
    """Records a launch."""
    path = shell.path
    span = _command_span(shell, command)
    path.budget.write(sum(len(run.text or "") for field in fields for run in field.runs) // 4)
    shell.spend(len(fields))
    strict = "u" in shell.shell.options
    runs = (*(run for field in fields for run in field.runs if run.unset), *_unset_arrays(shell, command))
    path.unset.extend((run, strict) for run in runs)
    path.launches.append(
        Started(
            span,
            fields,
            fields[program.entry],
            program.joined,
            program.is_module,
            _with_read_words(shell, fields[: program.entry], fields[program.arguments :]),
            _environment(shell, command, span),
            tuple(path.decisions),
        )
    )


def _command_span(shell: Interpreter, command: Simple) -> Span:
    start, end = command.words[0].start, command.words[-1].end
    return command.code.span(start, end) or shell.path.fallback


def _with_read_words(shell: Interpreter, before: Sequence[Field], words: Sequence[Field]) -> list[Field]:
    """The arguments with what ``xargs`` and ``parallel`` put in: in the place of ``{}``, or behind all others."""
    texts = [(field.text or "").rpartition("/")[2] for field in before]
    if "parallel" in texts:
        end = next((at for at, word in enumerate(words) if (word.text or "").startswith(":::")), len(words))
        return _placed(words[:end], _PARALLEL, "what parallel reads")
    if "xargs" not in texts:
        return list(words)
    placeholder = _placeholder(texts[texts.index("xargs") + 1 :])
    if placeholder is not None:
        return _placed(words, re.compile(re.escape(placeholder)), "what xargs reads")
    if shell.stdin.runs is None:
        return [*words, Field((unknown("what xargs reads", many=True),), before[0].word)]
    return [*words, *(Field(runs, before[0].word, False) for runs in shell.split_value(shell.stdin.runs))]


_PARALLEL = re.compile(r"\{(?:\d*[./]{0,3}|#|%|=.*=)\}")


def _placeholder(options: Sequence[str]) -> str | None:
    """What ``xargs`` replaces: after ``-I``, in ``-I{}``, or ``{}`` of ``-i``; None where it appends."""
    for at, text in enumerate(options):
        if text == "-I":
            return next(iter(options[at + 1 : at + 2]), "") or None
        if text.startswith("-I"):
            return text[2:]
        if text in ("-i", "--replace"):
            return "{}"
        if text.startswith(("-i", "--replace=")):
            return text.removeprefix("--replace=").removeprefix("-i")
    return None


def _placed(words: Sequence[Field], placeholder: re.Pattern[str], why: str) -> list[Field]:
    """The words; those with a placeholder are not known, and without one what is read stands behind them."""
    placed = [
        Field((unknown(why),), word.word) if placeholder.search(word.text or "") else word for word in words
    ]
    if placed == list(words) and words:
        placed.append(Field((unknown(why, many=True),), words[-1].word))
    return placed


def _unset_arrays(shell: Interpreter, command: Simple) -> Iterator[Run]:
    """``"${ARRAY[@]}"`` of arrays that are not set: they leave no word behind."""
    for word in command.words:
        for part in flat(word.parts) if isinstance(word, Word) else ():
            if (
                not isinstance(part, Parameter)
                or part.whole != "@"
                or part.operator
                or part.prefix
                or not part.name
            ):
                continue
            value = shell.read(part.name)
            if isinstance(word, Word) and value is not None and len(value) == 1 and value[0].unset:
                yield from used(value, word, part.start, part.end)


def _environment(shell: Interpreter, command: Simple, span: Span) -> dict[str, tuple[Value, Span]]:
    """The variables that the script exports, and those in front of the command, with where they are assigned."""
    env: dict[str, tuple[Value, Span]] = {}
    for name, variable, value in shell.shell.variables.exported():
        env[name] = (value, span if variable.origin is None else variable.origin.span)
    for assignment in command.assignments:
        if assignment.elements is None:
            where = assignment.value.code.span(assignment.start, assignment.end)
            env[assignment.name] = (shell.value(assignment.value), where or span)
    return env
