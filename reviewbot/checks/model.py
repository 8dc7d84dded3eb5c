"""Findings."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import IntEnum

from reviewbot.knowledge.model import Evidence
from reviewbot.text import Span


class Severity(IntEnum):
    """How bad it is."""

    LOW = 1
    """Works, but deprecated, repeated, equal to the default, or obsolete with its intent met anyway."""
    MEDIUM = 2
    """The setting never reaches anything at this version, though the outcome may happen to agree."""
    HIGH = 3
    """Refused at start, or what runs is not what was asked."""

    @property
    def word(self) -> str:
        """``low``, ``medium`` or ``high``."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A word to write anew: in the word as written at ``span``, ``old`` becomes ``new``."""

    span: Span
    old: str
    """Must stand in the word as written; the first occurrence is replaced."""
    new: str
    result: str | None
    """What bash must make of the word afterwards; None where that is not known (only its key is compared)."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a fix wants to do to a script's words; ``review`` turns it into edits and proves them."""

    description: str
    """One imperative sentence."""
    remove: tuple[Span, ...] = ()
    """Words to delete, as written."""
    rewrite: tuple[Rewrite, ...] = ()
    delete_lines: tuple[tuple[int, int], ...] = ()
    """Whole lines to delete, first and last, 1-based: blank lines and comments that end a command early."""
    strip_lines: tuple[int, ...] = ()
    """Lines to free of the blanks after their ``\\``."""
    gains: tuple[Span, ...] = ()
    """Words that a command gets back at its end."""
    unset: tuple[str, ...] = ()
    """Environment variables that the script no longer exports."""


@dataclass(frozen=True, order=True, slots=True)
class Edit:
    """Lines ``start_line`` to ``end_line`` (inclusive, 1-based) replaced by ``text``, whole lines with their ends."""

    path: str
    start_line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change to the script."""

    description: str
    edits: tuple[Edit, ...]
    verified: bool


@dataclass(frozen=True)
class Finding:
    """One thing that a review says."""

    check: str
    severity: Severity
    span: Span
    key: str
    value: str
    """The value as text, resolved where known."""
    message: str
    rule: str = ""
    confidence: str = "certain"
    """``certain``, or ``likely`` where a default that the environment may change decides."""
    evidence: tuple[Evidence, ...] = ()
    intent: Intent | None = None
    fix: Fix | None = None
    causes: tuple[Span, ...] = ()
    """Every place that feeds what the finding speaks of: a change there counts as a change to the finding."""
    partners: tuple[Span, ...] = ()
    """Other places that take part, such as the override that wins: a change there counts too."""
    related: tuple[tuple[Span, str], ...] = ()
    """Other lines to point to, with a few words each."""
    in_diff: bool = False
    occurrence: int = field(default=0, compare=False)
    """Counts findings that are alike but for their line, from 0."""

    @property
    def fingerprint(self) -> str:
        """An identity that survives moved lines and reworded messages."""
        parts = (self.check, self.rule, self.span.path, self.key, self.value, str(self.occurrence))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
