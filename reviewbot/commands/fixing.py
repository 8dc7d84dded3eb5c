"""``check --fix``: which files may be written, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from reviewbot.commands.replacing import replace_file
from reviewbot.diff import parse_diff
from reviewbot.git import repository_root, uncommitted_diff
from reviewbot.report.fix_report import Applied
from reviewbot.review.fixing import FixedFile
from reviewbot.review.review import FileReview


@dataclass
class Fixer:
    """Writes the fixes of one run."""

    dirty: bool = False
    """Whether lines may be written that have uncommitted changes."""
    applied: list[Applied] = field(default_factory=list)
    failed: bool = False
    """Whether a file could not be written."""

    def write(self, file: Path, fixed: FixedFile) -> FileReview:
        """Write a file's fixes, or note why not; returns what is left to say about the file."""
        before, after = fixed.before.source, fixed.after.source
        if not fixed.fixed or before is None or after is None:
            return fixed.after
        why = "" if self.dirty else _dirty(file, fixed)
        if not why:
            why = replace_file(file, before.text.encode("utf-8"), after.text.encode("utf-8"))
            self.failed = self.failed or bool(why)
        self.applied.append(Applied(before, after, fixed.fixed, why))
        return fixed.before if why else fixed.after


def _dirty(file: Path, fixed: FixedFile) -> str:
    """Why the lines that the fixes touch must not be written; empty where they are as committed.

    A hunk is what git shows as one: a fix within three lines of another change could not be told from it.
    Outside of a repository there is nothing to compare with.
    """
    if repository_root(file.parent) is None:
        return ""
    diff = uncommitted_diff(file)
    if diff is None:
        return "is not committed; commit it first, or give --fix-dirty"
    for change in parse_diff(diff, f"the uncommitted changes of {file}").files:
        for line in sorted(fixed.lines):
            if change.status == "binary" or change.hunk_of(line) is not None:
                return f"has uncommitted changes around line {line}; commit them first, or give --fix-dirty"
    return ""
