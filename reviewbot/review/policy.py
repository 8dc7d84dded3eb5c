"""What a user settled about checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from reviewbot.checks.model import Finding, Severity


@dataclass(frozen=True)
class Policy:
    """Checks that say nothing, and severities that replace a check's own."""

    disabled: frozenset[str] = frozenset()
    severities: Mapping[str, Severity] = field(default_factory=dict)

    def applied(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """The findings that may be said, in their order."""
        return tuple(
            replace(finding, severity=self.severities.get(finding.check, finding.severity))
            for finding in findings
            if finding.check not in self.disabled
        )
