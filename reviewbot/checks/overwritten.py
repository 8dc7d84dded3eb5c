"""``overwritten``: the value is replaced after it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from reviewbot.checks.engine_arguments import EngineArgument, engine_arguments, passes_other_engine
from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.moving import move
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan, Recipe
from reviewbot.checks.ruled import ruled
from reviewbot.checks.wording import code, on_path, setting_text, shown
from reviewbot.config.model import UNKNOWN, Override, Plain, Setting
from reviewbot.knowledge.conditions import keys_of
from reviewbot.knowledge.model import Evidence, ServerTrace, ServerWrite
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth
from reviewbot.text import Span

ID = "overwritten"


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Engine arguments that the server writes again, and config keys that the framework's own code assigns."""
    by_plan = [(plan, tuple(_all_lost(knowledge, plan))) for plan in recipe.runs]
    alive = {place for plan, lost in by_plan for place in _alive(knowledge, plan, lost)}
    for plan, all_lost in by_plan:
        for lost in all_lost:
            finding = _finding(recipe, knowledge, plan, lost)
            if finding.severity is Severity.HIGH or _place(lost.override) not in alive:
                yield finding
    yield from ruled(recipe, knowledge, ID)


def _all_lost(knowledge: Knowledge, plan: Plan) -> Iterator[_Lost]:
    if plan.trace is not None:
        for argument in engine_arguments(plan, knowledge):
            lost = _lost_argument(knowledge, plan, plan.trace, argument)
            if lost is not None:
                yield lost
    yield from _lost_keys(knowledge, plan)


def _alive(knowledge: Knowledge, plan: Plan, all_lost: tuple[_Lost, ...]) -> Iterator[tuple[Span, str]]:
    """The overrides that may have an effect in a launch.

    What makes no difference in one launch of a script is needed there if it makes one in another.
    """
    lost = {_place(item.override) for item in all_lost}
    for override in plan.configured.arguments.overrides:
        place = _place(override)
        if place not in lost and not passes_other_engine(plan, override.word.span, knowledge):
            yield place


def _place(override: Override) -> tuple[Span, str]:
    return override.word.span, override.key


@dataclass(frozen=True)
class _Lost:
    """A value that a script sets and the framework's code replaces."""

    override: Override
    value: Plain
    """What the script sets."""
    alone: bool
    """Whether the override sets nothing else."""
    expression: str
    """What the framework writes instead."""
    verb: str
    """``writes `x` again after it has read the engine arguments``"""
    reading: Reading
    evidence: tuple[Evidence, ...]
    wanted: tuple[str, str] | None
    """The key to set instead and the expression of its value, where there is one."""


def _lost_argument(
    knowledge: Knowledge, plan: Plan, trace: ServerTrace, argument: EngineArgument
) -> _Lost | None:
    """An engine argument, with the last write that certainly happens after the value was read."""
    for write in reversed(trace.writes):
        if write.stage != "after" or not _covers(write.argument, argument.name):
            continue
        reading = Reading(plan, knowledge)
        reading.get(knowledge.framework.backend_key)
        if reading.truth(write.condition) is not Truth.TRUE:
            continue
        return _Lost(
            argument.override,
            argument.value,
            argument.alone,
            write.value,
            say("writes {name} again after it has read the engine arguments", name=code(argument.name)),
            reading,
            _evidence(knowledge, trace, write),
            knowledge.replacement(argument.key, argument.value, write),
        )
    return None


def _covers(written: str, argument: str) -> bool:
    return written == argument or argument.startswith(written + ".")


def _evidence(knowledge: Knowledge, trace: ServerTrace, write: ServerWrite) -> tuple[Evidence, ...]:
    lines = [write.line, *([trace.spread_line] if trace.spread_line else [])]
    return tuple(knowledge.evidence(trace.path, line, trace.symbol) for line in lines)


def _lost_keys(knowledge: Knowledge, plan: Plan) -> Iterator[_Lost]:
    """Config keys that the framework assigns, each with the last assignment that certainly happens."""
    applied, effective = plan.configured.applied, plan.configured.effective
    if applied is None or effective is None:
        return
    found: dict[str, _Lost] = {}
    required = _required_keys(knowledge, plan)
    for write in knowledge.config_writes(plan.entry_point, applied.tree):
        setter = applied.set_by.get(write.key)
        setting = effective.get(write.key)
        if setter is None or setter.key != write.key or setting is None or write.key in keys_of(write.value):
            continue
        if write.on_object and write.key in required():
            continue
        reading = Reading(plan, knowledge)
        if reading.truth(write.when) is not Truth.TRUE:
            continue
        reading.get(write.key)
        moves = _is_key(write.value, effective.get(write.value)) and isinstance(
            setting.value, (bool, int, float, str)
        )
        found[write.key] = _Lost(
            setter,
            setting.value,
            True,
            write.value,
            say("assigns {key} itself", key=code(write.key)),
            reading,
            (knowledge.evidence(write.path, write.line, write.symbol),),
            (write.value, repr(setting.value)) if moves else None,
        )
    yield from found.values()


def _required_keys(knowledge: Knowledge, plan: Plan) -> Callable[[], frozenset[str]]:
    """The keys that some check of the framework looks at: an object made from their node is not all that reads them."""

    @cache
    def keys() -> frozenset[str]:
        applied = plan.configured.applied
        tree = applied.tree if applied is not None else {}
        return frozenset(
            key
            for constraint in knowledge.constraints(plan.entry_point, tree)
            if Reading(plan, knowledge).truth(constraint.when) is not Truth.FALSE
            for key in keys_of(constraint.requires)
        )

    return keys


def _is_key(expression: str, setting: Setting | None) -> bool:
    """Whether an expression is one config key that no override of the script sets yet."""
    return setting is not None and setting.set_by is None and keys_of(expression) == (expression,)


@dataclass(frozen=True)
class _Outcome:
    """What runs instead."""

    agrees: bool | None
    """Whether that is what the script asked for; None where it is not known."""
    reason: str
    related: tuple[tuple[Span, str], ...]


def _finding(recipe: Recipe, knowledge: Knowledge, plan: Plan, lost: _Lost) -> Finding:
    override = lost.override
    outcome = _outcome(knowledge, lost)
    where = lost.evidence[0]
    intent, advice = _advice(recipe, knowledge, plan, lost, outcome)
    return finding_on(
        override,
        check=ID,
        severity=Severity.HIGH if outcome.agrees is False else Severity.MEDIUM,
        message=(
            say(
                "{setting} has no effect{branch}: {symbol} {verb} ({path}:{line}), {reason} {advice}",
                setting=code(setting_text(override)),
                branch=on_path(plan.launch.decisions),
                symbol=code(where.symbol),
                verb=lost.verb,
                path=where.path,
                line=where.line,
                reason=outcome.reason,
                advice=advice,
            )
        ),
        confidence=lost.reading.confidence,
        evidence=lost.evidence,
        intent=intent,
        related=outcome.related,
    )


def _outcome(knowledge: Knowledge, lost: _Lost) -> _Outcome:
    value = lost.reading.value(lost.expression)
    related: list[tuple[Span, str]] = []
    because = [
        _because(key, setting, related)
        for key in keys_of(lost.expression)
        if (setting := lost.reading.used.get(key)) is not None
    ]
    source = say("as {expression}", expression=code(knowledge.readable(lost.expression)))
    feeds = say(", because {because}", because=say(" and ").join(because)) if because else ""
    if value is UNKNOWN:
        return _Outcome(None, f"{source}.", tuple(related))
    if lost.value is UNKNOWN:
        return _Outcome(
            None,
            say("{source}. That is {value}{feeds}.", source=source, value=code(shown(value)), feeds=feeds),
            tuple(related),
        )
    if value == lost.value and isinstance(value, bool) == isinstance(lost.value, bool):
        return _Outcome(
            True,
            say(
                "{source}. That is already {value}{feeds}.",
                source=source,
                value=code(shown(value)),
                feeds=feeds,
            ),
            tuple(related),
        )
    return _Outcome(
        False,
        say("{source}. That is {value}{feeds}.", source=source, value=code(shown(value)), feeds=feeds),
        tuple(related),
    )


def _because(key: str, setting: Setting, related: list[tuple[Span, str]]) -> str:
    if setting.set_by is None:
        return say("{key} is {value} by default", key=code(key), value=code(shown(setting.value)))
    span = setting.set_by.word.span
    related.append((span, say("sets {key} to {value}", key=key, value=shown(setting.value))))
    return say("line {line} sets {setting}", line=span.line, setting=code(f"{key}={shown(setting.value)}"))


def _advice(
    recipe: Recipe, knowledge: Knowledge, plan: Plan, lost: _Lost, outcome: _Outcome
) -> tuple[Intent | None, str]:
    override = lost.override
    if not lost.alone:
        return None, say("Remove it from the value.")
    delete = Intent(
        say("Delete the override on line {line}", line=override.word.span.line), remove=(override.word.span,)
    )
    if outcome.agrees is not False:
        return delete, say("Delete it.")
    moved = (
        None
        if lost.wanted is None
        else move(recipe, Reading(plan, knowledge), override, lost.value, lost.wanted)
    )
    if moved is None:
        return delete, say("Delete it.")
    return moved.intent, say("Set {setting} instead.", setting=code(moved.setting))
