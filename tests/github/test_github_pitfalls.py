"""What goes wrong elsewhere is tested here: each named test exists."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
import yaml

TESTS = Path(__file__).parent.parent
PITFALLS: list[dict[str, object]] = yaml.safe_load(
    Path(__file__).with_name("pitfalls.yaml").read_text(encoding="utf-8")
)


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


@pytest.mark.parametrize("pitfall", PITFALLS, ids=lambda pitfall: str(pitfall["name"]))
def test_a_pitfall_has_its_tests(pitfall: dict[str, object]) -> None:
    named = pitfall["tests"]
    assert isinstance(named, list)
    assert named
    for test in named:
        file, _, name = test.partition("::")
        assert name in names_in(file) if name else names_in(file), test


def test_all_are_there() -> None:
    assert len(PITFALLS) == 45
