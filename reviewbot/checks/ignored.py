"""``ignored``: nothing reads it under this backend or entry point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from reviewbot.checks.engine_arguments import engine_arguments
from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan, Recipe, touched
from reviewbot.checks.ruled import Advised, advised, ruled
from reviewbot.checks.unread import Unread, unread_overrides
from reviewbot.checks.wording import code, on_path, setting_text, shown
from reviewbot.config.model import UNKNOWN, Override
from reviewbot.knowledge.model import Evidence, ServerTrace
from reviewbot.knowledge.reads.model import CHECKED, FED, Judged, Site
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth
from reviewbot.shell.model import Known
from reviewbot.text import Span

ID = "ignored"
_EFFECTS = (ID, "renamed", "removed")
"""What rules may say of an override that nothing reads; with an old name it is a finding of ``renamed``."""


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Overrides that nothing reads, arguments for another engine, values that never reach the engine."""
    if recipe.shell.partly:
        return
    uses: dict[tuple[Span, str], list[Plan]] = defaultdict(list)
    for plan in recipe.plans:
        for override in plan.configured.arguments.overrides:
            uses[override.word.span, override.key].append(plan)
    found: dict[tuple[Span, str], list[Finding]] = defaultdict(list)
    for plan in recipe.runs:
        for finding in _of_launch(recipe, plan, knowledge):
            found[finding.span, finding.key].append(finding)
    for place, findings in found.items():
        if len({finding.rule for finding in findings}) == 1 and len(findings) == len(uses[place]):
            yield findings[0]
    yield from ruled(recipe, knowledge, ID)


def _of_launch(recipe: Recipe, plan: Plan, knowledge: Knowledge) -> Iterator[Finding]:
    """What one launch ignores; an override is only dead where every launch that has it ignores it."""
    seen = set()
    for unread in unread_overrides(plan, knowledge):
        seen.add(unread.override.word.span)
        yield _unread(recipe, unread, knowledge)
    for finding in (
        *_for_other_engines(plan, knowledge),
        *_not_taken(plan, knowledge),
        *_dropped(plan, knowledge),
    ):
        if finding.span not in seen:
            yield finding


# what nothing reads


def _unread(recipe: Recipe, unread: Unread, knowledge: Knowledge) -> Finding:
    plan, override = unread.plan, unread.override
    key, judged = unread.judged[0]
    delete = Intent(
        say("Delete the override on line {line}", line=override.word.span.line), remove=(override.word.span,)
    )
    advice = None if unread.repeats_default else advised(recipe, knowledge, plan, override, *_EFFECTS)
    advice = advice or Advised(say(" Delete it."), delete)
    severity = advice.severity or (Severity.LOW if unread.repeats_default else Severity.MEDIUM)
    return finding_on(
        override,
        check=advice.check or ID,
        rule=advice.rule,
        severity=severity,
        message=(
            say(
                "{setting} has no effect{branch}: {why}{assuming}.{sentence}",
                setting=code(setting_text(override)),
                branch=on_path(plan.launch.decisions),
                why=_why(key, judged, plan),
                assuming=_assuming(unread, judged),
                sentence=advice.sentence,
            )
        ),
        confidence=unread.reading.confidence,
        evidence=tuple(_evidence(knowledge, key, judged, plan)),
        intent=advice.intent,
        partners=tuple(
            span
            for setting in unread.reading.used.values()
            if setting.set_by is not None
            for span in touched(setting.set_by.word)
        ),
    )


def _why(key: str, judged: Judged, plan: Plan) -> str:
    runs = say("nothing that {module} runs", module=code(plan.entry_point.module))
    if judged.verdict == CHECKED and judged.sites:
        return say(
            "{runs} works with {key}, {at} only looks at it",
            runs=runs,
            key=code(key),
            at=_at(judged.sites[0]),
        )
    if judged.verdict == FED and judged.use is not None and judged.use.into:
        into = say(" and ").join(code(item) for item in judged.use.into[:2])
        return say("it is only copied to {into}, which {runs} reads", into=into, runs=runs)
    declared = judged.declared
    where = f" ({declared.path}:{declared.line})" if declared is not None else ""
    return say("{runs} reads {key}{where}", runs=runs, key=code(key), where=where)


def _at(site: Site) -> str:
    return f"{code(site.symbol)} ({site.path}:{site.line})" if site.symbol else f"{site.path}:{site.line}"


def _assuming(unread: Unread, judged: Judged) -> str:
    """`` while `trainer.use_v1` is `True` (by default)``; of several assumptions, those that choose more matter."""
    if judged.scope is None:
        return ""
    used = unread.reading.used
    pins = [(name, value, used[name].set_by) for name, value in judged.scope.pins if name in used]
    telling = [pin for pin in pins if not isinstance(pin[1], bool) or pin[2] is not None] or pins
    parts = []
    for name, value, setter in telling:
        told = {"key": code(name), "value": code(shown(value))}
        if setter is None:
            parts.append(say("{key} is {value} (by default)", **told))
        else:
            parts.append(say("{key} is {value} (line {line})", **told, line=setter.word.span.line))
    return say(" while {parts}", parts=say(" and ").join(parts))


def _evidence(knowledge: Knowledge, key: str, judged: Judged, plan: Plan) -> Iterator[Evidence]:
    looked = judged.sites[:1] if judged.verdict in (CHECKED, FED) else ()
    found = [*looked, *([judged.declared] if judged.declared is not None else [])]
    for site in found:
        yield knowledge.evidence(site.path, site.line, site.symbol or key)
    if not found:
        yield knowledge.evidence(plan.entry_point.path, plan.entry_point.line, plan.entry_point.module)


# arguments for an engine that is not started


def _for_other_engines(plan: Plan, knowledge: Knowledge) -> Iterator[Finding]:
    """Often wanted, so that the engine can be changed in one place: worth a low word, no more."""
    trace, backend = plan.trace, plan.backend
    if trace is None or backend is None or plan.configured.applied is None:
        return
    reading = Reading(plan, knowledge)
    reading.get(knowledge.framework.backend_key)
    for other in knowledge.backends:
        if other == backend:
            continue
        for argument in engine_arguments(plan, knowledge, other):
            override = argument.override
            if not argument.alone or override.key != argument.key:
                continue
            wanted = knowledge.framework.engine_key(backend)
            yield finding_on(
                override,
                check=ID,
                severity=Severity.LOW,
                message=(
                    say(
                        "{setting} reaches nothing{branch}: it is for {other}, and {backend_key} is "
                        "{backend}, whose server reads {wanted} only.",
                        setting=code(setting_text(override)),
                        branch=on_path(plan.launch.decisions),
                        other=code(other),
                        backend_key=code(knowledge.framework.backend_key),
                        backend=code(backend),
                        wanted=code(wanted),
                    )
                ),
                rule="other-engine",
                confidence=reading.confidence,
                evidence=(knowledge.evidence(trace.path, trace.spread_line or 1, trace.symbol),),
            )


# arguments that the server does not take


def _not_taken(plan: Plan, knowledge: Knowledge) -> Iterator[Finding]:
    """Engine arguments other than those that a server reads by name, where it passes on no others."""
    trace = plan.trace
    if trace is None or trace.only is None:
        return
    taken = (*trace.only, *trace.honoured)
    for argument in engine_arguments(plan, knowledge):
        if not argument.alone or argument.name.partition(".")[0] in taken:
            continue
        override = argument.override
        reading = Reading(plan, knowledge)
        reading.get(knowledge.framework.backend_key)
        reading.truth(trace.condition)
        named = say(" and ").join(map(code, trace.only)) or say("none of them")
        line = trace.writes[0].line if trace.writes else 1
        yield finding_on(
            override,
            check=ID,
            severity=Severity.MEDIUM,
            message=(
                say(
                    "{setting} has no effect{branch}: of the engine arguments {symbol} "
                    "({path}:{line}) takes {named} only. Delete it.",
                    setting=code(setting_text(override)),
                    branch=on_path(plan.launch.decisions),
                    symbol=code(trace.symbol),
                    path=trace.path,
                    line=line,
                    named=named,
                )
            ),
            rule="not-taken",
            confidence=reading.confidence,
            evidence=(knowledge.evidence(trace.path, line, trace.symbol),),
            intent=Intent(
                say("Delete the override on line {line}", line=override.word.span.line),
                remove=(override.word.span,),
            ),
        )


# values that never reach the engine


def _dropped(plan: Plan, knowledge: Knowledge) -> Iterator[Finding]:
    """``False`` for an argument that is on unless the engine is told otherwise, where the server drops it."""
    trace, effective = plan.trace, plan.configured.effective
    if trace is None or effective is None or "False" not in trace.drops:
        return
    on = knowledge.framework.on_by_default.get(trace.backend, ())
    passed = {argument.name: argument for argument in engine_arguments(plan, knowledge)}
    for write in trace.writes:
        if write.argument not in on or write.stage != "before" or len(write.feeds) != 1:
            continue
        setting = effective.get(write.value)
        if (
            setting is None
            or setting.set_by is None
            or write.argument in passed
            or setting.value is not False
        ):
            continue
        reading = Reading(plan, knowledge)
        if reading.truth(write.condition) is Truth.TRUE:
            yield _never_passed(plan, knowledge, trace, reading, write.argument, write.line, setting.set_by)
    for name, argument in passed.items():
        if name in on and argument.value is False and argument.alone:
            reading = Reading(plan, knowledge)
            yield _never_passed(plan, knowledge, trace, reading, name, trace.spread_line, argument.override)


def _never_passed(
    plan: Plan,
    knowledge: Knowledge,
    trace: ServerTrace,
    reading: Reading,
    argument: str,
    line: int,
    override: Override,
) -> Finding:
    reading.get(knowledge.framework.backend_key)
    drops = knowledge.evidence(trace.drops_path or trace.path, trace.drops_line, say("False is left out"))
    certain = override.known is Known.YES and override.value is not UNKNOWN
    return finding_on(
        override,
        check=ID,
        severity=Severity.MEDIUM,
        message=(
            say(
                "{setting} never reaches {backend}{branch}: the command line of its server is made "
                "without the arguments that are {text} ({path}:{line}), so {backend}'s own default "
                "for {argument} decides, which is on for most models.",
                setting=code(setting_text(override)),
                backend=trace.backend,
                branch=on_path(plan.launch.decisions),
                text=code("False"),
                path=drops.path,
                line=drops.line,
                argument=code(argument),
            )
        ),
        rule="false-never-passed",
        confidence=reading.confidence if certain else "likely",
        evidence=(drops, knowledge.evidence(trace.path, line, trace.symbol)),
    )
