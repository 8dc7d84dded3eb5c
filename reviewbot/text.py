"""Text with positions: lines and columns are 1-based, columns count characters.

Only a line feed ends a line, as in git, bash and unified diffs; form feeds, lone carriage returns
and U+2028 do not.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """A stretch of a file: from ``line``:``column`` up to, not including, ``end_line``:``end_column``."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __post_init__(self) -> None:
        if self.line < 1 or self.column < 1 or (self.end_line, self.end_column) < (self.line, self.column):
            raise ValueError(f"not a span: {self}")

    @property
    def lines(self) -> range:
        """The lines that the span touches; one that ends at the start of a line does not touch that line."""
        ends_before = self.end_column == 1 and self.end_line > self.line
        return range(self.line, self.end_line + (not ends_before))

    def contains(self, other: Span) -> bool:
        """Whether ``other`` lies within this span of the same file."""
        return (
            self.path == other.path
            and (self.line, self.column) <= (other.line, other.column)
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )

    def overlaps(self, other: Span) -> bool:
        """Whether a character of the same file lies in both."""
        return (
            self.path == other.path
            and (self.line, self.column) < (other.end_line, other.end_column)
            and (other.line, other.column) < (self.end_line, self.end_column)
        )


@dataclass(frozen=True)
class SourceText:
    """The text of one file, as it is: line ends are kept."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines with their line ends; a text that ends in ``\\n`` has no empty last line."""
        pieces = self.text.split("\n")
        lines = [piece + "\n" for piece in pieces[:-1]]
        if pieces[-1]:
            lines.append(pieces[-1])
        return tuple(lines)

    def line(self, number: int) -> str:
        """Line ``number`` (1-based) without its line end.  Raises IndexError where there is none."""
        if number < 1:
            raise IndexError(f"lines are counted from 1, not {number}")
        return self.lines[number - 1].rstrip("\n").removesuffix("\r")

    def offset(self, line: int, column: int) -> int:
        """The 0-based offset of a position.  Raises IndexError for a line that is not there."""
        if line < 1:
            raise IndexError(f"lines are counted from 1, not {line}")
        return self._starts[line - 1] + column - 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a 0-based offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of the characters ``start`` to ``end`` (0-based, end exclusive)."""
        line, column = self.position(start)
        end_line, end_column = self.position(end)
        return Span(self.path, line, column, end_line, end_column)

    def cut(self, span: Span) -> str:
        """The text of a span."""
        return self.text[self.offset(span.line, span.column) : self.offset(span.end_line, span.end_column)]

    @property
    def crlf(self) -> bool:
        """Whether any line ends in ``\\r\\n``."""
        return "\r\n" in self.text


def decode(data: bytes) -> str | None:
    """The text of UTF-8 bytes (a byte order mark stays a character); None where they are not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
