"""The examples of rules: each is a small launch that the rule must speak of, or must not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from reviewbot.checks.model import Finding, Severity
from reviewbot.checks.ruled import CHECK_OF
from reviewbot.knowledge.environment.in_use import BY_NAME
from reviewbot.knowledge.rules import Rule
from reviewbot.knowledge.store import FRAMEWORKS, Knowledge, bundled_versions, open_knowledge
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText

_NAME = "example.sh"


@dataclass(frozen=True)
class Failure:
    """An example that does not say what its rule claims."""

    rule: Rule
    example: str
    why: str

    def __str__(self) -> str:
        return f"{self.rule.origin}: {self.rule.id}: {self.why}: {self.example}"


def failing_examples(rule: Rule, knowledge: Callable[[Rule], Knowledge]) -> Iterator[Failure]:
    """Run the examples of a rule; ``knowledge`` gives what to review with."""
    known = knowledge(rule)
    for example in rule.bad:
        if not any(_speaks(rule, finding) for finding in _findings(rule, example, known)):
            yield Failure(rule, example, "a bad example is not reported")
    for example in rule.good:
        found = [finding for finding in _findings(rule, example, known) if _speaks(rule, finding)]
        if found:
            yield Failure(rule, example, f"a good example is reported ({found[0].message})")


def messages_on(rule: Rule, example: str, knowledge: Knowledge) -> tuple[str, ...]:
    """What reviews say, by the rule or with it, about an example of it."""
    found = _findings(rule, example, knowledge)
    return tuple(finding.message for finding in found if _speaks(rule, finding))


@cache
def _bundled(version: str, engines: tuple[tuple[str, str], ...] = ()) -> Knowledge:
    return open_knowledge(source=None, source_name="", version=version, engines=dict(engines))


def _engines(rule: Rule) -> tuple[tuple[str, str], ...]:
    """For each engine that a rule names the newest known release that it speaks of."""
    from packaging.specifiers import SpecifierSet

    known = _bundled(bundled_versions(FRAMEWORKS[0])[-1]).engines
    chosen = []
    for name, wanted in rule.engines.items():
        fitting = list(SpecifierSet(wanted).filter(known.names(BY_NAME[name]).versions, prereleases=True))
        chosen += [(name, fitting[-1])] if fitting else []
    return tuple(chosen)


def knowledge_for(rule: Rule) -> Knowledge:
    """The newest bundled release that a rule covers and its evidence stands in; else the newest of all."""
    versions = bundled_versions(FRAMEWORKS[0])
    if rule.basis == "policy":
        fitting = [version for version in versions if rule.covers(version)]
        known = open_knowledge(source=None, source_name="", version=(fitting or versions)[-1])
        known.more_rules = (rule,)
        return known
    for version in reversed(versions):
        stands = rule.basis == "facts" or _bundled(version).rule_line(rule) is not None
        if rule.covers(version) and stands:
            return _bundled(version, _engines(rule))
    return _bundled(versions[-1])


def _speaks(rule: Rule, finding: Finding) -> bool:
    """Whether a finding is the rule's, or one that the rule only adds to."""
    checks = (CHECK_OF[rule.effect], "unknown-key")
    return rule.matches(finding.key) and finding.check in checks and finding.rule in ("", rule.id)


def _findings(rule: Rule, example: str, knowledge: Knowledge) -> tuple[Finding, ...]:
    words = " ".join(f"'{word}'" for word in example.split())
    script = f"python3 -m {_entry_point(rule, knowledge)} {words}\n"
    return Reviewer(knowledge, min_severity=Severity.LOW).whole(SourceText(_NAME, script)).findings


def _entry_point(rule: Rule, knowledge: Knowledge) -> str:
    default = knowledge.framework.main_entry_point
    modules = [default, *(entry.module for entry in knowledge.entry_points)]
    return next((module for module in modules if rule.speaks_of(module)), default)
