"""Every phrase that a user sees has its Chinese, with the same names in braces."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot.checks.registry import CHECKS
from reviewbot.knowledge.store import FRAMEWORKS, rules_of
from reviewbot.language import catalogue, say, speaking, why_of

PACKAGE = Path(__file__).parent.parent / "reviewbot"
CHINESE = catalogue("zh")
SAME = {"Key", "Recipe", "{span}: {state}", "{condition}{when}", "{modules}{when}"}
"""Phrases that are the same in both languages, or hold nothing but names."""


def phrases() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                texts = [item.value for item in node.args if isinstance(item, ast.Constant)]
                if node.func.id in ("say", "later") and texts and node.args[0] in _constants(node):
                    yield str(texts[0])
                if node.func.id == "plural":
                    one, *rest = map(str, texts)
                    yield "{count} " + one
                    yield "{count} " + (rest[0] if rest else one + "s")
    for check in CHECKS:
        yield check.says


def _constants(node: ast.Call) -> list[ast.expr]:
    return [item for item in node.args if isinstance(item, ast.Constant)]


def _is_chinese(character: str) -> bool:
    """A Chinese character, or punctuation of its width."""
    ranges = ((0x4E00, 0x9FFF), (0x3000, 0x303F), (0xFF00, 0xFFEF))
    return any(low <= ord(character) <= high for low, high in ranges)


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


PHRASES = sorted(set(phrases()))


def test_there_are_phrases() -> None:
    assert len(PHRASES) > 350


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_has_its_chinese(phrase: str) -> None:
    chinese = CHINESE[phrase]
    assert fields(chinese) == fields(phrase)
    assert phrase in SAME or any(_is_chinese(character) for character in chinese)
    assert chinese.count("`") == phrase.count("`")


def test_there_is_no_other() -> None:
    assert set(CHINESE) == set(PHRASES)


@pytest.mark.parametrize("rule", rules_of(FRAMEWORKS[0]), ids=lambda rule: rule.id)
def test_a_rule_has_its_chinese(rule: object) -> None:
    english, chinese = getattr(rule, "message"), getattr(rule, "message_zh")  # noqa: B009
    assert any("\u4e00" <= character <= "\u9fff" for character in chinese)
    assert fields(chinese) == fields(english)


@pytest.mark.parametrize("check", [check.id for check in CHECKS])
def test_the_page_of_a_check_has_its_chinese(check: str) -> None:
    page = (PACKAGE.parent / "docs" / "checks" / f"{check}.md").read_text(encoding="utf-8")
    english = page.partition("\n")[2].partition("\n## ")[0]
    with speaking("zh"):
        chinese = why_of(check)
    assert any(_is_chinese(character) for character in chinese)
    assert set(re.findall("`[^`]+`", chinese)) - {"`low`"} <= set(re.findall("`[^`]+`", english))
    assert 0.2 * len(english) < len(chinese) < len(english)


def test_a_language_holds_within_its_block() -> None:
    assert say("high") == "high"
    with speaking("zh"):
        assert say("high") == "高"
    assert say("high") == "high"
    with pytest.raises(ValueError, match="there is no language de"), speaking("de"):
        pass
