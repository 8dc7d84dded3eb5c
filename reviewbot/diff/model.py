"""What a diff says.  Line numbers are 1-based; ``old`` is the before side, ``new`` the after side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from reviewbot.errors import InputError
from reviewbot.text import SourceText

LineKind = Literal["added", "context", "removed"]
Status = Literal["added", "deleted", "modified", "renamed", "copied", "mode", "binary"]

SYMBOLIC_LINK = "120000"
SUBMODULE = "160000"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk."""

    kind: LineKind
    old_line: int | None
    new_line: int | None
    text: str
    """Without the line end."""
    end: str = "\n"
    """The line end: ``\\n`` or ``\\r\\n``; without ``\\n`` where the file ends here without a newline."""

    @property
    def raw(self) -> str:
        """The line as it stands in the file."""
        return self.text + self.end

    @property
    def no_newline(self) -> bool:
        """Whether the file ends in this line, without a newline."""
        return not self.end.endswith("\n")


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of lines shown by the diff.  A side of length 0 starts at the line in front of it, as in git."""

    old_start: int
    old_length: int
    new_start: int
    new_length: int
    lines: tuple[DiffLine, ...]
    diff_line: int
    """The line of the diff that holds the hunk's ``@@`` header."""


@dataclass(frozen=True)
class Excerpt:
    """The after side of a file as far as the diff shows it."""

    source: SourceText
    """Known lines at their right numbers; lines that the diff does not show are empty."""
    shown: tuple[range, ...]
    """The runs of known lines."""
    whole: bool
    """Whether that is the whole file."""


@dataclass(frozen=True)
class FileDiff:
    """The changes to one file."""

    old_path: str | None
    """None for an added file."""
    new_path: str | None
    """None for a deleted file."""
    status: Status
    hunks: tuple[Hunk, ...] = ()
    whole: bool = False
    """Whether the diff holds the whole after side: an added file, or one deleted and added anew."""
    mode: str = ""
    """The mode of the after side (``100644``), for a deleted file the one before; empty where not told."""
    diff_line: int = 1
    """The line of the diff at which the file's part starts."""

    @property
    def path(self) -> str:
        """The path after the change; for a deleted file the one before it."""
        return self.new_path or self.old_path or ""

    @property
    def is_link(self) -> bool:
        """Whether the "text" is the target of a symbolic link or the commit of a submodule."""
        return self.mode in (SYMBOLIC_LINK, SUBMODULE)

    @property
    def lines(self) -> Iterator[DiffLine]:
        """All lines of all hunks."""
        return (line for hunk in self.hunks for line in hunk.lines)

    @cached_property
    def is_utf8(self) -> bool:
        """Whether every line was UTF-8 (bytes that are not are kept as lone surrogates)."""
        return not any("\udc80" <= character <= "\udcff" for line in self.lines for character in line.text)

    @cached_property
    def added_lines(self) -> frozenset[int]:
        """The new-side numbers of the added lines."""
        return frozenset(line.new_line for line in self.lines if line.kind == "added" and line.new_line)

    @cached_property
    def shown_lines(self) -> frozenset[int]:
        """The new-side numbers of the lines shown: added and context."""
        return frozenset(line.new_line for line in self.lines if line.new_line)

    @cached_property
    def removed(self) -> Mapping[int, str]:
        """The texts of the removed lines by their old-side numbers."""
        return {line.old_line: line.text for line in self.lines if line.kind == "removed" and line.old_line}

    def hunk_of(self, new_line: int) -> int | None:
        """The index of the hunk that shows a new-side line; None where none does."""
        for index, hunk in enumerate(self.hunks):
            if hunk.new_start <= new_line < hunk.new_start + hunk.new_length:
                return index
        return None

    def after_text(self) -> Excerpt:
        """The after side as far as the diff shows it, for when the file itself is not at hand."""
        pieces: list[str] = []
        shown: list[range] = []
        for hunk in self.hunks:
            if not hunk.new_length:
                pieces.extend("\n" for _ in range(len(pieces), hunk.new_start))
                continue
            pieces.extend("\n" for _ in range(len(pieces) + 1, hunk.new_start))
            pieces.extend(line.raw for line in hunk.lines if line.new_line)
            if shown and shown[-1].stop == hunk.new_start:
                shown[-1] = range(shown[-1].start, hunk.new_start + hunk.new_length)
            else:
                shown.append(range(hunk.new_start, hunk.new_start + hunk.new_length))
        return Excerpt(SourceText(self.path, "".join(pieces)), tuple(shown), self.whole)

    def mismatch(self, after: SourceText) -> int | None:
        """The first new-side line where the file at hand is not the diff's after side; None where it is.

        Added and context lines are compared, and whether the last line has a newline.  Where the diff shows
        no carriage return at all, those of the file do not count: git leaves them out under ``autocrlf``.
        """
        lines = after.lines
        for hunk in self.hunks:
            for line in hunk.lines:
                number = line.new_line
                if number and (number > len(lines) or not self._same(line, lines[number - 1])):
                    return number
            if not hunk.new_length and hunk.new_start > len(lines):
                return len(lines) + 1
        return self._surplus(len(lines))

    def before(self, after: SourceText) -> SourceText:
        """The file before the change, from the file after it.

        Raises InputError where ``after`` is not the diff's after side.
        """
        if (line := self.mismatch(after)) is not None:
            raise InputError(
                f"{after.path}: line {line} is not what the diff says, so the diff cannot be undone"
            )
        lines = after.lines
        carriage_returns = self._lost_carriage_returns(lines)
        pieces: list[str] = []
        done = 0
        for hunk in self.hunks:
            start = hunk.new_start - 1 if hunk.new_length else hunk.new_start
            pieces.extend(lines[done:start])
            done = start
            for shown in hunk.lines:
                if shown.kind == "removed":
                    pieces.append(shown.text + "\r\n" if carriage_returns and shown.end else shown.raw)
                    continue
                if shown.kind == "context":
                    pieces.append(lines[done])
                done += 1
        pieces.extend(lines[done:])
        return SourceText(self.old_path or self.path, "".join(pieces))

    @cached_property
    def _shows_carriage_returns(self) -> bool:
        return any(line.end.startswith("\r") for line in self.lines)

    def _same(self, line: DiffLine, at_hand: str) -> bool:
        if line.raw == at_hand:
            return True
        return not self._shows_carriage_returns and line.raw == _without_carriage_return(at_hand)

    def _lost_carriage_returns(self, lines: tuple[str, ...]) -> bool:
        """Whether the diff was made of a text whose CRLF had been turned into LF."""
        numbers = [line.new_line for line in self.lines if line.new_line and line.end]
        return (
            bool(numbers)
            and not self._shows_carriage_returns
            and all(lines[number - 1].endswith("\r\n") for number in numbers)
        )

    def _surplus(self, length: int) -> int | None:
        if self.status == "deleted":
            return 1 if length else None
        if self.whole and length > len(self.shown_lines):
            return len(self.shown_lines) + 1
        return None


def _without_carriage_return(line: str) -> str:
    return line[:-2] + "\n" if line.endswith("\r\n") else line.removesuffix("\r")


@dataclass(frozen=True, slots=True)
class Refused:
    """A file of the diff that is left out because its path does not stay in the repository."""

    path: str
    diff_line: int
    why: str
    """One sentence."""


@dataclass(frozen=True)
class Diff:
    """All files of a diff, in its order."""

    files: tuple[FileDiff, ...] = ()
    refused: tuple[Refused, ...] = ()

    def file(self, path: str) -> FileDiff | None:
        """The changes to the file that has this path after the change (or had it before it was deleted)."""
        return next((file for file in self.files if file.path == path), None)
