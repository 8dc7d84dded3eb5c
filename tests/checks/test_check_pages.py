"""Every check has a page, and what a page shows is what the program prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reviewbot.checks.registry import CHECKS
from reviewbot.knowledge.store import open_knowledge
from reviewbot.report.model import Review
from reviewbot.report.text_report import text_report
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText

PAGES = Path(__file__).parent.parent.parent / "docs" / "checks"
KNOWLEDGE = open_knowledge(source=None, source_name="", version="0.9.1")


def output(script: str) -> str:
    files = (Reviewer(KNOWLEDGE).whole(SourceText("run.sh", script)),)
    return text_report(Review("verl", "0.9.1", KNOWLEDGE.source, KNOWLEDGE.origin, files))


@pytest.mark.parametrize("check", [check.id for check in CHECKS])
def test_page(check: str) -> None:
    page = (PAGES / f"{check}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {check}\n")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == [
        "Problematic code",
        "What reviewbot says",
        "Correct code",
    ]
    bad, said, good = re.findall(r"^```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert output(bad) == said
    assert f": {check}" in said
    assert output(good).startswith("No findings")


def test_there_is_no_other_page() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {check.id for check in CHECKS}
