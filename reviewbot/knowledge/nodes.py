"""Config trees stored once: equal subtrees share one node, named by its content.

A stored value is a scalar, a list, a dict, or ``{"=": name}`` for a node.  Dicts with keys that are no
strings are ``{"%": [[key, value], …]}``.
"""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

_SMALLEST = 48
"""Subtrees with shorter texts are written out in place."""
_NAME = 6
_MARKS = ("=", "%")


class NodeWriter:
    """Collects the nodes of many trees."""

    def __init__(self) -> None:
        self.nodes: dict[str, Any] = {}

    def add(self, value: Any) -> Any:
        """The stored form of a tree; its larger dicts are put into ``nodes``."""
        if isinstance(value, list):
            return [self.add(item) for item in value]
        if not isinstance(value, Mapping):
            return value
        if all(isinstance(key, str) for key in value) and not any(mark in value for mark in _MARKS):
            stored: dict[str, Any] = {key: self.add(item) for key, item in value.items()}
        else:
            stored = {"%": [[key, self.add(item)] for key, item in value.items()]}
        return self._keep(stored)

    def add_inside(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """A dict that stays in place, with its values in their stored form."""
        return {key: self.add(item) for key, item in value.items()}

    def _keep(self, stored: dict[str, Any]) -> dict[str, Any]:
        text = compact(stored)
        if len(text) < _SMALLEST:
            return stored
        name = urlsafe_b64encode(hashlib.sha256(text.encode()).digest())[:_NAME].decode()
        if self.nodes.setdefault(name, stored) != stored:
            raise ValueError(f"two nodes are named {name}: names must be longer")
        return {"=": name}


class NodeReader:
    """Gives trees back from their stored form."""

    def __init__(self, nodes: Mapping[str, Any]) -> None:
        self._nodes = nodes

    def tree(self, stored: Any) -> Any:
        """The tree, a copy of the caller's own."""
        if isinstance(stored, list):
            return [self.tree(item) for item in stored]
        if not isinstance(stored, dict):
            return stored
        if "=" in stored:
            return self.tree(self._nodes[stored["="]])
        if "%" in stored:
            return {key: self.tree(item) for key, item in stored["%"]}
        return {key: self.tree(item) for key, item in stored.items()}


def compact(value: Any) -> str:
    """JSON without blanks, in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
