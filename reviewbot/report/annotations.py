"""Findings as workflow commands, which GitHub shows as annotations of a run, and as annotations of a check run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.checks.model import Finding, Severity
from reviewbot.language import say
from reviewbot.report.model import Review
from reviewbot.report.terminal import printable
from reviewbot.report.words import severity_word

PER_LEVEL = 10
"""GitHub shows ten annotations of each level a step."""

LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}
CHECK_LEVELS = {Severity.HIGH: "failure", Severity.MEDIUM: "warning", Severity.LOW: "notice"}


def annotations_report(review: Review) -> str:
    """The review as workflow commands, a line each: all of them, though GitHub shows only the first of each level."""
    return "".join(line + "\n" for line in workflow_commands(review.findings, len(review.findings)))


def workflow_commands(findings: Sequence[Finding], per_level: int = PER_LEVEL) -> Iterator[str]:
    """A line for each finding, the worst first; what GitHub would drop is counted in a last line."""
    left = dict.fromkeys(LEVELS, per_level)
    dropped = 0
    for finding in sorted(findings, key=lambda finding: (-finding.severity, finding.span)):
        if not left[finding.severity]:
            dropped += 1
            continue
        left[finding.severity] -= 1
        yield _command(finding)
    if dropped:
        yield say("reviewbot: {dropped} more are in the job summary", dropped=dropped)


def check_annotations(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """The annotations of a check run; columns only where GitHub takes them."""
    return [_annotation(finding) for finding in findings]


def _command(finding: Finding) -> str:
    span = finding.span
    properties = {
        "file": span.path,
        "line": str(span.line),
        "endLine": str(max(span.lines)),
        "title": f"reviewbot: {finding.check} ({severity_word(finding.severity)})",
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{LEVELS[finding.severity]} {listed}::{_data(finding.message)}"


def _annotation(finding: Finding) -> dict[str, object]:
    span = finding.span
    annotation: dict[str, object] = {
        "path": span.path,
        "start_line": span.line,
        "end_line": max(span.lines),
        "annotation_level": CHECK_LEVELS[finding.severity],
        "title": f"{finding.check} ({severity_word(finding.severity)})",
        "message": printable(finding.message)[:10_000],
    }
    if span.line == span.end_line and span.end_column > span.column:
        annotation |= {"start_column": span.column, "end_column": span.end_column - 1}
    return annotation


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
