"""Words that all reports share."""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.checks.model import Finding, Severity
from reviewbot.language import later, say
from reviewbot.review.review import FileReview

_SEVERITIES = {Severity.HIGH: later("high"), Severity.MEDIUM: later("medium"), Severity.LOW: later("low")}
_COUNTS = {
    Severity.HIGH: later("{count} high"),
    Severity.MEDIUM: later("{count} medium"),
    Severity.LOW: later("{count} low"),
}
_CONFIDENCES = {"certain": later("certain"), "likely": later("likely")}


def severity_word(severity: Severity) -> str:
    """``high``."""
    return say(_SEVERITIES[severity])


def confidence_word(confidence: str) -> str:
    """``likely``."""
    return say(_CONFIDENCES[confidence])


def hidden_in_words(files: Sequence[FileReview]) -> str:
    """How many findings comments silence and a baseline holds: the end of a sentence, empty for none."""
    suppressed = sum(file.suppressed for file in files)
    known = sum(file.known for file in files)
    return (say("; {count} suppressed", count=suppressed) if suppressed else "") + (
        say("; {count} in the baseline", count=known) if known else ""
    )


def counts_in_words(findings: Sequence[Finding]) -> str:
    """``2 high, 1 medium``."""
    severities = [finding.severity for finding in findings]
    return say(", ").join(
        say(_COUNTS[severity], count=severities.count(severity))
        for severity in sorted(Severity, reverse=True)
        if severity in severities
    )
