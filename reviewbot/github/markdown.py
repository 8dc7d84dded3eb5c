"""Findings → the bodies of inline comments and of reviews."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reviewbot.checks.model import Finding
from reviewbot.checks.wording import plural
from reviewbot.github.anchors import Group, Placement
from reviewbot.github.links import Links
from reviewbot.github.marker import FindingMarker, ReviewMarker
from reviewbot.language import say
from reviewbot.report.inert import code, fence, message, prose
from reviewbot.report.markdown_report import diff_block, sentence
from reviewbot.report.words import confidence_word, severity_word
from reviewbot.text import SourceText

MAX_PLACES = 40
_SUGGESTION = re.compile(r"^(`{3,})suggestion$", re.MULTILINE)
MAX_BODY = 60_000
"""GitHub takes 65,536 characters; bodies are cut on the border of an item well below."""


def comment_body(
    group: Group, finding: Finding, placement: Placement | None, source: SourceText | None, links: Links
) -> str:
    """The inline comment of a group that stands where ``finding`` does, its marker included."""
    marker = str(FindingMarker(group.fingerprints))
    body = _body(group, finding, placement, source, links)
    if len(body) + len(marker) > MAX_BODY:
        body = _body(group, finding, None, None, links)
    return f"{body}\n\n{marker}"


def _body(
    group: Group, finding: Finding, placement: Placement | None, source: SourceText | None, links: Links
) -> str:
    likely = "" if finding.confidence == "certain" else f" ({prose(confidence_word(finding.confidence))})"
    parts = [f"**{severity_word(finding.severity).capitalize()}**{likely}: {message(finding.message)}"]
    if finding.evidence:
        parts.append(say("Evidence: ") + "; ".join(_evidence(finding, links)))
    parts.extend(_fix(finding, placement, source))
    others = [other for other in group.findings if other is not finding]
    if others:
        parts.append(_places(others, links))
    parts.append(_details(finding, links))
    return "\n\n".join(parts)


def review_body(inline: int, total: int, marker: ReviewMarker) -> str:
    """What stands above the inline comments of one run."""
    said = plural(inline, "setting that needs a look", "settings that need a look")
    rest = total - inline
    more = (
        say(" {count} in the summary comment.", count=plural(rest, "more is", "more are")) if rest > 0 else ""
    )
    return f"{said}.{more}\n\n{marker}"


def withdrawn_body(body: str, why: str) -> str:
    """A comment that the bot withdraws: why, then what it said, folded.  ``body`` has no marker."""
    said = _SUGGESTION.sub(r"\1", body.strip())
    return say(
        "{why}\n\n<details><summary>What was said</summary>\n\n{said}\n\n</details>", why=why, said=said
    )


def item(finding: Finding, links: Links) -> str:
    """A finding as an item of a list: severity, place, message, fix in words."""
    span = finding.span
    where = links.head_line(span.path, span.line, span.end_line)
    fix = "" if finding.fix is None else say(" Fix: {fix}", fix=sentence(finding.fix))
    return (
        f"- **{severity_word(finding.severity).capitalize()}** {where} {links.check(finding.check)}: "
        f"{message(finding.message)}{fix}"
    )


def _evidence(finding: Finding, links: Links) -> Iterable[str]:
    for evidence in finding.evidence:
        symbol = f" ({code(evidence.symbol)})" if evidence.symbol else ""
        yield links.evidence(evidence) + symbol


def _fix(finding: Finding, placement: Placement | None, source: SourceText | None) -> Iterable[str]:
    fix = finding.fix
    if fix is None:
        return
    if placement is not None and placement.suggestion is not None:
        yield say("Suggested fix: {fix}", fix=sentence(fix))
        yield fence(placement.suggestion, "suggestion")
        return
    yield say("Fix: {fix}", fix=sentence(fix))
    if source is not None and fix.edits:
        yield diff_block(fix, source)
        if source.crlf:
            yield say(
                "The file has Windows line ends, which an applied suggestion would change: hence no "
                "suggestion."
            )


def _places(findings: list[Finding], links: Links) -> str:
    lines = [say("The same holds at:"), ""]
    for finding in findings[:MAX_PLACES]:
        fix = "" if finding.fix is None else f": {sentence(finding.fix)}"
        lines.append(f"- {links.head_line(finding.span.path, finding.span.line, finding.span.end_line)}{fix}")
    if len(findings) > MAX_PLACES:
        lines.append(say("- and {count} more", count=len(findings) - MAX_PLACES))
    return "\n".join(lines)


def _details(finding: Finding, links: Links) -> str:
    lines = [say("<details><summary>Where the value comes from, and how to silence this</summary>"), ""]
    path = " → ".join(_path_of_value(finding, links))
    lines.append(say("- Path of the value: {path}", path=path))
    if finding.rule:
        lines.append(f"- Rule: {code(finding.rule)}")
    lines.append(f"- Check: {links.check(finding.check)}")
    silence = code(f"# reviewbot: ignore[{finding.check}] {say('reason')}")
    lines.append(
        say("- To silence it, put {silence} on the line above the command or array.", silence=silence)
    )
    return "\n".join([*lines, "", "</details>"])


def _path_of_value(finding: Finding, links: Links) -> Iterable[str]:
    """Shell variable, override, config key, what the server makes of it: as far as the finding knows them."""
    seen = {finding.span}
    for span in sorted(span for span in finding.causes if span not in seen):
        if span not in seen:
            seen.add(span)
            yield say(
                "assigned at {head_line}", head_line=links.head_line(span.path, span.line, span.end_line)
            )
    yield say(
        "override at {head_line}",
        head_line=links.head_line(finding.span.path, finding.span.line, finding.span.end_line),
    )
    if finding.key:
        yield f"{code(finding.key)} = {code(finding.value)}" if finding.value else code(finding.key)
    for span, words in finding.related:
        yield f"{links.head_line(span.path, span.line, span.end_line)} {code(words)}"
    for evidence in finding.evidence[:1]:
        yield say("{check} at {evidence}", check=prose(finding.check), evidence=links.evidence(evidence))
