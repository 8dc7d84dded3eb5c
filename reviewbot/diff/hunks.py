"""The hunks of one file: lengths checked here, lines told apart by unidiff."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from reviewbot.diff.model import DiffLine, Hunk, LineKind
from reviewbot.errors import InputError

MAX_LINE = 1_000_000
"""No file that is read has more lines (a bound on what one header can make us allocate)."""

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: .*)?\r?", re.DOTALL)
_NEXT = re.compile(
    r"diff |Index: |From |commit |Only in |Binary files |Files |Property changes on|Common subdirectories: "
    r"|===|# HG "
)
_MARKER = "\\ No newline at end of file\n"


class HunkReader:
    """Reads hunks from line ``at`` (0-based) on; afterwards ``at`` is the first line after them."""

    def __init__(self, name: str, lines: Sequence[str], at: int) -> None:
        self.name = name
        self.lines = lines
        self.at = at
        self._old_end = self._new_end = 0
        """The last line of either side that the hunks so far show."""
        self._ended: set[str] = set()
        """The sides whose last line was shown to lack a newline: ``-``, ``+``."""

    def read(self) -> tuple[Hunk, ...]:
        """All hunks of the file; at least one.  Raises InputError, naming the line of the diff."""
        first = self.at
        feed: list[str] = []
        numbers: list[int] = []
        while self.at < len(self.lines) and self.lines[self.at].startswith("@@"):
            numbers.append(self.at + 1)
            feed.extend(self._hunk())
            self._skip_blank()
        if not numbers:
            self.fail(
                min(first + 1, len(self.lines)), "a hunk (@@ …) is expected here, the diff may be cut off"
            )
        return _converted(feed, numbers, self)

    def fail(self, number: int, message: str) -> NoReturn:
        """Raise the InputError for a 1-based line of the diff."""
        raise InputError(f"{self.name}: line {number}: {message}")

    def _hunk(self) -> list[str]:
        """The lines of one hunk as unidiff takes them."""
        number = self.at + 1
        old_left, new_left = self._header()
        feed = [self.lines[self.at] + "\n"]
        self.at += 1
        old_length, new_length = old_left, new_left
        while old_left or new_left:
            if self.at >= len(self.lines):
                self.fail(
                    len(self.lines),
                    f"the diff is cut off: the hunk of line {number} announces {old_length} old and "
                    f"{new_length} new lines, {old_left} and {new_left} of them are missing",
                )
            line = self.lines[self.at]
            sign = " " if line in ("", "\r") else line[0]
            if sign == "\\" and len(feed) > 1:
                feed.append(self._end_of_file(feed[-1]))
                continue
            if sign not in " +-":
                self._fail_stray(number)
            old_left -= sign != "+"
            new_left -= sign != "-"
            if old_left < 0 or new_left < 0:
                self.fail(self.at + 1, f"the hunk of line {number} has more lines than its header announces")
            self._check_not_ended(sign)
            feed.append(line + "\n")
            self.at += 1
        if self.at < len(self.lines) and self.lines[self.at].startswith("\\"):
            feed.append(self._end_of_file(feed[-1]))
        self._check_tail(number)
        return feed

    def _header(self) -> tuple[int, int]:
        """Check the header at hand; the lengths of both sides."""
        number = self.at + 1
        line = self.lines[self.at]
        match = _HEADER.fullmatch(line)
        if not match:
            if line.startswith("@@@"):
                self.fail(number, "a merge's combined diff has two before sides; give git diff BASE...HEAD")
            self.fail(number, "the hunk header is not of the form @@ -LINE,COUNT +LINE,COUNT @@")
        old_start, old, new_start, new = (1 if group is None else int(group) for group in match.groups())
        if not old and not new:
            self.fail(number, "the hunk has no lines")
        if (old and not old_start) or (new and not new_start):
            self.fail(number, "the hunk starts at line 0, but lines are counted from 1")
        first_old, first_new = old_start + (not old), new_start + (not new)
        if first_old <= self._old_end or first_new <= self._new_end:
            self.fail(number, "the hunk starts before the end of the one above it")
        self._old_end, self._new_end = first_old + old - 1, first_new + new - 1
        if max(self._old_end, self._new_end) > MAX_LINE:
            self.fail(number, f"the hunk lies beyond line {MAX_LINE}, and no file that long is read")
        return old, new

    def _end_of_file(self, above: str) -> str:
        """Take the marker for a missing newline (``\\ No newline …``, in any language) below a line."""
        sign = above[0]
        if sign == "\\":
            self.fail(self.at + 1, "the line above already marks a missing newline")
        if above[1:] in ("", "\n"):
            self.fail(self.at + 1, "the line above is empty, so there is no line that could lack its newline")
        sides = "+-" if sign in " \r\n" else sign
        if self._ended & set(sides):
            self.fail(self.at + 1, "the file already ended above this marker")
        self._ended |= set(sides)
        self.at += 1
        return _MARKER

    def _check_not_ended(self, sign: str) -> None:
        if self._ended & set("+-" if sign == " " else sign):
            self.fail(self.at + 1, "a line follows the end of the file (\\ No newline at end of file)")

    def _check_tail(self, number: int) -> None:
        """Refuse what follows a complete hunk and is neither a hunk nor the start of something else."""
        after_blank = self.at
        while after_blank < len(self.lines) and self.lines[after_blank] in ("", "\r"):
            after_blank += 1
        if after_blank >= len(self.lines):
            return
        line = self.lines[after_blank]
        following = self.lines[after_blank + 1] if after_blank + 1 < len(self.lines) else ""
        if line.startswith("@@") or line in ("-- ", "--", "-- \r") or _NEXT.match(line):
            return
        if line.startswith("--- ") and following.startswith("+++ "):
            return
        if line[0] in " +-":
            self.fail(after_blank + 1, f"the hunk of line {number} has more lines than its header announces")
        if after_blank == self.at:
            self._fail_stray(number)

    def _skip_blank(self) -> None:
        at = self.at
        while at < len(self.lines) and self.lines[at] in ("", "\r"):
            at += 1
        if at < len(self.lines) and self.lines[at].startswith("@@"):
            self.at = at

    def _fail_stray(self, number: int) -> NoReturn:
        if self.lines[self.at].startswith("\x1b["):
            self.fail(self.at + 1, "the diff is coloured; make it with --no-color")
        self.fail(
            self.at + 1, f"this is no line of the hunk of line {number}: such start with a space, + or -"
        )


def _converted(feed: list[str], numbers: list[int], reader: HunkReader) -> tuple[Hunk, ...]:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        (file,) = PatchSet(["--- a/file\n", "+++ b/file\n", *feed])
    except UnidiffParseError as error:
        reader.fail(numbers[0], f"the hunks from here on cannot be read ({error})")
    return tuple(
        Hunk(
            hunk.source_start,
            hunk.source_length,
            hunk.target_start,
            hunk.target_length,
            _diff_lines(
                [(line.line_type, line.value, line.source_line_no, line.target_line_no) for line in hunk]
            ),
            number,
        )
        for hunk, number in zip(file, numbers, strict=True)
    )


def _diff_lines(lines: list[tuple[str, str, int | None, int | None]]) -> tuple[DiffLine, ...]:
    kinds: dict[str, LineKind] = {"+": "added", "-": "removed", " ": "context"}
    result: list[DiffLine] = []
    for index, (sign, value, old_line, new_line) in enumerate(lines):
        if sign == "\\":
            continue
        if index + 1 < len(lines) and lines[index + 1][0] == "\\":
            value = value.removesuffix("\n")
        text = value.removesuffix("\n").removesuffix("\r")
        result.append(DiffLine(kinds[sign], old_line, new_line, text, value[len(text) :]))
    return tuple(result)
