"""Markdown: a table of recipes, the findings with their fixes, what was not reviewed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.checks.model import Finding, Fix, Severity
from reviewbot.checks.wording import plural
from reviewbot.report.inert import cell_code, code, fence, message, prose
from reviewbot.report.model import Review
from reviewbot.report.terminal import printable
from reviewbot.review.review import FileReview
from reviewbot.text import SourceText

TABLE_HEAD = "| Recipe | High | Medium | Low | Read |\n| --- | --- | --- | --- | --- |\n"


def markdown_report(review: Review) -> str:
    """The review as Markdown text with a line end; nothing that a recipe wrote has any effect in it."""
    parts = [_head(review)]
    rows = [table_row(file) for file in review.files if file.findings or file.status != "reviewed"]
    if rows:
        parts.append(TABLE_HEAD + "\n".join(rows))
    sources = {file.path: file.source for file in review.files}
    findings = sorted(review.findings, key=lambda finding: (-finding.severity, finding.span))
    parts.extend(_finding(finding, sources.get(finding.span.path)) for finding in findings)
    left = [not_reviewed(file) for file in review.files if file.status != "reviewed" and file.why]
    if left:
        parts.append("Not reviewed, or only in part:\n\n" + "\n".join(left))
    if review.source:
        parts.append(f"Reviewed against {prose(review.source)}.")
    return "\n\n".join(parts) + "\n"


def counts_in_words(findings: Sequence[Finding]) -> str:
    """``2 high, 1 medium``."""
    severities = [finding.severity for finding in findings]
    return ", ".join(
        f"{severities.count(severity)} {severity.word}"
        for severity in sorted(Severity, reverse=True)
        if severity in severities
    )


def table_row(file: FileReview) -> str:
    """A row of the table under ``TABLE_HEAD``."""
    severities = [finding.severity for finding in file.findings]
    counts = " | ".join(str(severities.count(severity) or "") for severity in sorted(Severity, reverse=True))
    read = {"reviewed": "whole", "partly": "in part", "skipped": "no"}.get(file.status, file.status)
    return f"| {cell_code(file.path)} | {counts} | {read} |"


def not_reviewed(file: FileReview) -> str:
    """An item of a list: what was not reviewed of a file, and why."""
    how = "read in part" if file.status == "partly" else "not reviewed"
    return f"- {code(file.path)}: {how}: {message(file.why)}"


def diff_block(fix: Fix, source: SourceText) -> str:
    """The edits of a fix as a fenced diff."""
    lines: list[str] = []
    for edit in fix.edits:
        lines.append(f"@@ line {edit.start_line} @@")
        lines.extend("-" + printable(source.line(n)) for n in range(edit.start_line, edit.end_line + 1))
        new = SourceText(edit.path, edit.text)
        lines.extend("+" + printable(new.line(number)) for number in range(1, len(new.lines) + 1))
    return fence("".join(line + "\n" for line in lines), "diff")


def sentence(fix: Fix) -> str:
    """The description of a fix, with a full stop."""
    text = message(fix.description)
    return text if text.endswith(".") else text + "."


def _head(review: Review) -> str:
    reviewed = sum(1 for file in review.files if file.status != "skipped")
    if not review.findings:
        return f"### reviewbot: nothing found\n\n{plural(reviewed, 'recipe')} reviewed."
    found = plural(len(review.findings), "finding")
    return f"### reviewbot: {found}\n\n{counts_in_words(review.findings)} in {plural(reviewed, 'recipe')} reviewed."


def _finding(finding: Finding, source: SourceText | None) -> str:
    return "\n\n".join(_paragraphs(finding, source))


def _paragraphs(finding: Finding, source: SourceText | None) -> Iterator[str]:
    likely = "" if finding.confidence == "certain" else f" ({prose(finding.confidence)})"
    yield f"#### {code(f'{finding.span.path}:{finding.span.line}')} {code(finding.check)}"
    yield f"**{finding.severity.word.capitalize()}**{likely}: {message(finding.message)}"
    if finding.evidence:
        places = (
            code(f"{item.path}:{item.line}") + (f" ({code(item.symbol)})" if item.symbol else "")
            for item in finding.evidence
        )
        yield "Evidence: " + "; ".join(places)
    if finding.fix is not None:
        yield f"Fix: {sentence(finding.fix)}"
        if finding.fix.edits and source is not None:
            yield diff_block(finding.fix, source)
