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


def as_meant(plan: Plan) -> Plan:
    """The launch as it would be with the config groups that its refused overrides mean to choose; else itself.

    ``actor.model_engine=megatron`` is refused where ``model_engine=megatron`` is meant.
    """
    meant = _meant(plan)
    return replace(plan, configured=plan.without(meant)) if meant else plan


def _consequences(plan: Plan) -> frozenset[int]:
    """Overrides (by ``id``) that are refused only because another refused one does not choose its config group:
    the cause is reported, not what follows from it.
    """
    meant = _meant(plan)
    if not meant:
        return frozenset()
    still = {id(refusal.override) for refusal in plan.without(meant).refusals}
    before = {id(refusal.override) for refusal in plan.configured.refusals}
    return frozenset(before - still - meant.keys())


def _meant(plan: Plan) -> dict[int, Override]:
    """The choices of config groups that refused overrides (by ``id``) mean."""
    base = plan.configured.base
    meant: dict[int, Override] = {}
    if base is None:
        return meant
    for refusal in plan.configured.refusals:
        override = refusal.override
        if override is None or refusal.kind != "no-such-key" or not isinstance(override.value, str):
            continue
        group = override.key.rsplit(".", 1)[-1]
        if group in base.groups and override.value in base.options.get(group, ()):
            text = f"{group}={override.value}"
            word = replace(override.word, pieces=(Piece(text),))
            meant[id(override)] = Override(word, "", group, override.value, override.value)
    return meant


def _plus_reaches(plan: Plan, override: Override, knowledge: Knowledge) -> bool:
    """Whether ``+`` would help: the key lies in a node without a fixed set of keys, or its class has the field."""
    base = plan.configured.base
    if override.op or base is None:
        return False
    if knowledge.class_has_field(base.tree, override.key):
        return True
    node: object = base.tree
    parts = override.key.split(".")
    for depth, part in enumerate(parts):
        if not isinstance(node, dict):
            return False
        if part not in node:
            return depth > 0 and not node
        node = node[part]
    return False
