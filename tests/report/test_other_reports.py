"""SARIF, workflow annotations and Markdown: what other programs read."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt
from npm_package import kept

from reviewbot.checks.registry import CHECKS
from reviewbot.knowledge.store import open_knowledge
from reviewbot.report.annotations import annotations_report
from reviewbot.report.markdown_report import markdown_report
from reviewbot.report.model import Review
from reviewbot.report.sarif_report import as_sarif, sarif_report
from reviewbot.review.edits import apply_edits
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText

SARIF_SCHEMA = (
    "sarif.json",
    "@microsoft/jest-sarif@1.0.0-beta.0",
    "package/lib/schemas/sarif-2.1.0-rtm.5.json",
)
BAD = """\
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    +actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel=True \\
    +trainer.nnodes=2 \\
    trainer.{key}=1
"""
EVIL = [
    "n nodes",
    "nn`odes",
    "nn@team",
    "nn<!--x",
    "nn|x",
    "nn%0A::error::x",
    "nn${{ x }}",
    "![x](y)",
    "nn\x1b[31m",
]


def review_of(text: str, path: str = "run.sh") -> Review:
    knowledge = open_knowledge(source=None, source_name="", version="0.9.1")
    file = Reviewer(knowledge).whole(SourceText(path, text))
    return Review(knowledge.framework.name, knowledge.version, knowledge.source, knowledge.origin, (file,))


@cache
def schema() -> Draft7Validator | None:
    path = kept(*SARIF_SCHEMA, lambda data: data)
    return None if path is None else Draft7Validator(json.loads(path.read_text(encoding="utf-8")))


def assert_valid(sarif: dict[str, Any]) -> None:
    validator = schema()
    if validator is None:
        pytest.skip("SARIF's schema is not at hand (no npm)")
    assert [error.message for error in validator.iter_errors(sarif)] == []


@pytest.mark.parametrize("key", ["nnoodes", *EVIL])
def test_sarif_is_valid(key: str) -> None:
    review = review_of(BAD.format(key=f"'{key}'"), f"dir/{key}.sh")
    assert review.findings
    sarif = json.loads(sarif_report(review))
    assert_valid(sarif)
    (run,) = sarif["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [check.id for check in CHECKS]
    assert all(rule["shortDescription"]["text"].endswith(".") for rule in run["tool"]["driver"]["rules"])
    for result, finding in zip(run["results"], review.findings, strict=True):
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == finding.check
        assert result["partialFingerprints"] == {"reviewbot/v1": finding.fingerprint}


def test_the_schema_refuses_what_is_wrong() -> None:
    sarif = as_sarif(review_of(BAD.format(key="nnoodes")))
    sarif["runs"][0]["results"][0]["level"] = "severe"
    validator = schema()
    assert validator is None or not validator.is_valid(sarif)


def test_sarif_fixes_are_the_edits() -> None:
    text = BAD.format(key="nnoodes")
    review = review_of(text)
    fixed = 0
    for result, finding in zip(as_sarif(review)["runs"][0]["results"], review.findings, strict=True):
        if finding.fix is None:
            continue
        fixed += 1
        ((change,),) = (fix["artifactChanges"] for fix in result["fixes"])
        lines = text.splitlines(keepends=True)
        for replacement in reversed(change["replacements"]):
            region = replacement["deletedRegion"]
            assert (region["startColumn"], region["endColumn"]) == (1, 1)
            lines[region["startLine"] - 1 : region["endLine"] - 1] = [replacement["insertedContent"]["text"]]
        assert "".join(lines) == apply_edits(SourceText("run.sh", text), finding.fix.edits)
    assert fixed == 3


@pytest.mark.parametrize("key", EVIL)
def test_annotations_are_one_command_a_finding(key: str) -> None:
    review = review_of(BAD.format(key=f"'{key}'"), f"{key}:,.sh")
    lines = annotations_report(review).splitlines()
    assert len(lines) == len(review.findings)
    for line in lines:
        assert line.startswith("::error file=")
        properties = line.split("::", 2)[1].split(" ", 1)[1]
        assert len(properties.split(",")) == 4
        assert "\x1b" not in line


def test_all_annotations_are_printed() -> None:
    keys = " ".join(f"trainer.nothing{number}=1" for number in range(30))
    assert annotations_report(review_of(f"python3 -m verl.trainer.main_ppo {keys}\n")).count("::error ") == 30


@pytest.mark.parametrize("key", EVIL)
def test_markdown_is_inert(key: str) -> None:
    report = markdown_report(review_of(BAD.format(key=f"'{key}'"), f"{key}.sh"))
    assert "\x1b" not in report
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(report)
    kinds = {inner.type for token in tokens for inner in (token, *(token.children or []))}
    assert not kinds & {"html_block", "html_inline", "image", "link_open"}
    texts = [inner.content for token in tokens for inner in token.children or [] if inner.type == "text"]
    assert not any("@team" in text for text in texts)


def test_markdown_of_nothing() -> None:
    command = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.nnodes=2\n"
    report = markdown_report(review_of(command))
    assert report.startswith("### reviewbot: nothing found\n\n1 recipe reviewed.")


@pytest.mark.parametrize(
    ("form", "start"),
    [("sarif", '{\n  "$schema"'), ("github", "::error file="), ("markdown", "### reviewbot: 3 findings")],
)
def test_the_command_line_makes_them(tmp_path: Path, form: str, start: str) -> None:
    (tmp_path / "run.sh").write_text(BAD.format(key="nnoodes"))
    command = [
        sys.executable,
        "-I",
        "-m",
        "reviewbot",
        "check",
        "run.sh",
        "--verl",
        "0.9.1",
        "--format",
        form,
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith(start)
    assert done.stdout.endswith("\n")
