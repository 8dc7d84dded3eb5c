"""Commands that end earlier than they look, so that the rest of their arguments runs as commands of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reviewbot.language import say
from reviewbot.shell.code import Code
from reviewbot.shell.model import ShellProblem
from reviewbot.shell.syntax import (
    AndOr,
    Assignment,
    Command,
    CommandList,
    Literal,
    Pipeline,
    Redirected,
    Simple,
    Word,
)
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
    for siblings in (
        top,
        *(inner.commands for line in commands for inner in lists_in(line) if inner is not line),
    ):
        for command, following in pairwise(siblings):
            last = _last_simple(command)
            if last is None:
                continue
            kind = _broken(code, last)
            sure = kind == "missing-backslash" or not any(_looks(word) == "surely" for word in last.words)
            lost = _lost(code, following, sure=sure)
            if lost:
                problem = _problem(code, last, kind, lost)
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


def _broken(code: Code, command: Simple) -> str:
    """How the command came to end where it does."""
    behind = code.text[command.end : command.stop]
    if "\\\n" in behind:
        return "comment-after-continuation" if "#" in behind else "blank-after-continuation"
    if "#" in behind and behind.rstrip(" \t").endswith("\\"):
        return "comment-after-continuation"
    last = command.words[-1] if command.words else None
    if isinstance(last, Word) and last.end == command.end and _BLANK_WORD.search(last.source):
        part = last.parts[-1] if last.parts else None
        if isinstance(part, Literal) and part.quoted and part.text in (" ", "\t"):
            return "space-after-backslash"
    return "missing-backslash"


def _lost(code: Code, following: Command, *, sure: bool) -> list[Span]:
    """The words of the next command, where it looks like arguments of the one before.

    ``sure``: only where its first word can be nothing else.
    """
    simple = _first_simple(following)
    parts = [] if simple is None else [*simple.assignments, *simple.words]
    looks = [_looks(part) for part in parts]
    if "surely" not in looks or (looks[0] != "surely" and (sure or "" in looks)):
        return []
    lost: list[Span] = []
    for part in parts:
        text = part.source if isinstance(part, Word) else code.text[part.start : part.end]
        span = code.span(part.start, part.end)
        if span is not None and not _BLANK_WORD.fullmatch(text):
            lost.append(span)
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
    parts = [*command.assignments, *command.words]
    if not parts or "\n" not in code.text[command.end : command.stop + 1]:
        return None
    last = parts[-1]
    start, end = last.start, command.end
    continued = code.text.find("\\\n", command.end, command.stop)
    if continued >= 0:
        end = continued + 1
    elif (
        kind == "space-after-backslash"
        and isinstance(last, Word)
        and last.end - last.start == 2
        and len(command.words) > 1
    ):
        start = command.words[-2].start
    span = code.span(start, end)
    if span is None:
        return None
    count = len(lost)
    what = {
        "blank-after-continuation": say("at the blank line after it"),
        "comment-after-continuation": say("at the comment"),
        "space-after-backslash": say("at the blank after its backslash"),
        "missing-backslash": say("which has no backslash"),
    }[kind]
    told = {"line": span.end_line, "what": what, "count": count, "first": lost[0].line}
    if count == 1:
        message = say(
            "The command ends on line {line}, {what}: {count} argument from line {first} on never "
            "reaches it and runs "
            "as a command instead.",
            **told,
        )
    else:
        message = say(
            "The command ends on line {line}, {what}: {count} arguments from line {first} on never "
            "reach it and run "
            "as a command instead.",
            **told,
        )
    return ShellProblem(kind, span, message, tuple(lost))
