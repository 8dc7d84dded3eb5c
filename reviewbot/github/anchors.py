"""Where findings can stand in a pull request: GitHub takes comments only on lines that its diff shows.

A comment on several lines must stay within one hunk, with ``start_line`` before ``line``; a suggestion replaces
exactly the lines of its comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reviewbot.checks.model import Edit, Finding, Severity
from reviewbot.diff import FileDiff
from reviewbot.report.inert import plain
from reviewbot.text import SourceText

MAX_SUGGESTION_LINES = 40
"""A longer suggestion hides what it changes: the fix is shown as a diff instead."""


@dataclass(frozen=True)
class Placement:
    """The lines of the after side that a comment stands on."""

    path: str
    start_line: int
    line: int
    """The last line; equal to ``start_line`` for a comment on one line."""
    suggestion: str | None = None
    """What the fix puts in place of these lines, whole lines with their ends; None where it cannot be suggested."""

    @property
    def range(self) -> tuple[str, int, int]:
        """Path, first and last line."""
        return self.path, self.start_line, self.line


@dataclass(frozen=True)
class Reviewed:
    """One file of the review: its text under review and the diff that GitHub shows of it."""

    source: SourceText | None
    change: FileDiff | None
    """None where GitHub shows no diff of it: nothing can be placed there."""


@dataclass(frozen=True)
class Group:
    """One thing to say: a finding, or the same finding at several places."""

    findings: tuple[Finding, ...]
    placements: tuple[Placement | None, ...]
    """For each finding where it can stand; None where it cannot."""

    @property
    def first(self) -> Finding:
        """The finding that the comment speaks of."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        """The severity of all of them."""
        return self.first.severity

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """The identities of all of them."""
        return tuple(finding.fingerprint for finding in self.findings)

    @property
    def placed(self) -> tuple[tuple[Finding, Placement], ...]:
        """The findings that can stand somewhere, best first: those with a suggestion, then in order."""
        pairs = [
            (finding, placement)
            for finding, placement in zip(self.findings, self.placements, strict=True)
            if placement is not None
        ]
        return tuple(sorted(pairs, key=lambda pair: pair[1].suggestion is None))


def groups(findings: Iterable[Finding], files: Mapping[str, Reviewed]) -> tuple[Group, ...]:
    """Findings that say the same, together; the worst first, then by place.  None is lost or repeated."""
    together: dict[tuple[str, str, str, str, Severity], dict[str, Finding]] = {}
    for finding in findings:
        same = (finding.check, finding.rule, finding.key, finding.value, finding.severity)
        together.setdefault(same, {}).setdefault(finding.fingerprint, finding)
    made = []
    for members in together.values():
        ordered = tuple(sorted(members.values(), key=lambda finding: finding.span))
        made.append(
            Group(ordered, tuple(place(finding, files.get(finding.span.path)) for finding in ordered))
        )
    return tuple(sorted(made, key=lambda group: (-group.severity, group.first.span, group.first.check)))


def place(finding: Finding, reviewed: Reviewed | None) -> Placement | None:
    """Where a finding can stand; with its fix as a suggestion where that is possible."""
    if reviewed is None or reviewed.change is None or reviewed.change.status == "deleted":
        return None
    lines = finding.span.lines
    first, last = lines.start, lines.stop - 1
    with_fix = _with_suggestion(finding, reviewed.change, reviewed.source)
    if with_fix is not None:
        return with_fix
    hunk = reviewed.change.hunk_of(first)
    if hunk is None:
        return None
    while reviewed.change.hunk_of(last) != hunk:
        last -= 1
    return Placement(finding.span.path, first, last)


def _with_suggestion(finding: Finding, change: FileDiff, source: SourceText | None) -> Placement | None:
    fix = finding.fix
    if fix is None or not fix.verified or not fix.edits or source is None or source.crlf:
        return None
    if any(edit.path != finding.span.path for edit in fix.edits):
        return None
    lines = finding.span.lines
    first = min(lines.start, *(edit.start_line for edit in fix.edits))
    last = max(lines.stop - 1, *(edit.end_line for edit in fix.edits))
    hunk = change.hunk_of(first)
    if hunk is None or change.hunk_of(last) != hunk or last - first >= MAX_SUGGESTION_LINES:
        return None
    if not all(line.endswith("\n") for line in source.lines[first - 1 : last]):
        return None
    text = replaced(source, first, last, fix.edits)
    if not plain(text) or (text and not text.endswith("\n")):
        return None
    return Placement(finding.span.path, first, last, text)


def replaced(source: SourceText, first: int, last: int, edits: tuple[Edit, ...]) -> str:
    """What edits within the lines ``first`` to ``last`` make of these lines."""
    lines: list[str] = list(source.lines[first - 1 : last])
    for edit in sorted(edits, reverse=True):
        lines[edit.start_line - first : edit.end_line - first + 1] = [edit.text]
    return "".join(lines)
