"""Commands that end earlier than they look, so that the rest of their arguments runs as commands of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.shell.code import Code
from reviewbot.shell.model import ShellProblem
from reviewbot.shell.syntax import AndOr, Assignment, Command, CommandList, Literal, Pipeline, Redirected, Simple, Word
from reviewbot.shell.walk import lists_in
from reviewbot.text import Span

_OVERRIDE = re.compile(r"(?:\+\+|\+|~)?[A-Za-z_][\w@/:-]*(?:\.[\w@/:-]+)+=|(?:\+\+|\+)[A-Za-z_][\w.@/:-]*=")
_OPTION = re.compile(r"--?[A-Za-z][\w-]*(?:=|$)")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_LIST = re.compile(r"\"?\$(?:\{[A-Za-z_]\w*\[@\]\}|@)\"?$")
_BLANK_WORD = re.compile(r"\\[ \t]$")


def broken_continuations(code: Code, commands: Sequence[CommandList]) -> Iterator[ShellProblem]:
    """The commands whose continuation ends early, with the words that they lose by it."""
    top = [command for line in commands for command in line.commands]
    for siblings in (top, *(inner.commands for line in commands for inner in lists_in(line) if inner is not line)):
        for index, command in enumerate(siblings):
            last = _last_simple(command)
            kind = None if last is None else _broken(code, last)
            if last is None or kind is None:
                continue
            lost = _lost(code, siblings[index + 1 :])
            problem = None if not lost else _problem(code, last, kind, lost)
            if problem is not None:
                yield problem


def _last_simple(command: Command) -> Simple | None:
    while True:
        if isinstance(command, Simple):
            return command
        if isinstance(command, Pipeline) and command.commands:
            command = command.commands[-1]
        elif isinstance(command, AndOr):
            command = command.rest[-1][1]
        else:
            return None


def _first_simple(command: Command) -> Simple | None:
    while True:
        if isinstance(command, Simple):
            return command
        if isinstance(command, Pipeline) and command.commands:
            command = command.commands[0]
        elif isinstance(command, AndOr):
            command = command.first
        elif isinstance(command, Redirected):
            command = command.command
        else:
            return None


def _broken(code: Code, command: Simple) -> str | None:
    """How the command's continuation ends early; None where it does not."""
    behind = code.text[command.end : command.stop]
    if "\\\n" in behind:
        return "comment-after-continuation" if "#" in behind else "blank-after-continuation"
    last = command.words[-1] if command.words else None
    ends = code.text[command.stop : command.stop + 1] in ("\n", "")
    if isinstance(last, Word) and ends and last.end == command.end and _BLANK_WORD.search(last.source):
        part = last.parts[-1]
        if isinstance(part, Literal) and part.quoted and part.text in (" ", "\t"):
            return "space-after-backslash"
    return None


def _lost(code: Code, following: Sequence[Command]) -> list[Span]:
    """The words behind a broken continuation, as far as they look like arguments."""
    lost: list[Span] = []
    certain = False
    for command in following:
        simple = _first_simple(command)
        if simple is None:
            break
        parts = [*simple.assignments, *simple.words]
        if not parts:
            break
        looks = _looks(parts[0])
        if not looks or (looks == "maybe" and not certain):
            break
        certain = True
        for part in parts:
            text = part.source if isinstance(part, Word) else code.text[part.start : part.end]
            span = code.span(part.start, part.end)
            if span is not None and not _BLANK_WORD.fullmatch(text):
                lost.append(span)
        if simple is not command:
            break
    return lost


def _looks(part: Word | Assignment) -> str:
    """Whether a word looks like an argument: ``surely``, ``maybe`` or not at all."""
    if isinstance(part, Assignment):
        return "maybe"
    source = part.source.lstrip("\"'")
    if _OVERRIDE.match(source) or _OPTION.match(source):
        return "surely"
    return "maybe" if _LIST.match(part.source) or _ASSIGNED.match(source) else ""


def _problem(code: Code, command: Simple, kind: str, lost: list[Span]) -> ShellProblem | None:
    last = command.words[-1] if command.words else command.assignments[-1]
    start, end = last.start, command.end
    if kind != "space-after-backslash":
        end = code.text.index("\\\n", command.end) + 1
    elif isinstance(last, Word) and last.end - last.start == 2 and len(command.words) > 1:
        start = command.words[-2].start
    span = code.span(start, end)
    if span is None:
        return None
    count = len(lost)
    words = "1 argument" if count == 1 else f"{count} arguments"
    what = {
        "blank-after-continuation": "the blank line after it",
        "comment-after-continuation": "the comment after it",
        "space-after-backslash": "the blank after its backslash",
    }[kind]
    message = (
        f"The command ends on line {span.end_line}, at {what}: {words} from line {lost[0].line} on never "
        f"{'reaches' if count == 1 else 'reach'} it and {'runs' if count == 1 else 'run'} as a command instead."
    )
    return ShellProblem(kind, span, message, tuple(lost))
