"""Findings about an override."""

from __future__ import annotations

from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.recipe import touched
from reviewbot.config.model import Override
from reviewbot.knowledge.model import Evidence
from reviewbot.text import Span


def finding_on(
    override: Override,
    *,
    check: str,
    severity: Severity,
    message: str,
    rule: str = "",
    confidence: str = "certain",
    evidence: tuple[Evidence, ...] = (),
    intent: Intent | None = None,
    partners: tuple[Span, ...] = (),
    related: tuple[tuple[Span, str], ...] = (),
) -> Finding:
    """A finding at the place where an override is written, caused by all that feeds it; see :class:`Finding`."""
    return Finding(
        check=check,
        severity=severity,
        span=override.word.span,
        key=override.key,
        value=override.value_text or "…",
        message=message,
        rule=rule,
        confidence=confidence,
        evidence=evidence,
        intent=intent,
        causes=touched(override.word),
        partners=partners,
        related=related,
    )
