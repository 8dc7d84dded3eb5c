"""The engine arguments that a launch passes through ``engine_kwargs``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reviewbot.checks.recipe import Plan
from reviewbot.config.model import Override, Plain
from reviewbot.knowledge.store import Knowledge
from reviewbot.text import Span


@dataclass(frozen=True)
class EngineArgument:
    """One argument of the engine, as a script sets it."""

    name: str
    """Relative to the engine's own arguments: ``enable_expert_parallel``; nested ones dotted."""
    key: str
    """The config key."""
    value: Plain
    override: Override
    alone: bool
    """Whether the override sets nothing else."""


def engine_arguments(
    plan: Plan, knowledge: Knowledge, backend: str | None = None
) -> Iterator[EngineArgument]:
    """The arguments for a backend (default: the selected one) that overrides of the launch decide."""
    backend = backend or plan.backend
    effective = plan.configured.effective
    if backend is None or effective is None:
        return
    node = knowledge.framework.engine_key(backend)
    prefix = node + "."
    leaves = [(key, effective.get(key)) for key in effective.keys(node)]
    for key, setting in leaves:
        if setting is None or setting.set_by is None or not key.startswith(prefix):
            continue
        alone = sum(1 for _, other in leaves if other is not None and other.set_by is setting.set_by) == 1
        yield EngineArgument(key[len(prefix) :], key, setting.value, setting.set_by, alone)


def passes_other_engine(plan: Plan, span: Span, knowledge: Knowledge) -> bool:
    """Whether the word at ``span`` only passes an argument to an engine that the launch does not start."""
    if plan.backend is None:
        return False
    others = tuple(
        knowledge.framework.engine_key(other) + "." for other in knowledge.backends if other != plan.backend
    )
    overrides = plan.overrides_at.get(span, ())
    return bool(overrides) and all(item.key.startswith(others) for item in overrides)
