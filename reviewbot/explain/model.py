"""Explanations."""

from __future__ import annotations

from dataclasses import dataclass

from reviewbot.config.model import Plain
from reviewbot.knowledge.model import Evidence
from reviewbot.knowledge.rules import Rule
from reviewbot.review.review import FileReview


@dataclass(frozen=True)
class Default:
    """A value that the config files give a key."""

    value: Plain
    entry_points: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """The declaration of a key in a config class."""

    type: str
    default: str | None
    class_name: str
    evidence: Evidence


NOT_JUDGED = "not-judged"
"""``Reader.how`` where all that is known is that no run is known that does not read it."""


@dataclass(frozen=True)
class Reader:
    """Code that reads a key."""

    evidence: Evidence | None
    """None where the facts only say that it is read."""
    how: str
    """``read``, or what else becomes of the value: a verdict of ``knowledge.reads``."""
    entry_points: tuple[str, ...]
    when: str = ""


@dataclass(frozen=True)
class Unread:
    """Runs in which nothing works with the value of a key."""

    verdict: str
    entry_points: tuple[str, ...]
    when: str
    """A condition; empty: any run."""
    into: tuple[str, ...] = ()
    by_default: bool = False
    """Whether the condition holds where a recipe sets nothing else."""


@dataclass(frozen=True)
class Argument:
    """A server argument that a key takes part in."""

    backend: str
    argument: str
    stage: str
    """See ``ServerWrite.stage``."""
    value: str
    when: str
    own_key: str
    """The key that sets the same argument directly."""
    evidence: Evidence


@dataclass(frozen=True)
class Write:
    """What the framework does to a key, or a server to the engine argument that it is."""

    stage: str
    """``after``, ``merge``, ``default``, ``before``, ``conflict`` (see ``ServerWrite.stage``), ``passed`` (on as it
    is), ``not-taken``; ``config`` for a config key that the framework's code assigns."""
    value: str
    when: str
    feeds: tuple[str, ...]
    evidence: Evidence


@dataclass(frozen=True)
class Condition:
    """What must hold for a key, or the run ends at start."""

    key: str
    requires: str
    when: str
    keys: tuple[str, ...]
    """All keys that take part."""
    spares_default: bool
    """Whether nothing is required while the key has its default."""
    default: Plain
    evidence: Evidence
    entry_points: tuple[str, ...] = ()
    """Those that require it; empty where all do that have the key."""


@dataclass(frozen=True)
class Period:
    """Bundled releases in a row in which the same holds for a key."""

    first: str
    last: str
    state: str
    """``config`` (in the config files), ``field`` (of a config class only), ``absent``, or a stage of ``Write``."""
    detail: str = ""
    """The default; the condition of the write."""


@dataclass(frozen=True)
class Advice:
    """What a rule sets instead of, or to, a key."""

    rule: str
    instead_of: str
    """A key, or a pattern of keys."""
    key: str
    value: str
    """An expression; empty: the value that the old key had."""


@dataclass(frozen=True)
class KeyExplanation:
    """What is known about a config key."""

    key: str
    source: str
    defaults: tuple[Default, ...]
    children: tuple[str, ...]
    field: Field | None
    backend: str
    """The engine that the key is an argument of; empty: none."""
    readers: tuple[Reader, ...]
    unread: tuple[Unread, ...]
    writes: tuple[Write, ...]
    arguments: tuple[Argument, ...]
    constraints: tuple[Condition, ...]
    followers: tuple[str, ...]
    """Keys that take its value unless they are set."""
    history: tuple[Period, ...]
    renamed: str | None
    old_names: tuple[str, ...]
    advice: tuple[Advice, ...]
    rules: tuple[Rule, ...]

    @property
    def known(self) -> bool:
        """Whether anything is known about the key at any bundled release."""
        there = any(period.state != "absent" for period in self.history)
        return bool(self.defaults or self.field or self.backend or self.rules or self.renamed or there)


@dataclass(frozen=True)
class Example:
    """A script, and what a review says about it."""

    script: str
    review: FileReview
    source: str
    """Which knowledge it was reviewed with."""


@dataclass(frozen=True)
class CheckExplanation:
    """What a check says and why."""

    check: str
    says: str
    why: str
    """Paragraphs of Markdown."""
    source: str
    bad: Example
    good: Example
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class RuleExample:
    """Overrides, and what the rule says about them."""

    overrides: str
    messages: tuple[str, ...]


@dataclass(frozen=True)
class RuleExplanation:
    """A curated rule and where it stands."""

    rule: Rule
    check: str
    source: str
    evidence: Evidence | None
    releases: tuple[str, ...]
    """The bundled releases that the rule speaks of and in which its evidence stands."""
    bad: tuple[RuleExample, ...]
    good: tuple[RuleExample, ...]


Explanation = KeyExplanation | CheckExplanation | RuleExplanation
