"""Looking keys up in composed trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reviewbot.config.model import Base, Plain
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import EntryPoint
from reviewbot.knowledge.store import Knowledge

MISSING = object()
"""Stands for no value at all."""


def bases(knowledge: Knowledge) -> tuple[tuple[EntryPoint, Base], ...]:
    """The entry points that have a default config, the main one first."""
    main = knowledge.framework.main_entry_point
    order = sorted(knowledge.entry_points, key=lambda entry_point: entry_point.module != main)
    found = ((entry_point, knowledge.base(entry_point, None, None, ())) for entry_point in order)
    return tuple((entry_point, base) for entry_point, base in found if isinstance(base, Base))


def value_at(tree: Mapping[str, Plain], key: str) -> Any:
    """The value at a key; ``MISSING`` where there is none."""
    node: Any = tree
    for part in key.split("."):
        if not isinstance(node, Mapping) or part not in node:
            return MISSING
        node = node[part]
    return node


def engine_argument(key: str, framework: Framework, backends: Iterable[str]) -> tuple[str, str] | None:
    """The backend and the argument that a key below its engine_kwargs names."""
    for backend in backends:
        prefix = framework.engine_key(backend) + "."
        if key.startswith(prefix) and len(key) > len(prefix):
            return backend, key[len(prefix) :]
    return None


def leaves(tree: Mapping[str, Plain], prefix: str = "") -> Iterator[tuple[str, Plain]]:
    """Every key that holds a value, with it."""
    for name, value in tree.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping) and value:
            yield from leaves(value, f"{key}.")
        else:
            yield key, value


def nodes(tree: Mapping[str, Plain], prefix: str = "") -> Iterator[str]:
    """Every key, inner ones included."""
    for name, value in tree.items():
        key = f"{prefix}{name}"
        yield key
        if isinstance(value, Mapping):
            yield from nodes(value, f"{key}.")


def follows(tree: Mapping[str, Plain], key: str) -> Iterator[str]:
    """The keys whose value is an interpolation of a key."""
    refers = re.compile(r"\$\{(oc\.select:)?" + re.escape(key) + r"\s*[,}]")
    for name, value in leaves(tree):
        if isinstance(value, str) and refers.search(value):
            yield name
