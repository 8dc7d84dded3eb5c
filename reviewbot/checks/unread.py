"""Overrides that no code works with in a launch, by what the framework's source reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan
from reviewbot.config.model import UNKNOWN, Override, Plain
from reviewbot.knowledge.conditions import keys_of
from reviewbot.knowledge.placing import node_at
from reviewbot.knowledge.reads.model import CHECKED, DEAD, EntryUsage, Judged
from reviewbot.knowledge.store import Knowledge
from reviewbot.logic import Truth


@dataclass(frozen=True)
class Unread:
    """An override of a launch, and what becomes of the keys that it decides."""

    plan: Plan
    override: Override
    judged: tuple[tuple[str, Judged], ...]
    """Each key that it decides."""
    reading: Reading
    """The settings that the verdicts assume."""
    repeats_default: bool = False
    """Whether something checks it in a way that is not understood, and it has the value of the config files."""


def unread_overrides(plan: Plan, knowledge: Knowledge) -> Iterator[Unread]:
    """The overrides of a launch none of whose keys anything works with."""
    applied, base = plan.configured.applied, plan.configured.base
    if applied is None or base is None or foreign_config(plan) or has_hook_variable(plan, knowledge):
        return
    usage = knowledge.usage(plan.entry_point)
    if usage is None:
        return
    decided: dict[int, list[str]] = {}
    for key, override in applied.set_by.items():
        decided.setdefault(id(override), []).append(key)
    hooked: tuple[str, ...] | None = None
    for override in plan.configured.arguments.overrides:
        keys = decided.get(id(override))
        if not keys:
            continue
        found = _judged(plan, knowledge, usage, override, keys)
        if found is None:
            continue
        hooked = _hooked(plan, knowledge) if hooked is None else hooked
        if any(_below(key, node) for key in keys for node in hooked) or _referred_to(plan, override, keys):
            continue
        outcomes = {_checks_of(plan, knowledge, key, judged) for key, judged in found.judged}
        if "may refuse" not in outcomes:
            yield replace(found, repeats_default="repeats default" in outcomes)


def _judged(
    plan: Plan, knowledge: Knowledge, usage: EntryUsage, override: Override, keys: list[str]
) -> Unread | None:
    reading = Reading(plan, knowledge)
    judged = []
    for key in keys:
        verdict = usage.judged(key, reading.get)
        if verdict.verdict not in DEAD:
            return None
        judged.append((key, verdict))
    assumed = {name for _, verdict in judged if verdict.scope is not None for name, _ in verdict.scope.pins}
    reading.used = {name: setting for name, setting in reading.used.items() if name in assumed}
    return Unread(plan, override, tuple(judged), reading)


def foreign_config(plan: Plan) -> bool:
    """Whether the launch composes another folder's config: it may use the keys for something of its own."""
    base = plan.configured.base
    return base is None or base.origin.rpartition("/")[0] != plan.entry_point.config_dir


def has_hook_variable(plan: Plan, knowledge: Knowledge) -> bool:
    """Whether the environment of a launch makes the framework import code that is not its own."""
    return any(name in plan.launch.env for name in knowledge.framework.hook_variables)


def _hooked(plan: Plan, knowledge: Knowledge) -> tuple[str, ...]:
    """The config nodes that code which is not the framework's may read."""
    effective = plan.configured.effective
    found: list[str] = []
    for hook in knowledge.framework.hooks:
        setting = effective.get(hook.key) if effective is not None else None
        if setting is not None and setting.value not in (None, "", "null"):
            found += hook.nodes
    return tuple(found)


def _below(key: str, node: str) -> bool:
    return not node or key == node or key.startswith(f"{node}.")


def _referred_to(plan: Plan, override: Override, keys: list[str]) -> bool:
    """Whether another override's value may refer to one of the keys."""
    names = {key.rpartition(".")[2] for key in keys}
    for other in plan.configured.arguments.overrides:
        if other is override:
            continue
        text = _text(other.value)
        if "${" in text and any(name in text for name in names):
            return True
    return False


def _text(value: Plain) -> str:
    return "${…}" if value is UNKNOWN else str(value)


def _checks_of(plan: Plan, knowledge: Knowledge, key: str, judged: Judged) -> str:
    """``passes`` where a key may have any value, as far as the framework's own checks of it are understood.

    A check that is not understood passes the value that the config files have: ``repeats default``.
    """
    applied, base = plan.configured.applied, plan.configured.base
    if judged.verdict != CHECKED:
        return "passes"
    if applied is None or base is None:
        return "may refuse"
    constraints = [
        constraint
        for constraint in knowledge.constraints(plan.entry_point, applied.tree)
        if key in keys_of(constraint.requires) or key in keys_of(constraint.when)
    ]
    for constraint in constraints:
        needed = key in keys_of(constraint.requires)
        if needed and Reading(plan, knowledge).truth(constraint.when) is not Truth.FALSE:
            return "may refuse"
    understood = {(constraint.path, constraint.symbol) for constraint in constraints}
    if all((site.path, site.symbol) in understood for site in judged.sites):
        return "passes"
    default = node_at(base.tree, key)
    setting = plan.configured.effective.get(key) if plan.configured.effective is not None else None
    same = setting is not None and type(setting.value) is type(default) and setting.value == default
    return "repeats default" if same else "may refuse"
