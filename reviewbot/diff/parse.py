"""Unified diffs, read.  unidiff reads the hunks; what it lets pass in silence is checked here.

unidiff skips text that it does not know, ignores lines beyond a hunk's announced length, leaves git's quoted
paths as they are, and names no line in its errors: hence the walk over headers and lengths in this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from reviewbot.diff.compose import Part, compose_parts
from reviewbot.diff.headers import GitHeader, read_git_header
from reviewbot.diff.hunks import HunkReader
from reviewbot.diff.model import Diff, FileDiff, Hunk, Refused, Status
from reviewbot.diff.paths import (
    DEV_NULL,
    PathError,
    header_path,
    normal,
    strip_prefixes,
    unsafe,
)
from reviewbot.errors import InputError

MAX_BYTES = 64 * 1024 * 1024
_BINARY_BODY = re.compile(r"(?:literal|delta) \d+|[A-Za-z][^\s]+|")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
_STRUCTURE = re.compile(r"diff --|--- |\+\+\+ |@@ ")
_COMMIT = re.compile(r"(?:commit|From) [0-9a-f]{7,64}\b")
_EPOCH = re.compile(r"19(?:70-01-01|69-12-31) \d\d:\d\d:00(?:\.0+)? ")


def parse_diff(data: bytes | str, name: str) -> Diff:
    """Read a unified diff: of git (with mail headers, commit messages), ``diff -u``, Subversion, difflib.

    ``name`` stands for the diff in messages.  An empty diff has no files.  Diffs of several commits in a row
    (``git format-patch --stdout``) give one change a file.  Raises InputError, naming the line of the diff,
    where it cannot be understood.
    """
    lines = _lines(_decode(data, name))
    parts, refused = _Reader(name, lines).read()
    return Diff(compose_parts(parts, name), tuple(refused))


def parse_patch(path: str, previous_path: str | None, status: str, patch: str | None) -> FileDiff:
    """Read the ``patch`` of one file as GitHub's API gives it: hunks without a file header.

    ``status`` is GitHub's (added, removed, modified, renamed, copied, changed, unchanged); ``patch`` is None
    for binary files and such.  Raises InputError, naming the line of the patch.
    """
    name = f"patch of {path}"
    for each in (path, previous_path):
        if each is not None and (why := unsafe(each)):
            raise InputError(f"{name}: line 1: {why}, so it is not reviewed")
    words: dict[str, Status] = {
        "removed": "deleted",
        "added": "added",
        "renamed": "renamed",
        "copied": "copied",
    }
    lines = _lines(patch or "")
    reader = HunkReader(name, lines, 0)
    hunks = reader.read() if lines else ()
    if (rest := next((at for at in range(reader.at, len(lines)) if lines[at].strip()), None)) is not None:
        reader.fail(rest + 1, "this is neither part of a hunk nor the header of one")
    kind = words.get(status, "modified")
    return FileDiff(
        old_path=None if kind == "added" else previous_path or path,
        new_path=None if kind == "deleted" else path,
        status=kind,
        hunks=hunks,
        whole=kind == "added" and patch is not None,
    )


def _decode(data: bytes | str, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise InputError(f"{name}: the diff is larger than {MAX_BYTES >> 20} MiB; give a diff of fewer files")
    if isinstance(data, bytes):
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise InputError(f"{name}: line 1: the diff is UTF-16 (PowerShell's >); save it as UTF-8")
        data = data.decode("utf-8", "surrogateescape")
    return data.removeprefix("\ufeff")


def _lines(text: str) -> list[str]:
    """The lines without ``\\n``; where the diff itself was saved with CRLF ends, without these."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    header = next((line for line in lines if line.startswith(("diff --git ", "--- ", "@@ -"))), "")
    if header.endswith("\r") and not header.startswith("@@"):
        lines = [line.removesuffix("\r") for line in lines]
    return lines


class _Reader:
    """Walks over a diff file by file."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.name = name
        self.lines = lines
        self.at = 0
        self.batch = 0
        """Counts the texts between diffs: a new one may start the diff of another commit."""
        self.parts: list[Part] = []
        self.refused: list[Refused] = []

    def read(self) -> tuple[list[Part], list[Refused]]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("diff --git "):
                self._git_file()
            elif _is_plain_header(self.lines, self.at):
                self._plain_file()
            else:
                self._between(line)
        if not self.parts and not self.refused:
            self._check_harmless()
        return self.parts, self.refused

    def fail(self, number: int, message: str) -> NoReturn:
        raise InputError(f"{self.name}: line {number}: {message}")

    def _between(self, line: str) -> None:
        """A line outside of any file: mail headers, a commit message, a signature."""
        number = self.at + 1
        if line.startswith(("diff --cc ", "diff --combined ", "@@@ ")):
            self.fail(number, "a merge's combined diff has two before sides; give git diff BASE...HEAD")
        if line.startswith("@@ -"):
            self.fail(number, "the hunk has no file header (--- and +++ lines) above it")
        if "\x1b" in line and _STRUCTURE.match(_COLOUR.sub("", line)):
            self.fail(number, "the diff is coloured; make it with --no-color")
        if line.startswith("Binary files ") and line.endswith(" differ"):
            self._plain_binary(line)
        elif line.strip():
            self.batch += 1
        self.at += 1

    def _check_harmless(self) -> None:
        """Text without any file is fine only where there is none, or a commit that changes none."""
        first = next((number for number, line in enumerate(self.lines, 1) if line.strip()), 0)
        if first and not _COMMIT.match(self.lines[first - 1]):
            self.fail(first, "this is not a unified diff (no file header found); give the output of git diff")

    def _git_file(self) -> None:
        start = self.at
        try:
            header = read_git_header(self.lines, start)
        except PathError as error:
            self.fail(start + 1, str(error))
        self.at += header.length
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        binary = (line.startswith("Binary files ") and line.endswith(" differ")) or line == "GIT binary patch"
        shown: tuple[str, str] | None = None
        hunks: tuple[Hunk, ...] = ()
        if binary:
            self._skip_binary()
        elif line.startswith("--- "):
            shown, _ = self._file_lines()
            hunks = self._hunks()
        elif line.startswith("@@"):
            self.fail(self.at + 1, "the hunk has no --- and +++ lines above it")
        elif self.at >= len(self.lines) and header.incomplete:
            self.fail(self.at, "the diff is cut off in a file header")
        old, new = self._git_paths(start, header, shown)
        self._add(old, new, header.status(binary, bool(hunks)), hunks, start + 1, header.mode)

    def _git_paths(
        self, start: int, header: GitHeader, shown: tuple[str, str] | None
    ) -> tuple[str | None, str | None]:
        try:
            paths = header.paths(shown)
        except PathError as error:
            self.fail(start + 1, str(error))
        if paths is None:
            self.fail(start + 1, "the paths of this file header cannot be told apart")
        return paths

    def _plain_file(self) -> None:
        start = self.at
        names, stamps = self._file_lines()
        hunks = self._hunks()
        old, new = strip_prefixes(*names)
        added = names[0] == DEV_NULL or bool(_EPOCH.match(stamps[0]) and _starts_empty(hunks))
        deleted = names[1] == DEV_NULL or bool(_EPOCH.match(stamps[1]) and _ends_empty(hunks))
        status: Status = "added" if added else "deleted" if deleted else "modified"
        self._add(None if added else old, None if deleted else new, status, hunks, start + 1, "")

    def _plain_binary(self, line: str) -> None:
        old, separator, new = line.removeprefix("Binary files ").removesuffix(" differ").partition(" and ")
        if separator:
            try:
                names = strip_prefixes(header_path(old)[0], header_path(new)[0])
            except PathError as error:
                self.fail(self.at + 1, str(error))
            first, second = (None if name == DEV_NULL else name for name in names)
            self._add(first, second, "binary", (), self.at + 1, "")

    def _file_lines(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The paths of the ``---`` and ``+++`` lines, prefixes kept, and their timestamps."""
        number = self.at + 1
        if number >= len(self.lines) or not self.lines[number].startswith("+++ "):
            self.fail(number, "the --- line is not followed by a +++ line")
        try:
            old, old_stamp = header_path(self.lines[self.at][4:])
            new, new_stamp = header_path(self.lines[number][4:])
        except PathError as error:
            self.fail(number, str(error))
        self.at += 2
        return (old, new), (old_stamp, new_stamp)

    def _hunks(self) -> tuple[Hunk, ...]:
        reader = HunkReader(self.name, self.lines, self.at)
        hunks = reader.read()
        self.at = reader.at
        return hunks

    def _skip_binary(self) -> None:
        patch = self.lines[self.at] == "GIT binary patch"
        self.at += 1
        while patch and self.at < len(self.lines) and _BINARY_BODY.fullmatch(self.lines[self.at]):
            self.at += 1

    def _add(
        self,
        old: str | None,
        new: str | None,
        status: Status,
        hunks: tuple[Hunk, ...],
        number: int,
        mode: str,
    ) -> None:
        for path in (old, new):
            why = unsafe(path) if path is not None else None
            if path is not None and why:
                self.refused.append(Refused(path, number, f"{path!r} is not reviewed: {why}."))
                return
        if old is None and new is None:
            self.fail(number, "the file header names no file")
        if (old is not None and status == "added") or (new is not None and status == "deleted"):
            self.fail(number, "the file header says both that the file is added or deleted and that it moved")
        if (old is None and not _starts_empty(hunks)) or (new is None and not _ends_empty(hunks)):
            self.fail(number, "the file is added or deleted, but its hunks do not show it whole")
        file = FileDiff(
            old_path=None if old is None else normal(old),
            new_path=None if new is None else normal(new),
            status=status,
            hunks=hunks,
            whole=status == "added",
            mode=mode,
            diff_line=number,
        )
        self.parts.append(Part(file, self.batch))


def _is_plain_header(lines: Sequence[str], at: int) -> bool:
    return (
        lines[at].startswith("--- ")
        and at + 1 < len(lines)
        and lines[at + 1].startswith("+++ ")
        and (at + 2 == len(lines) or lines[at + 2].startswith("@@"))
    )


def _starts_empty(hunks: Sequence[Hunk]) -> bool:
    return not hunks or (len(hunks) == 1 and hunks[0].old_length == 0 and hunks[0].new_start == 1)


def _ends_empty(hunks: Sequence[Hunk]) -> bool:
    return not hunks or (len(hunks) == 1 and hunks[0].new_length == 0 and hunks[0].old_start == 1)
