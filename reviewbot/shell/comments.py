"""The comments of a script, where bash takes them for comments, and what stands below each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reviewbot.shell.code import Code, file_code
from reviewbot.shell.grammar import CommandReader
from reviewbot.shell.syntax import Assignment, Command, Simple
from reviewbot.shell.walk import commands_in
from reviewbot.shell.words import RefusedError, TooDeepError
from reviewbot.text import SourceText, Span


@dataclass(frozen=True)
class Comment:
    """A comment."""

    span: Span
    text: str
    """From the ``#`` on."""
    lines: range
    """The lines that it speaks of, 1-based: its own where code stands before it; else those of the command, of the
    assignment or of the array elements that begin on the line below it.  Empty where nothing of these does."""


def read_comments(source: SourceText) -> tuple[Comment, ...]:
    """The comments, in their order; those behind a place that bash would refuse are not seen."""
    code = file_code(source)
    reader = CommandReader(code)
    begun: dict[int, int] = {}
    try:
        while (commands := reader.next()) is not None:
            for command in commands_in(commands):
                for start, end in _pieces(command, code):
                    begun[start] = max(end, begun.get(start, 0))
    except (RefusedError, TooDeepError):
        pass
    spans = [span for start, end in sorted(reader.comments.items()) if (span := code.span(start, end))]
    alone = {span.line for span in spans if not source.line(span.line)[: span.column - 1].strip()}
    return tuple(Comment(span, source.cut(span), _lines(span.line, alone, begun)) for span in spans)


def _lines(line: int, alone: set[int], begun: dict[int, int]) -> range:
    if line not in alone:
        return range(line, line + 1)
    while line in alone:
        line += 1
    return range(line, begun[line] + 1) if line in begun else range(0)


def _pieces(command: Command, code: Code) -> Iterator[tuple[int, int]]:
    """The first and the last line of a simple command and of the elements of its arrays."""
    if not isinstance(command, Simple):
        return
    arrays = [item for item in (*command.assignments, *command.words) if isinstance(item, Assignment)]
    elements = [element.value for array in arrays for element in array.elements or ()]
    for start, end in ((command.start, command.end), *((word.start, word.end) for word in elements)):
        span = code.span(start, end)
        if span is not None:
            yield span.line, span.end_line
