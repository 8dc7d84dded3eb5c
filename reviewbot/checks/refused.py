"""Overrides that Hydra refuses, and what the author most likely meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from reviewbot.checks.recipe import Plan, Recipe
from reviewbot.config.effective import nearest
from reviewbot.config.model import Override, Refusal
from reviewbot.knowledge.store import Knowledge
from reviewbot.shell.model import Piece


@dataclass(frozen=True)
class Refused:
    """One refused override of one launch."""

    plan: Plan
    override: Override
    refusal: Refusal
    needs_plus: bool
    """True where the plain form is refused and the same override with ``+`` would reach something."""

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """Keys of the config that may have been meant, best first."""
        base = self.plan.configured.base
        return nearest(self.override.key, base) if base is not None and not self.needs_plus else ()


def refused_overrides(recipe: Recipe, knowledge: Knowledge, kinds: tuple[str, ...]) -> Iterator[Refused]:
    """The refused overrides of a recipe, of the given kinds; each place and key once."""
    seen = set()
    for plan in recipe.plans:
        consequences = _consequences(plan)
        for refusal in plan.configured.refusals:
            override = refusal.override
            if refusal.kind not in kinds or override is None or id(override) in consequences:
                continue
            identity = (override.word.span, override.op, override.key)
            if identity in seen:
                continue
            seen.add(identity)
            plus = refusal.kind == "no-such-key" and _plus_reaches(plan, override, knowledge)
            yield Refused(plan, override, refusal, plus)


def _consequences(plan: Plan) -> frozenset[int]:
    """Overrides (by ``id``) that are refused only because another refused one does not choose its config group.

    ``actor.model_engine=megatron`` is refused, and so is every key that only ``model_engine=megatron`` brings:
    the cause is reported, not what follows from it.
    """
    base = plan.configured.base
    if base is None:
        return frozenset()
    meant: dict[int, Override] = {}
    for refusal in plan.configured.refusals:
        override = refusal.override
        if override is None or refusal.kind != "no-such-key" or not isinstance(override.value, str):
            continue
        group = override.key.rsplit(".", 1)[-1]
        if group in base.groups and override.value in base.options.get(group, ()):
            text = f"{group}={override.value}"
            word = replace(override.word, pieces=(Piece(text),))
            meant[id(override)] = Override(word, "", group, override.value, override.value)
    if not meant:
        return frozenset()
    still = {id(refusal.override) for refusal in plan.without(meant).refusals}
    before = {id(refusal.override) for refusal in plan.configured.refusals}
    return frozenset(before - still - meant.keys())


def _plus_reaches(plan: Plan, override: Override, knowledge: Knowledge) -> bool:
    """Whether ``+`` would help: the key lies in a node without a fixed set of keys, or its class has the field."""
    if override.op:
        return False
    if knowledge.class_has_field(plan.entry_point, override.key):
        return True
    base = plan.configured.base
    node: object = base.tree if base is not None else None
    parts = override.key.split(".")
    for depth, part in enumerate(parts):
        if not isinstance(node, dict):
            return False
        if part not in node:
            return depth > 0 and not node
        node = node[part]
    return False
