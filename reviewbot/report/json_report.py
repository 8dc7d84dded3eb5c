"""The JSON of ``check``, version 1: lines and columns 1-based, columns count characters, ``end_column`` exclusive."""

from __future__ import annotations

import json
from typing import Any

from reviewbot.checks.model import Finding, Severity
from reviewbot.report.model import Review

VERSION = 1


def json_report(review: Review) -> str:
    """The review as JSON text, with a line end."""
    return json.dumps(as_dict(review), indent=2, ensure_ascii=True) + "\n"


def as_dict(review: Review) -> dict[str, Any]:
    """The review as plain values."""
    statuses = [file.status for file in review.files]
    return {
        "version": VERSION,
        "knowledge": {"framework": review.framework, "version": review.version, "source": review.origin},
        "files": [{"path": file.path, "status": file.status, "why": file.why} for file in review.files],
        "findings": [finding_as_dict(finding) for finding in review.findings],
        "summary": {
            "files": len(review.files),
            **{status: statuses.count(status) for status in ("reviewed", "partly", "skipped")},
            "findings": len(review.findings),
            **{severity.word: review.counts[severity] for severity in sorted(Severity, reverse=True)},
            "fixable": sum(1 for finding in review.findings if finding.fix is not None),
            "suppressed": sum(file.suppressed for file in review.files),
            "baseline": sum(file.known for file in review.files),
        },
    }


def finding_as_dict(finding: Finding) -> dict[str, Any]:
    """A finding as plain values."""
    span = finding.span
    return {
        "check": finding.check,
        "rule": finding.rule or None,
        "severity": finding.severity.word,
        "confidence": finding.confidence,
        "path": span.path,
        "line": span.line,
        "end_line": span.end_line,
        "column": span.column,
        "end_column": span.end_column,
        "key": finding.key,
        "value": finding.value,
        "message": finding.message,
        "evidence": [
            {"path": item.path, "line": item.line, "symbol": item.symbol, "version": item.version}
            for item in finding.evidence
        ],
        "fix": None
        if finding.fix is None
        else {
            "description": finding.fix.description,
            "edits": [
                {
                    "path": edit.path,
                    "start_line": edit.start_line,
                    "end_line": edit.end_line,
                    "text": edit.text,
                }
                for edit in finding.fix.edits
            ],
            "verified": finding.fix.verified,
        },
        "in_diff": finding.in_diff,
        "fingerprint": finding.fingerprint,
    }
