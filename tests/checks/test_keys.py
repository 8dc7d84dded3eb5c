"""What is known of verl's keys, row by row: reported under its condition, and not where the condition fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from reviewbot.checks.model import Finding, Severity
from reviewbot.knowledge import interface
from reviewbot.knowledge.store import Knowledge, open_knowledge
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText

FOLDER = Path(__file__).parent.parent / "keys"
VERSION = "0.9.1"
BASES = {
    "": [],
    "vllm": ["actor_rollout_ref.rollout.name=vllm"],
    "sglang": ["actor_rollout_ref.rollout.name=sglang"],
    "trtllm": ["actor_rollout_ref.rollout.name=trtllm"],
    "megatron": ["actor_rollout_ref.rollout.name=vllm", "model_engine=megatron"],
    "critic": ["actor_rollout_ref.rollout.name=vllm", "algorithm.adv_estimator=gae"],
    "fully_async": [
        "actor_rollout_ref.rollout.name=vllm",
        "actor_rollout_ref.hybrid_engine=False",
        "actor_rollout_ref.rollout.calculate_log_probs=True",
        "data.train_batch_size=0",
        "data.gen_batch_size=1",
    ],
}


@dataclass(frozen=True)
class Row:
    """One script of a row: the first override is the one that it is about."""

    name: str
    script: str
    word: str
    """The override that the row is about, as written."""
    checks: tuple[str, ...]
    """The checks of which one must report it; empty where none may."""
    item: dict[str, Any]
    says: tuple[str, ...]


def items() -> Iterator[dict[str, Any]]:
    for path in sorted(FOLDER.glob("*.yaml")):
        if path.name != "open.yaml":
            yield from yaml.safe_load(path.read_text(encoding="utf-8"))


def rows() -> Iterator[Row]:
    for item in items():
        yield from scripts_of(item)


def scripts_of(item: dict[str, Any]) -> Iterator[Row]:
    each = item.get("each", [""])
    for name in each:
        value = each[name] if isinstance(each, dict) else ""
        yield from scripts(item, str(name), value)


def scripts(item: dict[str, Any], name: str, value: str) -> Iterator[Row]:
    def written(text: str) -> str:
        text = text.replace("{value}", value).replace("P.", "actor_rollout_ref.")
        return text.replace("{}", name.replace("P.", "actor_rollout_ref.")) if "each" in item else text

    checks = [item["check"]] if isinstance(item["check"], str) else item["check"]
    says = tuple(written(text) for text in item.get("says", ()))
    label = f"{item['row']} {name}".strip()
    if item["bad"]:
        words = [written(word) for word in item["bad"]]
        yield Row(f"{label}: bad", script(item, words), words[0], tuple(checks), item, says)
    for number, good in enumerate(item["good"], start=1):
        words = [written(word) for word in good]
        yield Row(f"{label}: good {number}", script(item, words), words[0], (), item, ())


def script(item: dict[str, Any], words: list[str]) -> str:
    entry = item.get("entry", "verl.trainer.main_ppo")
    keys = {word.lstrip("+").partition("=")[0] for word in words}
    base = [word for word in BASES[item.get("base", "")] if word.partition("=")[0] not in keys]
    lines = [f"python3 -m {entry}", *base, *(f"'{word}'" for word in words if word != entry)]
    return " \\\n    ".join(lines) + "\n"


ROWS = list(rows())


@cache
def knowledge(version: str, engines: tuple[tuple[str, str], ...] = ()) -> Knowledge:
    return open_knowledge(source=None, source_name="", version=version, engines=dict(engines))


def opened(row: Row, open_it: Callable[..., Knowledge]) -> Knowledge:
    engines = tuple((name, str(version)) for name, version in row.item.get("engines", {}).items())
    return open_it(row.item.get("verl", VERSION), engines)


def found_at(row: Row, known: Knowledge) -> list[Finding]:
    findings = Reviewer(known, min_severity=Severity.LOW).whole(SourceText("run.sh", row.script)).findings
    line = row.script[: row.script.index(row.word)].count("\n") + 1
    ignored = row.item.get("ignore", ())
    return [finding for finding in findings if finding.span.line == line and finding.check not in ignored]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_row(row: Row) -> None:
    judge(row, found_at(row, opened(row, knowledge)))


def judge(row: Row, found: list[Finding]) -> None:
    if not row.checks:
        assert not found, [finding.message for finding in found]
        return
    assert [finding.check in row.checks for finding in found] == [True], [
        finding.message for finding in found
    ]
    finding = found[0]
    if "severity" in row.item:
        assert finding.severity.word == row.item["severity"]
    description = finding.fix.description if finding.fix is not None else ""
    for text in row.says:
        assert text in finding.message + description, finding.message
    where = [evidence.path for evidence in finding.evidence]
    assert "evidence" not in row.item or any(row.item["evidence"] in path for path in where), where
    assert all(evidence.line > 0 for evidence in finding.evidence)


ALL_ROWS = 187
"""The rows of the table that the files of the folder number."""


def test_every_row_has_scripts_or_a_reason() -> None:
    tested: set[int] = set()
    for item in items():
        first, _, last = str(item["row"]).split()[0].partition("-")
        tested |= set(range(int(first), int(last or first) + 1))
    cases = FOLDER.parent / "cases" / "environment.yaml"
    names = {case["name"] for case in yaml.safe_load(cases.read_text(encoding="utf-8"))}
    rest = yaml.safe_load((FOLDER / "open.yaml").read_text(encoding="utf-8"))
    assert all(item.get("open") or set(item["cases"]) <= names for item in rest)
    others = [item["row"] for item in rest]
    assert sorted(tested | set(others)) == list(range(1, ALL_ROWS + 1))
    assert not tested & set(others)
    assert len(others) == len(set(others))


def test_most_rows_stand_on_facts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no curated rule in the folder, what each row's scripts must say is said all the same of most rows."""
    monkeypatch.setattr(interface, "load_rules", lambda *_: ())
    bare = cache(knowledge.__wrapped__)
    stands: dict[int, bool] = {}
    for item in items():
        first, _, last = str(item["row"]).split()[0].partition("-")
        bad = [row for row in scripts_of(item) if row.checks]
        # the rows of a range are about one key each
        numbers = range(int(first), int(last) + 1) if last else [int(first)] * len(bad)
        for number, row in zip(numbers, bad, strict=True):
            reviewer = Reviewer(opened(row, bare), min_severity=Severity.LOW)
            found = reviewer.whole(SourceText("run.sh", row.script)).findings
            said = any(finding.check in row.checks for finding in found)
            stands[number] = stands.get(number, True) and said
    lost = sorted(number for number, still in stands.items() if not still)
    assert len(lost) <= 0.3 * len(stands), f"{len(lost)} of {len(stands)}: {lost}"
