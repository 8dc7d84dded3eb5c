"""What every report is made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from reviewbot.checks.model import Finding, Severity
from reviewbot.review.review import FileReview


@dataclass(frozen=True)
class Review:
    """The outcome of one run of ``check``."""

    framework: str
    version: str
    source: str
    """Where the knowledge comes from, for people: ``verl 0.9.1 (bundled)``."""
    origin: str
    """``bundled`` or ``source``."""
    files: tuple[FileReview, ...]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the files."""
        return tuple(finding for file in self.files for finding in file.findings)

    @cached_property
    def counts(self) -> Counter[Severity]:
        """How many findings of each severity."""
        return Counter(finding.severity for finding in self.findings)
