"""A command's overrides applied to a composed config tree, in order, under Hydra's rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.config.change import NotSureError, RefusedError, change, copied
from reviewbot.config.judge import change_by_hydra
from reviewbot.config.model import UNKNOWN, Applied, Base, Override, Plain, Refusal


def apply(base: Base, overrides: Sequence[Override]) -> Applied:
    """The tree after every override that Hydra accepts, who set what, and what Hydra refuses.

    Takes plain overrides: see ``split_groups``. A refused override is skipped and the rest judged without
    it. An override whose value is not known sets UNKNOWN, and what hangs on it is accepted.
    """
    tree: dict[str, Plain] = copied(base.tree)
    record = _Record()
    refusals: list[Refusal] = []
    for override in overrides:
        outcome = _changed(tree, override)
        if isinstance(outcome, Refusal):
            refusals.append(outcome)
        else:
            tree = outcome
            record.take(override, tree)
    return Applied(tree, record.set_by, tuple(refusals), tuple(record.superseded))


def _changed(tree: dict[str, Plain], override: Override) -> dict[str, Plain] | Refusal:
    """The tree after one override, or its refusal."""
    try:
        change(tree, override)
    except NotSureError:
        try:
            return change_by_hydra(tree, override)
        except RefusedError as refused:
            return refused.refusal
    except RefusedError as refused:
        return refused.refusal
    return tree


class _Record:
    """Which override decided which leaf."""

    def __init__(self) -> None:
        self.set_by: dict[str, Override] = {}
        self.superseded: list[tuple[Override, Override]] = []
        self._values: dict[str, Plain] = {}
        self._left: dict[int, int] = {}
        """How many leaves each override still decides."""

    def take(self, override: Override, tree: dict[str, Plain]) -> None:
        if override.op == "~":
            self._drop_from(override.key, override)
            return
        leaves = (
            []
            if override.value == {} and _at(tree, override.key)
            else list(_leaves(override.key, override.value))
        )
        self._left[id(override)] = len(leaves)
        for leaf, value in leaves:
            for ancestor in _ancestors(leaf):
                if (
                    ancestor in self.set_by
                    and self._values[ancestor] is not UNKNOWN
                    and self._values[ancestor] != {}
                ):
                    self._drop(ancestor, override)
            if value is not UNKNOWN and value != {}:
                self._drop_from(leaf, override)
            self._drop(leaf, override)
            self.set_by[leaf], self._values[leaf] = override, value

    def _drop_from(self, key: str, by: Override) -> None:
        prefix = f"{key}."
        for leaf in [leaf for leaf in self.set_by if leaf == key or leaf.startswith(prefix)]:
            self._drop(leaf, by)

    def _drop(self, leaf: str, by: Override) -> None:
        earlier = self.set_by.pop(leaf, None)
        if earlier is None or earlier is by:
            return
        self._left[id(earlier)] -= 1
        if self._left[id(earlier)] == 0:
            self.superseded.append((earlier, by))


def _leaves(key: str, value: Plain) -> Iterator[tuple[str, Plain]]:
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from _leaves(f"{key}.{name}", item)
    else:
        yield key, value


def _ancestors(key: str) -> Iterator[str]:
    position = key.rfind(".")
    while position > 0:
        yield key[:position]
        position = key.rfind(".", 0, position)


def _at(tree: dict[str, Plain], key: str) -> Plain:
    node: Plain = tree
    for part in key.split("."):
        if not isinstance(node, dict):
            return None
        node = node.get(part)
    return node
