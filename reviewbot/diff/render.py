"""Two texts → the unified diff between them, as git writes it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from reviewbot.diff.model import FileDiff
from reviewbot.diff.parse import parse_patch
from reviewbot.text import SourceText

_NO_NEWLINE = "\\ No newline at end of file\n"


def file_patch(before: SourceText, after: SourceText) -> str:
    """The hunks between two texts of one file, without a file header; empty where they are the same."""
    return "".join(_hunks(before, after))


def change_between(before: SourceText, after: SourceText) -> FileDiff:
    """The same as a change that can be composed with others."""
    return parse_patch(after.path, before.path, "modified", file_patch(before, after))


def _hunks(before: SourceText, after: SourceText) -> Iterator[str]:
    lines = unified_diff(before.lines, after.lines, n=3)
    for line in list(lines)[2:]:
        yield line
        if not line.endswith("\n"):
            yield "\n" + _NO_NEWLINE
