"""The JSON Schema of rule files, for editors: ``python -m reviewbot.knowledge.rules_schema`` prints it.

The loader is the judge; what the schema refuses, the loader refuses as well.
"""

from __future__ import annotations

import json
from typing import Any

from reviewbot.knowledge.environment.in_use import BY_NAME
from reviewbot.knowledge.rules import BASES, EFFECTS, EVIDENCE, FIELDS, PLACEHOLDER, REQUIRED, SEVERITIES

_SCALAR = {"type": ["string", "number", "boolean", "null"]}
_TEXT = {"type": "string"}
_OVERRIDES = {"type": "array", "items": _TEXT}
_KINDS: dict[str, dict[str, Any]] = {
    "id": {**_TEXT, "description": "Stable, kebab-case; users see it and suppress by it"},
    "key": {**_TEXT, "description": "The absolute config key; {a,b} for either, a last * for all keys below"},
    "effect": {"enum": list(EFFECTS), "description": "What becomes of the override"},
    "basis": {"enum": list(BASES), "description": "What the claim rests on (default: evidence)"},
    "entry_points": {
        "type": "array",
        "items": _TEXT,
        "description": "Patterns of modules (default: all; where the claim rests on evidence, the usual ones)",
    },
    "when": {**_SCALAR, "description": "A condition over absolute config keys, and value"},
    "versions": {**_SCALAR, "description": "Releases of the framework, such as >=0.8"},
    "engines": {
        "type": "object",
        "properties": dict.fromkeys(BY_NAME, _SCALAR),
        "additionalProperties": False,
        "description": "Releases of engines, such as <0.22",
    },
    "severity": {"enum": list(SEVERITIES), "description": "How bad it is (default: medium)"},
    "message": {**_TEXT, "description": f"One or two sentences, with {PLACEHOLDER.pattern}"},
    "message_zh": {**_TEXT, "description": "The same in Chinese"},
    "fix": {
        "type": "object",
        "properties": {
            "set": {"type": "object", "additionalProperties": _SCALAR},
            "remove": {"type": "boolean"},
        },
        "additionalProperties": False,
        "description": "Keys to set, each with an expression; whether the override is deleted",
    },
    "evidence": {
        "type": "object",
        "properties": dict.fromkeys(EVIDENCE, _SCALAR),
        "required": ["path"],
        "additionalProperties": False,
        "description": "Where the source shows it",
    },
    "examples": {
        "type": "object",
        "properties": {"bad": _OVERRIDES, "good": _OVERRIDES},
        "additionalProperties": False,
        "description": "Overrides, separated by blanks; each is a test",
    },
}


def rules_schema() -> str:
    """The schema as JSON text."""
    rule = {
        "type": "object",
        "properties": {name: _KINDS[name] for name in FIELDS},
        "required": list(REQUIRED),
        "additionalProperties": False,
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rules of reviewbot",
        "type": ["array", "null"],
        "items": rule,
    }
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    print(rules_schema(), end="")
