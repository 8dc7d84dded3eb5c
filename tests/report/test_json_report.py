"""The JSON of ``check`` and ``show`` against its published schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from reviewbot.knowledge.store import open_knowledge
from reviewbot.report.json_report import json_report
from reviewbot.report.model import Review
from reviewbot.report.show_report import launches_json
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.shell.script import read_script
from reviewbot.text import SourceText

ROOT = Path(__file__).parent.parent.parent
KNOWLEDGE = open_knowledge(source=None, source_name="", version="0.9.1")


def schema(name: str) -> jsonschema.Draft202012Validator:
    text = (ROOT / "docs" / "schema" / f"{name}-v1.schema.json").read_text(encoding="utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


def demo() -> SourceText:
    path = "demo/recipes/run_qwen3_moe_grpo.sh"
    return SourceText(path, (ROOT / path).read_text(encoding="utf-8"))


def test_check() -> None:
    skipped = FileReview("x.sh", "skipped", "it is a binary file")
    files = (Reviewer(KNOWLEDGE).whole(demo()), skipped)
    report = json.loads(json_report(Review("verl", "0.9.1", KNOWLEDGE.source, KNOWLEDGE.origin, files)))
    schema("report").validate(report)
    assert report["summary"]["findings"] == len(report["findings"]) == 5
    assert report["summary"]["fixable"] == 5
    assert report["files"][1] == {"path": "x.sh", "status": "skipped", "why": "it is a binary file"}
    assert len({finding["fingerprint"] for finding in report["findings"]}) == 5


def test_show() -> None:
    schema("show").validate(json.loads(launches_json(read_script(demo()))))
