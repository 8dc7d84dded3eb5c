"""Markdown: a table of recipes, the findings with their fixes, what was not reviewed."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.checks.model import Finding, Fix, Severity
from reviewbot.checks.wording import plural
from reviewbot.language import say
from reviewbot.report.inert import cell_code, code, fence, message, prose
from reviewbot.report.model import Review
from reviewbot.report.terminal import printable
from reviewbot.report.words import confidence_word, counts_in_words, hidden_in_words, severity_word
from reviewbot.review.review import FileReview
from reviewbot.text import SourceText


def table_head() -> str:
    """The head of the table of recipes, with a line end."""
    return say("| Recipe | High | Medium | Low | Read |") + "\n| --- | --- | --- | --- | --- |\n"


def markdown_report(review: Review) -> str:
    """The review as Markdown text with a line end; nothing that a recipe wrote has any effect in it."""
    parts = [_head(review)]
    rows = [table_row(file) for file in review.files if file.findings or file.status != "reviewed"]
    if rows:
        parts.append(table_head() + "\n".join(rows))
    sources = {file.path: file.source for file in review.files}
    findings = sorted(review.findings, key=lambda finding: (-finding.severity, finding.span))
    parts.extend(_finding(finding, sources.get(finding.span.path)) for finding in findings)
    left = [not_reviewed(file) for file in review.files if file.status != "reviewed" and file.why]
    if left:
        parts.append(say("Not reviewed, or only in part:\n\n") + "\n".join(left))
    if review.source:
        parts.append(say("Reviewed against {source}.", source=prose(review.source)))
    return "\n\n".join(parts) + "\n"


def table_row(file: FileReview) -> str:
    """A row of the table under ``table_head``."""
    severities = [finding.severity for finding in file.findings]
    counts = " | ".join(str(severities.count(severity) or "") for severity in sorted(Severity, reverse=True))
    read = {"reviewed": say("whole"), "partly": say("in part"), "skipped": say("no")}.get(
        file.status, file.status
    )
    return f"| {cell_code(file.path)} | {counts} | {read} |"


def not_reviewed(file: FileReview) -> str:
    """An item of a list: what was not reviewed of a file, and why."""
    how = say("read in part") if file.status == "partly" else say("not reviewed")
    return say("- {path}: {how}: {why}", path=code(file.path), how=how, why=message(file.why))


def diff_block(fix: Fix, source: SourceText) -> str:
    """The edits of a fix as a fenced diff."""
    lines: list[str] = []
    for edit in fix.edits:
        lines.append(say("@@ line {line} @@", line=edit.start_line))
        lines.extend("-" + printable(source.line(n)) for n in range(edit.start_line, edit.end_line + 1))
        new = SourceText(edit.path, edit.text)
        lines.extend("+" + printable(new.line(number)) for number in range(1, len(new.lines) + 1))
    return fence("".join(line + "\n" for line in lines), "diff")


def sentence(fix: Fix) -> str:
    """The description of a fix, with a full stop."""
    text = message(fix.description)
    return text if text.endswith((".", "。")) else text + say(".")


def _head(review: Review) -> str:
    reviewed = sum(1 for file in review.files if file.status != "skipped")
    if not review.findings:
        return say(
            "### reviewbot: nothing found\n\n{count} reviewed{hidden}.",
            count=plural(reviewed, "recipe"),
            hidden=hidden_in_words(review.files),
        )
    found = plural(len(review.findings), "finding")
    return say(
        "### reviewbot: {found}\n\n{counts_in_words} in {count} reviewed{hidden}.",
        found=found,
        counts_in_words=counts_in_words(review.findings),
        count=plural(reviewed, "recipe"),
        hidden=hidden_in_words(review.files),
    )


def _finding(finding: Finding, source: SourceText | None) -> str:
    return "\n\n".join(_paragraphs(finding, source))


def _paragraphs(finding: Finding, source: SourceText | None) -> Iterator[str]:
    likely = "" if finding.confidence == "certain" else f" ({prose(confidence_word(finding.confidence))})"
    yield f"#### {code(f'{finding.span.path}:{finding.span.line}')} {code(finding.check)}"
    yield f"**{severity_word(finding.severity).capitalize()}**{likely}: {message(finding.message)}"
    if finding.evidence:
        places = (
            code(f"{item.path}:{item.line}") + (f" ({code(item.symbol)})" if item.symbol else "")
            for item in finding.evidence
        )
        yield say("Evidence: ") + "; ".join(places)
    if finding.fix is not None:
        yield say("Fix: {fix}", fix=sentence(finding.fix))
        if finding.fix.edits and source is not None:
            yield diff_block(finding.fix, source)
