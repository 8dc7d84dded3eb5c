"""Things in a script that do not do what they look like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reviewbot.language import say
from reviewbot.shell.code import Code
from reviewbot.shell.continuations import broken_continuations
from reviewbot.shell.files import Parsed
from reviewbot.shell.launches import Started
from reviewbot.shell.model import Launch, ShellProblem
from reviewbot.shell.splits import split_values, split_words
from reviewbot.shell.state import Path
from reviewbot.shell.syntax import CommandList, Simple
from reviewbot.shell.unset import unset_variables
from reviewbot.shell.walk import commands_in
from reviewbot.shell.words import RefusedError
from reviewbot.text import SourceText, Span


@dataclass(frozen=True)
class Findings:
    """What reading a script found out."""

    source: SourceText
    parsed: Parsed
    others: Sequence[Parsed]
    """Other scripts and texts that it ran."""
    paths: Sequence[Path]
    started: Sequence[Started]
    launches: Sequence[Launch]


def problems_in(found: Findings) -> tuple[ShellProblem, ...]:
    """The problems of a script, each once, in the order of the file."""
    code, commands = found.parsed.code, found.parsed.commands
    scripts = [commands, *(other.commands for other in found.others)]
    problems: dict[tuple[str, Span], ShellProblem] = {}
    for problem in (
        *_refused(found),
        *_carriage_returns(found.source, code, commands),
        *broken_continuations(code, commands),
        *unset_variables(found.paths, scripts, found.source.path),
        *split_words(found.source, found.launches),
        *split_values(found.started),
    ):
        problems.setdefault((problem.kind, problem.span), problem)
    return tuple(sorted(problems.values(), key=lambda problem: (problem.span, problem.kind)))


def _refused(found: Findings) -> Iterator[ShellProblem]:
    code, error = found.parsed.code, found.parsed.error
    if isinstance(error, RefusedError):
        at = min(error.offset, max(len(code.text) - 1, 0))
        span = (code.span(at, at + 1) if code.text else None) or found.source.span(0, 0)
        message = say(
            "Bash refuses the script here and runs nothing from this command on: {message}.",
            message=error.message,
        )
        yield ShellProblem("syntax", span, message)


def _carriage_returns(
    source: SourceText, code: Code, commands: Sequence[CommandList]
) -> Iterator[ShellProblem]:
    """A backslash in front of ``\\r\\n`` does not continue the line."""
    if not source.crlf:
        return
    for command in (inner for line in commands for inner in commands_in(line) if isinstance(inner, Simple)):
        at = code.text.find("\\\n", command.start, command.end)
        place = code.place(at) if at >= 0 else None
        if place is not None and source.text.startswith("\\\r\n", place[1]):
            message = say(
                "The file has Windows line ends: bash sees a carriage return behind the backslash, "
                "so the command ends on this line."
            )
            yield ShellProblem("crlf", source.span(place[1], place[1] + 1), message)
            return
