"""SARIF 2.1.0: what code scanning and editors read."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from reviewbot.checks.model import Edit, Finding, Severity
from reviewbot.checks.registry import CHECKS
from reviewbot.language import say
from reviewbot.report.model import Review

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}


def sarif_report(review: Review) -> str:
    """The review as SARIF text, with a line end; every check is listed as a rule, found or not."""
    return json.dumps(as_sarif(review), indent=2, ensure_ascii=True) + "\n"


def as_sarif(review: Review) -> dict[str, Any]:
    """The review as plain values."""
    from importlib.metadata import version

    ids = [check.id for check in CHECKS]
    ids += sorted({finding.check for finding in review.findings} - set(ids))
    driver = {
        "name": "reviewbot",
        "semanticVersion": version("reviewbot"),
        "rules": [_rule(check) for check in ids],
    }
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"description": {"text": say("The root of the repository.")}}},
        "results": [_result(finding, ids) for finding in review.findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(check: str) -> dict[str, Any]:
    says = next((say(item.says) for item in CHECKS if item.id == check), "")
    described = {"shortDescription": {"text": says}, "fullDescription": {"text": says}} if says else {}
    return {
        "id": check,
        "name": "".join(part.capitalize() for part in check.split("-")),
        **described,
        "properties": {"tags": ["configuration"]},
    }


def _result(finding: Finding, ids: list[str]) -> dict[str, Any]:
    span = finding.span
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    result: dict[str, Any] = {
        "ruleId": finding.check,
        "ruleIndex": ids.index(finding.check),
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(span.path), "region": region}}],
        "partialFingerprints": {"reviewbot/v1": finding.fingerprint},
        "properties": {
            "severity": finding.severity.word,
            "confidence": finding.confidence,
            "key": finding.key,
        },
    }
    if finding.fix is not None and finding.fix.edits:
        result["fixes"] = [
            {"description": {"text": finding.fix.description}, "artifactChanges": _changes(finding.fix.edits)}
        ]
    return result


def _changes(edits: tuple[Edit, ...]) -> list[dict[str, Any]]:
    """Whole lines, from the start of the first to the start of the one after the last."""
    paths = dict.fromkeys(edit.path for edit in edits)
    return [
        {
            "artifactLocation": _artifact(path),
            "replacements": [_replacement(edit) for edit in edits if edit.path == path],
        }
        for path in paths
    ]


def _replacement(edit: Edit) -> dict[str, Any]:
    region = {"startLine": edit.start_line, "startColumn": 1, "endLine": edit.end_line + 1, "endColumn": 1}
    return {"deletedRegion": region, "insertedContent": {"text": edit.text}}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path.encode("utf-8", "surrogateescape")), "uriBaseId": "ROOT"}
