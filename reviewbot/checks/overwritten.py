"""``overwritten``: the value is replaced after it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reviewbot.checks.engine_arguments import EngineArgument, engine_arguments
from reviewbot.checks.model import Finding, Intent, Rewrite, Severity
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan, Recipe, touched
from reviewbot.checks.wording import code, on_path, setting_text, shown
from reviewbot.config.model import UNKNOWN, Override, Setting
from reviewbot.knowledge.model import Evidence, ServerTrace, ServerWrite
from reviewbot.knowledge.store import Knowledge
from reviewbot.logic import Truth
from reviewbot.text import Span

ID = "overwritten"


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Engine arguments that the server code writes again after it has read ``engine_kwargs``."""
    for plan in recipe.plans:
        if plan.trace is None:
            continue
        for argument in engine_arguments(plan, knowledge):
            write = _deciding_write(plan, plan.trace, argument)
            if write is not None:
                yield _finding(recipe, knowledge, plan, plan.trace, argument, write)


def _deciding_write(
    plan: Plan, trace: ServerTrace, argument: EngineArgument
) -> tuple[ServerWrite, Reading] | None:
    """The last write that certainly happens after the value was read; None where none does."""
    for write in reversed(trace.writes):
        if write.stage != "after" or not _covers(write.argument, argument.name):
            continue
        reading = Reading(plan)
        if reading.truth(write.condition) is Truth.TRUE:
            return write, reading
    return None


def _covers(written: str, argument: str) -> bool:
    return written == argument or argument.startswith(written + ".")


@dataclass(frozen=True)
class _Outcome:
    """What the engine gets instead."""

    agrees: bool | None
    reason: str
    related: tuple[tuple[Span, str], ...]


def _finding(
    recipe: Recipe,
    knowledge: Knowledge,
    plan: Plan,
    trace: ServerTrace,
    argument: EngineArgument,
    decided: tuple[ServerWrite, Reading],
) -> Finding:
    write, reading = decided
    override = argument.override
    outcome = _outcome(knowledge, argument, write, reading)
    evidence = knowledge.evidence(trace.path, write.line, trace.symbol)
    intent, advice = _advice(recipe, knowledge, plan, argument, outcome, write)
    message = (
        f"{code(setting_text(override))} has no effect{on_path(plan.launch.decisions)}: "
        f"{code(trace.symbol)} writes {code(argument.name)} again after it has read the engine arguments"
        f" ({evidence.path}:{evidence.line}), {outcome.reason} {advice}"
    )
    return Finding(
        check=ID,
        severity=Severity.HIGH if outcome.agrees is False else Severity.MEDIUM,
        span=override.word.span,
        key=override.key,
        value=override.value_text or "…",
        message=message,
        confidence=reading.confidence,
        evidence=(evidence, *_spread(trace, evidence)),
        intent=intent,
        causes=touched(override.word),
        related=outcome.related,
    )


def _spread(trace: ServerTrace, evidence: Evidence) -> tuple[Evidence, ...]:
    if not trace.spread_line:
        return ()
    return (Evidence(trace.path, trace.spread_line, trace.symbol, evidence.version),)


def _outcome(
    knowledge: Knowledge, argument: EngineArgument, write: ServerWrite, reading: Reading
) -> _Outcome:
    value = reading.value(write.value)
    related: list[tuple[Span, str]] = []
    because = []
    for key in write.feeds:
        setting = reading.used.get(key)
        if setting is None:
            continue
        because.append(_because(key, setting, related))
    source = f"as {code(knowledge.readable(write.value))}"
    feeds = f", because {' and '.join(because)}" if because else ""
    if value is UNKNOWN:
        return _Outcome(None, f"{source}.", tuple(related))
    if value == argument.value and isinstance(value, bool) == isinstance(argument.value, bool):
        return _Outcome(True, f"{source}. That is already {code(shown(value))}{feeds}.", tuple(related))
    if argument.value is UNKNOWN:
        return _Outcome(None, f"{source}. That is {code(shown(value))}{feeds}.", tuple(related))
    return _Outcome(False, f"{source}. That is {code(shown(value))}{feeds}.", tuple(related))


def _because(key: str, setting: Setting, related: list[tuple[Span, str]]) -> str:
    if setting.set_by is None:
        return f"{code(key)} is {code(shown(setting.value))} by default"
    span = setting.set_by.word.span
    related.append((span, f"sets {key} to {shown(setting.value)}"))
    return f"line {span.line} sets {code(f'{key}={shown(setting.value)}')}"


def _advice(
    recipe: Recipe,
    knowledge: Knowledge,
    plan: Plan,
    argument: EngineArgument,
    outcome: _Outcome,
    write: ServerWrite,
) -> tuple[Intent | None, str]:
    override = argument.override
    line = override.word.span.line
    if not argument.alone:
        return None, f"Remove {code(argument.name)} from the value."
    if outcome.agrees is not False:
        return Intent(f"Delete the override on line {line}", remove=(override.word.span,)), "Delete it."
    wanted = _wanted(recipe, knowledge, plan, argument, write)
    if wanted is None:
        return Intent(f"Delete the override on line {line}", remove=(override.word.span,)), "Delete it."
    key, text, value, existing = wanted
    described = f"{key}={text}"
    advice = f"Set {code(described)} instead."
    if existing is not None:
        written = recipe.source.cut(existing.word.span)
        before, equals, old = written.partition("=")
        if not equals or not before.lstrip("'\"").startswith(existing.op + existing.key):
            return None, advice
        rewrite = Rewrite(
            existing.word.span, f"={old}", f"={text}{_closing(written)}", f"{existing.op}{key}={value}"
        )
        description = f"Set {described} on line {existing.word.span.line} and delete line {line}"
        return Intent(description, remove=(override.word.span,), rewrite=(rewrite,)), advice
    written = recipe.source.cut(override.word.span)
    quote = written[:1] if written[:1] in "'\"" and written.endswith(written[:1]) else ""
    rewrite = Rewrite(override.word.span, written, f"{quote}{key}={text}{quote}", f"{key}={value}")
    return Intent(f"Replace the override by {described}", rewrite=(rewrite,)), advice


def _closing(written: str) -> str:
    return written[0] if written[:1] in ("'", '"') and written.endswith(written[0]) else ""


def _wanted(
    recipe: Recipe, knowledge: Knowledge, plan: Plan, argument: EngineArgument, write: ServerWrite
) -> tuple[str, str, str, Override | None] | None:
    """The key to set instead, the text to write, its value, and the override that sets the key now."""
    setting = knowledge.replacement(argument.key, argument.value, write)
    if setting is None:
        return None
    key, expression = setting
    reading = Reading(plan)
    value = reading.value(expression)
    if value is UNKNOWN or isinstance(value, (dict, list)):
        return None
    effective = plan.configured.effective
    current = effective.get(key) if effective is not None else None
    if current is None or current.value == value:
        return None
    return key, _text_for(recipe, reading, value), shown(value), current.set_by


def _text_for(recipe: Recipe, reading: Reading, value: object) -> str:
    """The value as text; where one override of the script already has that value through a variable, its text."""
    for setting in reading.used.values():
        if setting.set_by is None or setting.value != value:
            continue
        written = recipe.source.cut(setting.set_by.word.span)
        _, equals, text = written.partition("=")
        if equals and text.startswith("${") and text.endswith("}") and text.count("$") == 1:
            return text
    return shown(value)
