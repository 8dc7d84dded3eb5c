"""A review → the text with its proved fixes applied, each proved on the text that it is applied to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from reviewbot.checks.model import Finding
from reviewbot.diff import FileDiff
from reviewbot.diff.compose import compose
from reviewbot.diff.render import change_between
from reviewbot.review.edits import apply_edits, line_edits
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.text import SourceText

MAX_FIXES = 500
"""Each fix takes a finding away and brings none, so this is only ever reached by a mistake of ours."""


@dataclass(frozen=True)
class FixedFile:
    """A file before and after its fixes."""

    before: FileReview
    after: FileReview
    """What is left to say; the same as ``before`` where nothing can be fixed."""
    fixed: tuple[Finding, ...] = ()

    @property
    def lines(self) -> frozenset[int]:
        """The lines of the file as it is now that the fixes touch."""
        if self.before.source is None or self.after.source is None:
            return frozenset()
        edits = line_edits(self.before.source, self.after.source.text)
        return frozenset(line for edit in edits for line in range(edit.start_line, edit.end_line + 1))


def fix_whole(reviewer: Reviewer, source: SourceText) -> FixedFile:
    """Fix what a review of the whole file says."""
    return _fixed(reviewer.whole(source), reviewer.whole)


def fix_changed(reviewer: Reviewer, source: SourceText, change: FileDiff) -> FixedFile:
    """Fix what a review says of a change; the fixes become part of the change."""

    def again(text: SourceText) -> FileReview:
        composed = compose(change, change_between(source, text))
        return reviewer.changed(text, composed) if composed is not None else reviewer.whole(text)

    return _fixed(reviewer.changed(source, change), again)


def _fixed(before: FileReview, again: Callable[[SourceText], FileReview]) -> FixedFile:
    review = before
    fixed: list[Finding] = []
    while len(fixed) < MAX_FIXES and review.source is not None:
        # From the last line up, so that the lines of the fixes above stay as they were told.
        proved = (item for item in reversed(review.findings) if _is_proved(item, review.source.path))
        finding = next(proved, None)
        if finding is None or finding.fix is None:
            break
        review = again(replace(review.source, text=apply_edits(review.source, finding.fix.edits)))
        fixed.append(finding)
    return FixedFile(before, review, tuple(sorted(fixed, key=lambda finding: finding.span)))


def _is_proved(finding: Finding, path: str) -> bool:
    fix = finding.fix
    return fix is not None and fix.verified and all(edit.path == path for edit in fix.edits)
