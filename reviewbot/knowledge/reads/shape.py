"""The shape of composed config trees: which paths are nodes, which are leaves, which feed which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_REFERENCE = re.compile(r"\$\{(?:oc\.select:)?\s*(\.*[A-Za-z_][\w.]*)\s*[,}]")
ANY = "*"


@dataclass
class Shape:
    """The trees that share one root."""

    trees: list[Mapping[str, object]] = field(default_factory=list)
    _known: dict[str, str] = field(default_factory=dict)

    def kind(self, path: str) -> str:
        """``node``, ``open`` (empty, a list, or an interpolation of such), ``leaf`` or ``absent``; ``*`` in the path
        stands for any child."""
        if path not in self._known:
            self._known[path] = ""
            self._known[path] = self._kind(path)
        return self._known[path]

    def _kind(self, path: str) -> str:
        found = {
            self._of(value) for tree in self.trees for value in _at(tree, path.split(".") if path else [])
        }
        return next((kind for kind in ("node", "open", "leaf") if kind in found), "absent")

    def _of(self, value: object) -> str:
        if isinstance(value, Mapping):
            return "node" if value else "open"
        if isinstance(value, list | tuple):
            return "open"
        if isinstance(value, str) and value.startswith("${"):
            match = _REFERENCE.fullmatch(value)
            if match is None or match.group(1).startswith("."):
                return "leaf"
            return self.kind(match.group(1)) or "leaf"
        return "leaf"


def _at(tree: object, parts: list[str]) -> list[object]:
    level = [tree]
    for part in parts:
        following: list[object] = []
        for value in level:
            if isinstance(value, Mapping):
                if part == ANY:
                    following += value.values()
                elif part in value:
                    following.append(value[part])
        level = following
    return level


def at(tree: Mapping[str, object], key: str) -> object:
    """The value at a key; None where there is none."""
    found = _at(tree, key.split("."))
    return found[0] if found else None


def leaves(tree: Mapping[str, object]) -> dict[str, object]:
    """The keys of a tree's leaves (empty nodes and lists count as leaves) and their values."""
    found: dict[str, object] = {}
    waiting: list[tuple[str, object]] = [("", tree)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping) and value:
            waiting += [(f"{path}.{key}" if path else str(key), item) for key, item in value.items()]
        else:
            found[path] = value
    return found


def references(value: object, path: str) -> Iterable[str]:
    """The absolute keys that a leaf's interpolations read."""
    if not isinstance(value, str):
        return
    for match in _REFERENCE.finditer(value):
        name = match.group(1)
        ups = len(name) - len(name.lstrip("."))
        if not ups:
            yield name
        else:
            above = path.split(".")[:-ups]
            yield ".".join([*above, name.lstrip(".")])
