"""Shell text to be parsed, and where each of its characters stands in a file.

Most code is a file as it is.  Three kinds are not: a file with ``\\r\\n`` line ends (read without the ``\\r``), the
text of a backquote substitution (read without its backslashes), and text that ``eval`` or ``bash -c`` is given
(pieced together from words).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reviewbot.text import SourceText, Span

if TYPE_CHECKING:
    from reviewbot.shell.values import Run


@dataclass(slots=True, eq=False)
class Code:
    """Text, and the stretches of files that it was made of.

    ``starts[i]`` is the offset of a stretch in ``text``; ``places[i]`` the file and the offset there, or None where
    the characters stand in no file.
    """

    text: str
    starts: Sequence[int]
    places: Sequence[tuple[SourceText, int] | None]
    path: str = ""
    """The script that the code belongs to: what ``$0`` and relative paths go by."""
    runs: Sequence[Run] = ()
    """For text pieced together from words: the run behind each of ``starts``."""
    spans: dict[tuple[int, int], Span] = field(default_factory=dict)

    def place(self, offset: int) -> tuple[SourceText, int] | None:
        """The file and the 0-based offset of a character of the code."""
        index = bisect_right(self.starts, offset) - 1
        place = self.places[index] if index >= 0 else None
        return None if place is None else (place[0], place[1] + offset - self.starts[index])

    def span(self, start: int, end: int) -> Span | None:
        """The span of ``start`` to ``end``; None where its ends do not stand in one file, in this order."""
        span = self.spans.get((start, end))
        if span is None:
            span = self._span(start, end)
            if span is not None:
                self.spans[(start, end)] = span
        return span

    def _span(self, start: int, end: int) -> Span | None:
        first = self.place(start)
        last = first if end <= start else self.place(end - 1)
        if first is None or last is None or first[0] is not last[0] or last[1] < first[1]:
            return None
        return first[0].span(first[1], last[1] + (1 if end > start else 0))


def file_code(source: SourceText) -> Code:
    """The code of a whole file; ``\\r`` before ``\\n`` counts as part of the line end and is not in the text."""
    text = source.text
    if "\r\n" not in text:
        return Code(text, (0,), ((source, 0),), source.path)
    starts, places, parts, position, length = [], [], [], 0, 0
    while position < len(text):
        found = text.find("\r\n", position)
        end = len(text) if found < 0 else found
        starts.append(length)
        places.append((source, position))
        parts.append(text[position:end])
        length += end - position
        position = end if found < 0 else found + 1
    return Code("".join(parts), starts, places, source.path)


def unescaped_code(code: Code, start: int, end: int, escapable: str) -> Code:
    """The text of ``start`` to ``end`` without the backslash in front of each ``escapable`` character."""
    starts, places, parts, position, length = [], [], [], start, 0

    def add(first: int, last: int) -> None:
        nonlocal length
        if last > first:
            starts.append(length)
            places.append(code.place(first))
            parts.append(code.text[first:last])
            length += last - first

    cursor = start
    while cursor < end:
        found = code.text.find("\\", cursor, end)
        if found < 0 or found + 1 >= end:
            break
        if code.text[found + 1] in escapable:
            add(position, found)
            position = found + 1
        cursor = found + 2
    add(position, end)
    return Code("".join(parts), starts or [0], places or [None], code.path)
