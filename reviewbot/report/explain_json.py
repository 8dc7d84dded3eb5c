"""Explanations as JSON, version 1."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from reviewbot.config.model import UNKNOWN
from reviewbot.explain.model import CheckExplanation, Example, Explanation, KeyExplanation
from reviewbot.knowledge.rules import Rule
from reviewbot.report.json_report import finding_as_dict

VERSION = 1


def explanation_json(explanation: Explanation) -> str:
    """The explanation as JSON text, with a line end."""
    return json.dumps(as_dict(explanation), indent=2, ensure_ascii=True, default=_other) + "\n"


def as_dict(explanation: Explanation) -> dict[str, Any]:
    """The explanation as plain values."""
    if isinstance(explanation, KeyExplanation):
        return {
            "version": VERSION,
            "kind": "key",
            **asdict(explanation),
            "rules": [rule.id for rule in explanation.rules],
        }
    if isinstance(explanation, CheckExplanation):
        return {
            "version": VERSION,
            "kind": "check",
            "check": explanation.check,
            "says": explanation.says,
            "why": explanation.why,
            "source": explanation.source,
            "bad": _example(explanation.bad),
            "good": _example(explanation.good),
            "rules": [rule.id for rule in explanation.rules],
        }
    return {"version": VERSION, "kind": "rule", **asdict(explanation), "rule": _rule(explanation.rule)}


def _rule(rule: Rule) -> dict[str, Any]:
    return {name: value for name, value in asdict(rule).items() if name != "origin"}


def _example(example: Example) -> dict[str, Any]:
    return {
        "script": example.script,
        "findings": [finding_as_dict(finding) for finding in example.review.findings],
    }


def _other(value: object) -> object:
    return None if value is UNKNOWN else str(value)
