"""The list of judged findings: well-formed, as it was drawn, and at least 98 of 100 right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import yaml

ROWS = yaml.safe_load(
    (Path(__file__).parent.parent / "acceptance" / "precision.yaml").read_text(encoding="utf-8")
)


def test_every_finding_is_judged_with_a_reason() -> None:
    assert len(ROWS) == 200
    for row in ROWS:
        assert row["verdict"] in ("right", "wrong"), row
        assert len(row["reason"]) > 40, row
        assert row["severity"] in ("medium", "high")


def test_hardly_any_is_wrong() -> None:
    assert sum(row["verdict"] == "right" for row in ROWS) >= 0.98 * len(ROWS)


def test_few_are_alike() -> None:
    places = Counter((row["checkout"], row["check"], row["key"], row["path"], row["line"]) for row in ROWS)
    assert max(places.values()) == 1
    alike = Counter((row["check"], row["rule"], row["key"], row["message"]) for row in ROWS)
    assert max(alike.values()) <= 3
