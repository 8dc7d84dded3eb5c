"""Patterns and regular expressions that would take too many steps are not tried."""

from __future__ import annotations

import pytest

from reviewbot.shell.patterns import UnmatchableError, matches
from reviewbot.shell.regexes import search


@pytest.mark.parametrize("pattern", ["?(a)" * 60 + "b", "@(a|aa)" * 60 + "b", "*a" * 60])
def test_a_pattern_of_many_steps(pattern: str) -> None:
    with pytest.raises(UnmatchableError):
        matches([(pattern, False)], "a" * 60)


@pytest.mark.parametrize("pattern", ["a?" * 30 + "a" * 30, "(a|aa)*c", "(a*)*b"])
def test_a_regular_expression_of_many_steps(pattern: str) -> None:
    assert search([(pattern, False)], "a" * 30) is None


def test_small_ones_are_tried() -> None:
    assert matches([("v?(ll)m", False)], "vllm")
    assert search([("^[0-9]+(\\.[0-9]+)?$", False)], "0.5") == ["0.5", ".5"]
