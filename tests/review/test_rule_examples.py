"""Each example of each bundled rule, and what is said of one that fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewbot.knowledge.rules import Rule
from reviewbot.knowledge.store import FRAMEWORKS, rules_of
from reviewbot.review.rule_examples import failing_examples, knowledge_for

RULES = rules_of(FRAMEWORKS[0])


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_examples(rule: Rule) -> None:
    assert [str(failure) for failure in failing_examples(rule, knowledge_for)] == []


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_a_rule_is_whole(rule: Rule) -> None:
    assert rule.good
    assert rule.bad
    assert rule.message_zh
    assert rule.basis == "facts" or knowledge_for(rule).rule_line(rule) is not None


def test_an_example_that_fails() -> None:
    rule = next(rule for rule in RULES if rule.id == "repetition-penalty")
    turned = replace(rule, bad=rule.good, good=rule.bad)
    assert [failure.why.partition(" (")[0] for failure in failing_examples(turned, knowledge_for)] == [
        "a bad example is not reported",
        "a good example is reported",
    ]
