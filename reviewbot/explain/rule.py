"""A curated rule: what it says, and where it stands."""

from __future__ import annotations

from reviewbot.checks.ruled import CHECK_OF
from reviewbot.explain.model import RuleExample, RuleExplanation
from reviewbot.knowledge.rules import Rule
from reviewbot.knowledge.store import Knowledge, bundled_versions, open_knowledge
from reviewbot.review.rule_examples import messages_on


def explain_rule(rule: Rule, knowledge: Knowledge) -> RuleExplanation:
    """What there is to say about a rule; its examples are reviewed with this knowledge."""
    return RuleExplanation(
        rule,
        CHECK_OF[rule.effect],
        knowledge.source,
        knowledge.rule_evidence(rule),
        tuple(version for version in bundled_versions(knowledge.framework) if _stands(rule, version)),
        tuple(RuleExample(text, messages_on(rule, text, knowledge)) for text in rule.bad),
        tuple(RuleExample(text, messages_on(rule, text, knowledge)) for text in rule.good),
    )


def _stands(rule: Rule, version: str) -> bool:
    if not rule.covers(version):
        return False
    known = open_knowledge(source=None, source_name="", version=version)
    return rule.basis != "evidence" or known.rule_line(rule) is not None
