"""GitHub's published description of its REST interface, cut to what is in use, and its GraphQL schema.

Without npm there is none: the loopback server then checks requests by hand only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft7Validator
from npm_package import kept

OPENAPI = "@octokit/openapi@23.0.2"
GRAPHQL = "@octokit/graphql-schema@15.26.1"

_R = "/repos/{owner}/{repo}"
OPERATIONS = {
    f"{_R}/pulls/{{pull_number}}": ("get",),
    f"{_R}/pulls/{{pull_number}}/files": ("get",),
    f"{_R}/pulls/{{pull_number}}/reviews": ("get", "post"),
    f"{_R}/pulls/{{pull_number}}/reviews/{{review_id}}": ("delete",),
    f"{_R}/pulls/{{pull_number}}/reviews/{{review_id}}/comments": ("get",),
    f"{_R}/pulls/comments/{{comment_id}}": ("patch",),
    f"{_R}/issues/{{issue_number}}/comments": ("post",),
    f"{_R}/issues/comments/{{comment_id}}": ("patch",),
    f"{_R}/issues/comments/{{comment_id}}/reactions": ("post",),
    f"{_R}/git/blobs/{{file_sha}}": ("get",),
    f"{_R}/contents/{{path}}": ("get",),
    f"{_R}/compare/{{basehead}}": ("get",),
    f"{_R}/commits": ("get",),
    f"{_R}/commits/{{ref}}": ("get",),
    f"{_R}/commits/{{commit_sha}}/pulls": ("get",),
    f"{_R}/tarball/{{ref}}": ("get",),
    f"{_R}/collaborators/{{username}}/permission": ("get",),
    f"{_R}/check-runs": ("post",),
    f"{_R}/check-runs/{{check_run_id}}": ("patch",),
}
_PARTS = hashlib.sha256(repr(OPERATIONS).encode()).hexdigest()[:8]
"""Names the cut: another choice of operations is another file."""


class Description:
    """Checks bodies against the description, and fills answers up to what it requires."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._paths: dict[str, Any] = document["paths"]
        self._components: dict[str, Any] = document["components"]
        self._validators: dict[tuple[str, str, str], Draft7Validator | None] = {}
        self._answers: dict[tuple[str, str, int, str], Any] = {}

    def check_request(self, verb: str, template: str, body: Any) -> str | None:
        """What is wrong with a request's body."""
        operation = self._paths[template][verb]
        schema = _json_schema(operation.get("requestBody", {}))
        if schema is None:
            return None if body is None else "no body is taken here"
        return self._problem((template, verb, "request"), schema, body)

    def check_parameters(self, verb: str, template: str, query: dict[str, str]) -> str | None:
        """What is wrong with a request's query."""
        known = {
            parameter["name"]: parameter
            for parameter in map(self._resolved, self._paths[template][verb].get("parameters", []))
            if parameter["in"] == "query"
        }
        for name, value in query.items():
            if name not in known:
                return f"{name} is no parameter of {verb} {template}"
            if known[name]["schema"].get("type") == "integer" and not value.isdigit():
                return f"{name} must be a number"
        return None

    def answer(self, verb: str, template: str, status: int, partial: Any) -> Any:
        """An answer with everything that the description requires; raises AssertionError where it breaks it."""
        key = (template, verb, status, json.dumps(partial))
        if key not in self._answers:
            self._answers[key] = self._checked_answer(verb, template, status, partial)
        return self._answers[key]

    def _checked_answer(self, verb: str, template: str, status: int, partial: Any) -> Any:
        response = self._paths[template][verb]["responses"].get(str(status))
        assert response is not None, f"{verb} {template} never answers {status}"
        schema = _json_schema(self._resolved(response))
        if schema is None:
            return None
        body = self._filled(schema, partial)
        problem = self._problem((template, verb, str(status)), schema, body)
        assert problem is None, f"{verb} {template}: {problem}"
        return body

    def _problem(self, key: tuple[str, str, str], schema: Any, value: Any) -> str | None:
        if key not in self._validators:
            self._validators[key] = Draft7Validator({**schema, "components": self._components})
        validator = self._validators[key]
        assert validator is not None
        error = next(validator.iter_errors(value), None)
        return None if error is None else f"{error.json_path}: {error.message[:300]}"

    def _resolved(self, schema: Any) -> Any:
        while "$ref" in schema:
            node: Any = {"components": self._components}
            for part in schema["$ref"].removeprefix("#/").split("/"):
                node = node[part]
            schema = node
        return schema

    def _filled(self, schema: Any, given: Any) -> Any:
        """The given value with required properties added; a value made up where None is given."""
        schema = self._resolved(schema)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self._chosen(schema[choice], given)
        if "allOf" in schema:
            merged: Any = {"type": "object", "required": [], "properties": {}}
            for part in map(self._resolved, schema["allOf"]):
                merged["required"] += part.get("required", [])
                merged["properties"] |= part.get("properties", {})
            schema = merged
        kinds = schema.get("type", "object" if "properties" in schema else None)
        kind = kinds[0] if isinstance(kinds, list) else kinds
        if kind == "array":
            return [self._filled(schema["items"], item) for item in given or ()]
        if kind == "object" and (given is None or isinstance(given, dict)):
            filled = dict(given or {})
            for name, part in schema.get("properties", {}).items():
                if name in filled and filled[name] is not None:
                    filled[name] = self._filled(part, filled[name])
                elif name in schema.get("required", ()) and name not in filled:
                    filled[name] = self._filled(part, None)
            return filled
        return _made_up(schema, kinds, kind) if given is None else given

    def _chosen(self, choices: list[Any], given: Any) -> Any:
        if given is None:
            first = self._resolved(choices[0])
            kinds = first.get("type")
            if isinstance(kinds, list) and "null" in kinds:
                return None
            return self._filled(first, None)
        for choice in choices:
            filled = self._filled(choice, given)
            if Draft7Validator({**choice, "components": self._components}).is_valid(filled):
                return filled
        return given


def _made_up(schema: Any, kinds: Any, kind: str | None) -> Any:
    if isinstance(kinds, list) and "null" in kinds:
        return None
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "string":
        formats = {"uri": "https://example.org/x", "date-time": "2026-01-01T00:00:00Z"}
        return formats.get(schema.get("format", ""), "x")
    return {"integer": 1, "number": 1, "boolean": False}.get(kind or "")


@cache
def description() -> Description | None:
    """The cut description; None without npm."""
    path = kept(f"openapi-{_PARTS}.json", OPENAPI, "package/generated/api.github.com.json", cut)
    return None if path is None else Description(json.loads(path.read_text(encoding="utf-8")))


@cache
def graphql_schema() -> str | None:
    """The text of GitHub's GraphQL schema; None without npm."""
    path = kept("schema.graphql", GRAPHQL, "package/schema.graphql", lambda data: data)
    return None if path is None else path.read_text(encoding="utf-8")


def cut(data: bytes) -> bytes:
    """The description's operations in use and the components that they need, as plain JSON Schema."""
    document = json.loads(data)
    paths = {
        path: {verb: document["paths"][path][verb] for verb in verbs} for path, verbs in OPERATIONS.items()
    }
    components: dict[str, dict[str, Any]] = {}
    waiting = list(_references(paths))
    while waiting:
        _hash, _components, kind, name = waiting.pop().split("/", 3)
        if name not in components.setdefault(kind, {}):
            components[kind][name] = document["components"][kind][name]
            waiting.extend(_references(components[kind][name]))
    return json.dumps(_plain({"paths": paths, "components": components})).encode()


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _plain(node: Any) -> Any:
    """OpenAPI 3.0's ``nullable`` as JSON Schema has it; without examples."""
    if isinstance(node, list):
        return [_plain(value) for value in node]
    if not isinstance(node, dict):
        return node
    plain = {name: _plain(value) for name, value in node.items() if name not in ("example", "examples")}
    if plain.pop("nullable", None) is True:
        if isinstance(plain.get("type"), str):
            plain["type"] = [plain["type"], "null"]
            if "enum" in plain and None not in plain["enum"]:
                plain["enum"] = [*plain["enum"], None]
        elif "$ref" in plain or "allOf" in plain or "anyOf" in plain or "oneOf" in plain:
            return {"anyOf": [{"type": ["null"]}, plain]}
    return plain


def _json_schema(holder: Any) -> Any:
    content = holder.get("content", {})
    return content.get("application/json", {}).get("schema")
