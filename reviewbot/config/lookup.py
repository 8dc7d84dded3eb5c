"""Keys looked up in a plain config tree as OmegaConf does, through interpolations that stay within the tree.

Environment variables are never read, and no resolver runs but ``oc.select`` and ``oc.decode`` on plain texts.
Source of the rules: OmegaConf 2.3, ``omegaconf/base.py`` (``_select_impl``, ``_resolve_node_interpolation``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reviewbot.config.grammar import NotPlainError
from reviewbot.config.interpolation import (
    NodeReference,
    ResolverCall,
    Text,
    argument_value,
    is_interpolation,
    is_missing,
    read_text,
    split_key,
)
from reviewbot.config.model import UNKNOWN, Plain

Path = tuple[str, ...]


class AbsentError(Exception):
    """There is nothing at the key: it is missing, or its path runs through a value that is no container."""


class NotKnownError(Exception):
    """What is there cannot be told: a cycle, the environment, a resolver, a value that is not known."""


class DependsOnUnknownError(NotKnownError):
    """It hangs on a value that the script does not show."""


@dataclass(frozen=True, slots=True)
class Node:
    """What a key leads to."""

    value: Plain
    """A scalar, or a container as it stands in the tree (interpolations in it are text)."""
    path: Path | None
    """Where it stands in the tree; None where it was made by a resolver or from several pieces."""
    via: tuple[str, ...] = ()
    """The keys that interpolations named on the way, in order."""


class Lookup:
    """Looks keys up in one tree.  The tree may change between calls."""

    def __init__(self, tree: Mapping[str, Plain]) -> None:
        self.tree = tree
        self._active: list[Path] = []
        self._steps = 0

    def find(self, parts: Path) -> Node:
        """The node at a key, interpolations resolved.  Raises AbsentError and NotKnownError."""
        self._active.clear()
        self._steps = 0
        return self._select(parts)

    def find_raw(self, parts: Path) -> Node:
        """The node at a key, where interpolations on the way are followed but the node itself is left as it
        is."""
        self._active.clear()
        self._steps = 0
        return self._child(self._container(parts[:-1]), parts[-1])

    def _select(self, parts: Path) -> Node:
        if not parts:
            return Node(self.tree, ())
        return self._resolved(self._child(self._container(parts[:-1]), parts[-1]))

    def _container(self, parts: Path) -> Node:
        node = Node(self.tree, ())
        for part in parts:
            node = self._resolved(self._child(node, part))
            if not isinstance(node.value, (dict, list)) or node.path is None:
                raise AbsentError
        return node

    def _child(self, node: Node, part: str) -> Node:
        """One step down from a container."""
        self._steps += 1
        if self._steps > _MAX_STEPS or node.path is None:
            raise NotKnownError
        if isinstance(node.value, list):
            if not part.isdecimal():
                raise NotKnownError
            if int(part) >= len(node.value):
                raise AbsentError
            return Node(node.value[int(part)], (*node.path, part), node.via)
        if part not in node.value:
            raise AbsentError
        return Node(node.value[part], (*node.path, part), node.via)

    def _resolved(self, node: Node) -> Node:
        if node.value is UNKNOWN:
            raise DependsOnUnknownError
        if not is_interpolation(node.value) or node.path is None:
            return node
        if node.path in self._active or len(self._active) > _MAX_DEPTH:
            raise NotKnownError
        text = read_text(node.value)
        if text is None:
            raise NotKnownError
        self._active.append(node.path)
        try:
            found = self._text(text, node.path)
        finally:
            self._active.pop()
        return Node(found.value, found.path, tuple(dict.fromkeys((*node.via, *found.via))))

    def _text(self, text: Text, at: Path) -> Node:
        """The value of a text that stands at a key."""
        if len(text.pieces) == 1:
            return self._piece(text.pieces[0], at)
        joined = ""
        via: tuple[str, ...] = ()
        for piece in text.pieces:
            node = self._piece(piece, at)
            if isinstance(node.value, (dict, list)):
                raise NotKnownError
            joined += str(node.value)
            via += node.via
            if len(joined) > _MAX_TEXT:
                raise NotKnownError
        return Node(joined, None, via)

    def _piece(self, piece: str | NodeReference | ResolverCall, at: Path) -> Node:
        if isinstance(piece, str):
            return Node(piece, None)
        if isinstance(piece, ResolverCall):
            return self._call(piece, at)
        key = self._text(piece.key, at)
        try:
            node = self._reference(str(key.value), at)
        except AbsentError:
            raise NotKnownError from None
        if is_missing(node.value):
            raise NotKnownError
        return Node(node.value, node.path, (*key.via, *node.via))

    def _reference(self, key: str, at: Path) -> Node:
        """The node that ``key`` names, seen from ``at``."""
        split = split_key(key)
        if split is None:
            raise NotKnownError
        dots, parts = split
        if dots > len(at):
            raise NotKnownError
        named = at[: len(at) - dots] + parts if dots else parts
        node = self._select(named)
        if node.path is not None and at[: len(node.path)] == node.path:
            raise NotKnownError
        return Node(node.value, node.path, (".".join(named), *node.via))

    def _call(self, call: ResolverCall, at: Path) -> Node:
        if call.name == "oc.select" and len(call.arguments) in (1, 2):
            key = self._argument(call.arguments[0], at)
            if not isinstance(key.value, str):
                raise NotKnownError
            try:
                node = self._reference(key.value, at)
            except AbsentError:
                node = Node("???", None)
            if is_missing(node.value):
                return self._argument(call.arguments[1], at) if len(call.arguments) == 2 else Node(None, None)
            return Node(node.value, node.path, (*key.via, *node.via))
        if call.name == "oc.decode" and len(call.arguments) == 1:
            node = self._argument(call.arguments[0], at)
            if node.value is None:
                return Node(None, None, node.via)
            try:
                return Node(
                    argument_value(node.value) if isinstance(node.value, str) else _fail(), None, node.via
                )
            except NotPlainError:
                raise NotKnownError from None
        raise NotKnownError

    def _argument(self, text: Text, at: Path) -> Node:
        if len(text.pieces) == 1 and isinstance(text.pieces[0], str):
            try:
                return Node(argument_value(text.pieces[0]), None)
            except NotPlainError:
                raise NotKnownError from None
        if not text.pieces:
            raise NotKnownError
        return self._text(text, at)


_MAX_STEPS = 5_000
_MAX_DEPTH = 40
_MAX_TEXT = 64 * 1024


def _fail() -> Plain:
    raise NotKnownError
