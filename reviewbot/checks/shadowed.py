"""``shadowed``: another setting wins over this one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from reviewbot.checks.engine_arguments import EngineArgument, engine_arguments
from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan, Recipe, touched
from reviewbot.checks.ruled import ruled
from reviewbot.checks.wording import code, on_path, setting_text, shown
from reviewbot.checks.written import with_value, written_value
from reviewbot.config.model import UNKNOWN, Override, Setting
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth
from reviewbot.text import Span

ID = "shadowed"


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Fields that an engine argument wins over, and overrides that a later one of the same command replaces."""
    for plan in recipe.runs:
        yield from _by_engine_argument(recipe, plan, knowledge)
    yield from ruled(recipe, knowledge, ID)
    yield from _by_later_override(recipe)


def _by_engine_argument(recipe: Recipe, plan: Plan, knowledge: Knowledge) -> Iterator[Finding]:
    trace, effective = plan.trace, plan.configured.effective
    if trace is None or effective is None or not trace.spread_line:
        return
    arguments = {argument.name: argument for argument in engine_arguments(plan, knowledge)}
    overwritten = {write.argument for write in trace.writes if write.stage == "after"}
    for write in trace.writes:
        argument = arguments.get(write.argument)
        if write.stage != "before" or argument is None or write.argument in overwritten:
            continue
        if argument.value is None or argument.value is UNKNOWN or len(write.feeds) != 1:
            continue
        field = write.feeds[0]
        setting = effective.get(field)
        reading = Reading(plan, knowledge)
        if setting is None or setting.set_by is None or write.value != field:
            continue
        if reading.truth(write.condition) is not Truth.TRUE:
            continue
        for key in (field, argument.key, knowledge.framework.backend_key):
            reading.get(key)
        winner, loser = argument.override, setting.set_by
        same = setting.value == argument.value
        evidence = knowledge.evidence(trace.path, write.line, trace.symbol)
        where = say(
            "line {line} also passes {name} as an engine argument",
            line=winner.word.span.line,
            name=code(argument.name),
        )
        if same:
            outcome = say("the same value, {value}", value=code(shown(argument.value)))
        else:
            outcome = say("so the engine gets {value}", value=code(shown(argument.value)))
        yield Finding(
            check=ID,
            severity=Severity.LOW if same else Severity.MEDIUM,
            span=loser.word.span,
            key=loser.key,
            value=loser.value_text or "…",
            message=(
                say(
                    "{setting} does not reach the engine{branch}: {where}, and {symbol} spreads the "
                    "engine arguments over it ({path}:{spread_line}), {outcome}. Keep one of the two.",
                    setting=code(setting_text(loser)),
                    branch=on_path(plan.launch.decisions),
                    where=where,
                    symbol=code(trace.symbol),
                    path=trace.path,
                    spread_line=trace.spread_line,
                    outcome=outcome,
                )
            ),
            confidence=reading.confidence,
            evidence=(evidence, knowledge.evidence(trace.path, trace.spread_line, trace.symbol)),
            intent=_one_of_both(recipe, setting, argument),
            causes=touched(loser.word),
            partners=touched(winner.word),
            related=(
                (
                    winner.word.span,
                    say("passes {name}={value}", name=argument.name, value=shown(argument.value)),
                ),
            ),
        )


def _one_of_both(recipe: Recipe, field: Setting, argument: EngineArgument) -> Intent | None:
    """The field stays, with the value that the engine gets: only the engine reads the argument, others the field."""
    winner, loser = argument.override, field.set_by
    if loser is None or not argument.alone:
        return None
    line = winner.word.span.line
    if field.value == argument.value:
        return Intent(say("Delete the engine argument on line {line}", line=line), remove=(winner.word.span,))
    value = shown(argument.value)
    text = written_value(recipe, winner) or value
    rewrite = with_value(recipe, loser, text, winner.value_text or value)
    if rewrite is None:
        return None
    return Intent(
        say(
            "Set {key}={text} on line {line} and delete the engine argument on line {line2}",
            key=loser.key,
            text=text,
            line=loser.word.span.line,
            line2=line,
        ),
        remove=(winner.word.span,),
        rewrite=(rewrite,),
    )


def _by_later_override(recipe: Recipe) -> Iterator[Finding]:
    """An override is dead where, in every launch that has it, a later one of the same command replaces it."""
    if recipe.shell.partly:
        return
    uses: dict[tuple[Span, str], list[tuple[Plan, Override, Override | None]]] = defaultdict(list)
    for plan in recipe.plans:
        applied = plan.configured.applied
        replaced = {id(loser): winner for loser, winner in applied.superseded} if applied is not None else {}
        for override in plan.configured.arguments.overrides:
            uses[override.word.span, override.key].append((plan, override, replaced.get(id(override))))
    for uses_at in uses.values():
        plan, loser, winner = uses_at[0]
        if winner is None or any(other is None or other.key != winner.key for _, _, other in uses_at):
            continue
        yield _later_wins(plan, loser, winner)


def _later_wins(plan: Plan, loser: Override, winner: Override) -> Finding:
    same = loser.value == winner.value and loser.value is not UNKNOWN
    lost = say("its value") if loser.value is UNKNOWN else code(shown(loser.value))
    verdict = say("the same value") if same else say("so {lost} is never used", lost=lost)
    return Finding(
        check=ID,
        severity=Severity.LOW if same else Severity.MEDIUM,
        span=loser.word.span,
        key=loser.key,
        value=loser.value_text or "…",
        message=(
            say(
                "{setting} is replaced by {setting2} on line {line}{branch}: the last override of a "
                "key wins, {verdict}. Delete the earlier one.",
                setting=code(setting_text(loser)),
                setting2=code(setting_text(winner)),
                line=winner.word.span.line,
                branch=on_path(plan.launch.decisions),
                verdict=verdict,
            )
        ),
        confidence="certain" if plan.launch.on_default_path else "likely",
        intent=Intent(
            say("Delete the override on line {line}", line=loser.word.span.line), remove=(loser.word.span,)
        ),
        causes=touched(loser.word),
        partners=touched(winner.word),
        related=((winner.word.span, say("sets {key} again", key=winner.key)),),
    )
