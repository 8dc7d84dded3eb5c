"""The effective config: what each key holds in the end, and which override decided it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from reviewbot.config.interpolation import is_interpolation
from reviewbot.config.lookup import AbsentError, Lookup, Node, NotKnownError, Path
from reviewbot.config.model import UNKNOWN, Applied, Override, Plain, Setting
from reviewbot.config.nearest import nearest
from reviewbot.shell.model import Known

__all__ = ["EffectiveConfig", "nearest"]

_ORDER = (Known.YES, Known.DEFAULT, Known.CHOICE, Known.NO)


class EffectiveConfig:
    """A tree with overrides applied, looked up by dotted key. Interpolations resolve within the tree only."""

    def __init__(self, applied: Applied) -> None:
        self.applied = applied
        self._lookup = Lookup(applied.tree)
        self._settings: dict[str, Setting | None] = {}
        self._budget = 0

    def get(self, key: str) -> Setting | None:
        """The setting at a key, a whole dict included; None where there is no such key.

        ``value`` is UNKNOWN where it hangs on something outside the tree, and ``???`` where a value is
        mandatory and was never given.
        """
        if key not in self._settings:
            self._settings[key] = self._get(key)
        return self._settings[key]

    def keys(self, prefix: str = "") -> tuple[str, ...]:
        """The full keys of all leaves below a key, in the tree's order. An empty dict or a list is a leaf."""
        try:
            node = self._lookup.find(_parts(prefix))
        except (AbsentError, NotKnownError):
            return ()
        return tuple(_leaf_keys(prefix, node.value)) if isinstance(node.value, dict) else ()

    def leaves(self) -> Iterator[tuple[str, Setting]]:
        """Every leaf of the tree with its setting."""
        for key in self.keys():
            setting = self.get(key)
            if setting is not None:
                yield key, setting

    def _get(self, key: str) -> Setting | None:
        node: Plain = self.applied.tree
        for part in key.split("."):
            if not isinstance(node, dict):
                return self._looked_up(key)
            if part not in node:
                return self._looked_up(key) if self._unknown_nodes else None
            node = node[part]
        if node is UNKNOWN or isinstance(node, (dict, list)) or is_interpolation(node):
            return self._looked_up(key)
        set_by = self.applied.set_by
        setter = set_by.get(key) or next((set_by[up] for up in _upwards(key) if up in set_by), None)
        return Setting(node, setter, Known.YES if setter is None else setter.known)

    def _looked_up(self, key: str) -> Setting | None:
        by_hand = self._below_unknown(key)
        if by_hand is not None:
            return by_hand
        parts = _parts(key)
        try:
            node = self._lookup.find(parts)
        except AbsentError:
            return None
        except NotKnownError:
            return self._not_known(key, parts)
        deciding = self._deciding(key, node)
        self._budget = _MAX_VALUES
        value = self._resolved(node.value, node.path, 0)
        return Setting(value, deciding[-1] if deciding else None, _least(deciding, value), node.via)

    def _not_known(self, key: str, parts: Path) -> Setting | None:
        """The setting of a key that is there and whose value cannot be told."""
        try:
            self._lookup.find_raw(parts)
        except AbsentError:
            return None
        except NotKnownError:
            pass
        setter = next(
            (self.applied.set_by[name] for name in _upwards(key) if name in self.applied.set_by), None
        )
        return Setting(UNKNOWN, setter, Known.NO)

    def _below_unknown(self, key: str) -> Setting | None:
        """A key that was set below a node that is not known as a whole: the tree does not hold it."""
        setter = self.applied.set_by.get(key)
        if setter is None or setter.key != key or setter.value is UNKNOWN or "." not in key:
            return None
        if not any(ancestor in self._unknown_nodes for ancestor in _upwards(key)):
            return None
        return Setting(setter.value, setter, setter.known)

    @cached_property
    def _unknown_nodes(self) -> frozenset[str]:
        return frozenset(key for key, override in self.applied.set_by.items() if override.value is UNKNOWN)

    def _deciding(self, key: str, node: Node) -> list[Override]:
        """The overrides that had a say, in the order of the way from the key to the value."""
        names = [key, *node.via, *([".".join(node.path)] if node.path and node.via else [])]
        found = []
        for name in names:
            setter = next(
                (self.applied.set_by[up] for up in _upwards(name) if up in self.applied.set_by), None
            )
            if setter is not None:
                found.append(setter)
        return found

    def _resolved(self, value: Plain, path: Path | None, depth: int) -> Plain:
        """A value with the interpolations inside it resolved; UNKNOWN for those that leave the tree."""
        self._budget -= 1
        if depth > _MAX_DEPTH or self._budget < 0:
            return UNKNOWN
        if path is None:
            return value
        if isinstance(value, dict):
            return {name: self._inner(item, (*path, str(name)), depth) for name, item in value.items()}
        if isinstance(value, list):
            return [self._inner(item, (*path, str(number)), depth) for number, item in enumerate(value)]
        return value

    def _inner(self, value: Plain, path: Path, depth: int) -> Plain:
        if not is_interpolation(value):
            return self._resolved(value, path, depth + 1)
        try:
            node = self._lookup.find(path)
        except (AbsentError, NotKnownError):
            return UNKNOWN
        if node.path is not None and path[: len(node.path)] == node.path:
            return UNKNOWN
        return self._resolved(node.value, node.path, depth + 1)


_MAX_DEPTH = 30
_MAX_VALUES = 5_000
"""Values that one setting may hold once the interpolations in it are written out."""


def _parts(key: str) -> Path:
    return tuple(key.split(".")) if key else ()


def _upwards(key: str) -> Iterator[str]:
    """A key and the keys above it."""
    while key:
        yield key
        key = key.rpartition(".")[0]


def _leaf_keys(prefix: str, value: dict[str, Plain]) -> Iterator[str]:
    for name, item in value.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(item, dict) and item:
            yield from _leaf_keys(key, item)
        else:
            yield key


def _least(overrides: list[Override], value: Plain) -> Known:
    if value is UNKNOWN:
        return Known.NO
    states = [override.known for override in overrides]
    return max(states, key=_ORDER.index, default=Known.YES)
