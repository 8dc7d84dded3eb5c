"""Every case of ``tests/cases``: a script, a release, and what a right review says of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from reviewbot.checks.model import Finding, Severity
from reviewbot.checks.registry import CHECKS
from reviewbot.knowledge.environment.in_use import engine_versions
from reviewbot.knowledge.store import Knowledge, open_knowledge
from reviewbot.review.edits import apply_edits
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.text import SourceText

FOLDER = Path(__file__).parent.parent / "cases"
CASES = [
    (path.stem, case)
    for path in sorted(FOLDER.glob("*.yaml"))
    for case in yaml.safe_load(path.read_text(encoding="utf-8"))
]


@cache
def knowledge(version: str, engines: tuple[str, ...]) -> Knowledge:
    return open_knowledge(source=None, source_name="", version=version, engines=engine_versions(engines))


def review(script: str, case: dict[str, Any]) -> FileReview:
    reviewer = Reviewer(knowledge(case["verl"], tuple(case.get("engines", ()))), min_severity=Severity.LOW)
    return reviewer.whole(SourceText("run.sh", script))


@pytest.mark.parametrize(("check", "case"), CASES, ids=[f"{check}: {case['name']}" for check, case in CASES])
def test_case(check: str, case: dict[str, Any]) -> None:
    script = case["script"]
    found = review(script, case).findings
    expected = case["expect"]
    assert [(finding.check, finding.span.line) for finding in found] == [
        (item["check"], line_of(script, item["at"])) for item in expected
    ], [finding.message for finding in found]
    for item, finding in zip(expected, found, strict=True):
        judge(item, finding, script, case)


def line_of(script: str, text: str) -> int:
    return script[: script.index(text)].count("\n") + 1


def judge(item: dict[str, Any], finding: Finding, script: str, case: dict[str, Any]) -> None:
    if "severity" in item:
        assert finding.severity.word == item["severity"], finding.message
    for text in item.get("says", ()):
        assert text in finding.message
    for text in item.get("lacks", ()):
        assert text not in finding.message
    fixed = apply_edits(SourceText("run.sh", script), finding.fix.edits) if finding.fix is not None else None
    if "fixed" in item and item["fixed"] is None:
        assert finding.fix is None
    elif "fixed" in item:
        assert finding.fix is not None, finding.message
        assert finding.fix.verified
        assert fixed == item["fixed"]
    if fixed is not None:
        again = review(fixed, case).findings
        assert (finding.check, finding.key, finding.value) not in {
            (other.check, other.key, other.value) for other in again
        }


def test_every_check_has_cases() -> None:
    assert {check.id for check in CHECKS} == {path.stem for path in FOLDER.glob("*.yaml")}


@pytest.mark.parametrize("check", [check.id for check in CHECKS])
def test_a_check_speaks_and_is_silent(check: str) -> None:
    """Each check has at least one case in which it speaks and one in which nothing is said."""
    cases = [case for stem, case in CASES if stem == check]
    assert any(item["check"] == check for case in cases for item in case["expect"])
    assert any(not case["expect"] for case in cases)
