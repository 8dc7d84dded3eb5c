"""Which findings belong to the change under review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from reviewbot.checks.model import Finding, Severity
from reviewbot.diff import FileDiff


def in_scope(
    findings: tuple[Finding, ...],
    added_lines: frozenset[int],
    path: str,
    before: Callable[[], tuple[Finding, ...]] | None,
) -> tuple[Finding, ...]:
    """The findings that a change brought: on an added line, fed by one, or absent before the change.

    ``before`` gives the findings on the text before the change; it is called only where
    some finding touches no added line.  None: there was no text before, or it is not known.
    """
    kept: list[Finding] = []
    rest: list[Finding] = []
    for finding in findings:
        spans = [finding.span, *finding.causes, *finding.partners]
        if any(span.path == path and any(line in added_lines for line in span.lines) for span in spans):
            kept.append(replace(finding, in_diff=True))
        else:
            rest.append(finding)
    if rest and before is not None:
        old = Counter((_identity(finding), finding.severity) for finding in before())
        for finding in rest:
            identity: tuple[tuple[str, str, str], Severity] = (_identity(finding), finding.severity)
            if old[identity]:
                old[identity] -= 1
            else:
                kept.append(replace(finding, in_diff=False))
    return tuple(sorted(kept, key=lambda finding: (finding.span, finding.check)))


def changed_lines(change: FileDiff) -> frozenset[int]:
    """The added lines that say something new: not those that were only indented, moved or continued otherwise."""
    changed: set[int] = set()
    for hunk in change.hunks:
        removed = Counter(_bare(line.text) for line in hunk.lines if line.kind == "removed")
        for line in hunk.lines:
            if line.kind != "added" or line.new_line is None:
                continue
            if removed[_bare(line.text)]:
                removed[_bare(line.text)] -= 1
            else:
                changed.add(line.new_line)
    return frozenset(changed)


def _bare(text: str) -> str:
    """A line without its indentation and continuation."""
    return text.strip().removesuffix("\\").rstrip()


def _identity(finding: Finding) -> tuple[str, str, str]:
    return finding.check, finding.key, finding.value
