"""``unknown-key``: Hydra refuses the override, config name or entry point because the config has no such thing."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.checks.fields import no_field
from reviewbot.checks.model import Finding, Intent, Rewrite, Severity
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.recipe import Plan, Recipe, touched
from reviewbot.checks.refused import Refused, refused_overrides
from reviewbot.checks.wording import code, on_path, setting_text
from reviewbot.config.model import Override
from reviewbot.config.nearest import is_slip
from reviewbot.knowledge.model import Evidence
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.shell.model import Known, Launch, Word
from reviewbot.text import SourceText

ID = "unknown-key"

_KINDS = ("no-such-key", "no-such-group", "no-such-choice", "delete-missing", "type")


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Keys that are not in the config, choices and config names that do not exist, modules that are not there."""
    for refused in refused_overrides(recipe, knowledge, _KINDS):
        if not refused.needs_plus:
            yield _no_such_key(recipe, refused, knowledge)
    yield from _no_such_config(recipe, knowledge)
    yield from _no_such_module(recipe, knowledge)


def _no_such_key(recipe: Recipe, refused: Refused, knowledge: Knowledge) -> Finding:
    override, plan = refused.override, refused.plan
    best = refused.candidates[0] if refused.candidates else None
    renamed = knowledge.renamed(override.key)
    removed = next(knowledge.rules_on(override.key, "removed"), None)
    intent, advice = None, ""
    if renamed is not None:
        advice = say(" It is now {renamed}.", renamed=code(renamed))
        intent = _rename(recipe.source, override, renamed)
    elif removed is not None:
        advice = f" {removed.said}"
    elif best is not None and _sure(override.key, best, refused.candidates):
        group = plan.configured.base is not None and best in plan.configured.base.groups
        what = say("is a config group at the top of the config") if group else say("is the key of that name")
        advice = say(
            " {best} {what}: did you mean {with_value}?",
            best=code(best),
            what=what,
            with_value=code(_with_value(best, override)),
        )
        intent = _rename(recipe.source, override, best)
    else:
        near = [candidate for candidate in refused.candidates if _is_nearby(override.key, candidate)]
        slips = [candidate for candidate in near if is_slip(override.key, candidate)]
        if near:
            advice = say(" Did you mean {keys}?", keys=say(" or ").join(map(code, slips or near)))
        if len(slips) == 1:
            intent = _rename(recipe.source, override, slips[0])
    message, evidence = _without_hint(refused.refusal.message), _config_evidence(plan, knowledge)
    lacking = no_field(knowledge, plan, override.key) if intent is None and not override.op else None
    if lacking is not None:
        message = say("the config has no such key, and {why}", why=lacking.sentence())
        evidence = (*evidence, lacking.evidence(knowledge))
    return finding_on(
        override,
        check=ID,
        severity=Severity.HIGH,
        message=(
            say(
                "Hydra refuses {setting}{branch} and the run ends there: {message}.{advice}",
                setting=code(setting_text(override)),
                branch=on_path(plan.launch.decisions),
                message=message,
                advice=advice,
            )
        ),
        confidence="certain" if plan.launch.on_default_path else "likely",
        evidence=evidence,
        intent=intent,
    )


def _without_hint(message: str) -> str:
    """Hydra's words without its advice to append the key: what nothing reads is not to be added."""
    return message.partition(": to append")[0].rstrip(".")


def _with_value(key: str, override: Override) -> str:
    return key if override.value_text is None else f"{key}={override.value_text}"


def _sure(key: str, best: str, candidates: tuple[str, ...]) -> bool:
    """Whether the best candidate stands out: the same last name, nearby, and no other candidate shares it."""
    last = key.rsplit(".", 1)[-1]
    same = [candidate for candidate in candidates if candidate.rsplit(".", 1)[-1] == last]
    return same == [best] and _is_nearby(key, best)


def _is_nearby(key: str, candidate: str) -> bool:
    """Whether it is in the same part of the config, or at its top: ``enable`` elsewhere means something else."""
    return "." not in candidate or candidate.split(".", 1)[0] == key.split(".", 1)[0]


def _rename(source: SourceText, override: Override, key: str) -> Intent | None:
    """Write the override with another key and no operator; None where the key is not written there."""
    old = override.op + override.key
    if old not in source.cut(override.word.span):
        return None
    result = f"{key}={override.value_text}" if override.value_text is not None else None
    return Intent(
        say(
            "Rename {key} to {key2} on line {line}", key=override.key, key2=key, line=override.word.span.line
        ),
        rewrite=(Rewrite(override.word.span, old, key, result),),
    )


def _config_evidence(plan: Plan, knowledge: Knowledge) -> tuple[Evidence, ...]:
    origin = plan.configured.base.origin if plan.configured.base is not None else plan.entry_point.path
    return (knowledge.evidence(origin, 1, plan.configured.base.config_name if plan.configured.base else ""),)


def _no_such_config(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    seen = set()
    for plan in recipe.plans:
        for refusal in plan.configured.refusals:
            if refusal.kind != "no-such-config":
                continue
            word = _config_word(plan.launch, plan.configured.arguments.config_name)
            if word.span in seen:
                continue
            seen.add(word.span)
            name = plan.configured.arguments.config_name or plan.entry_point.config_name
            yield _launch_finding(
                plan.launch,
                word,
                name,
                say(
                    "{module} has no config {name}{branch}, and the run ends there: {message}.",
                    module=code(plan.entry_point.module),
                    name=code(name),
                    branch=on_path(plan.launch.decisions),
                    message=refusal.message.rstrip("."),
                ),
                (knowledge.evidence(plan.entry_point.path, plan.entry_point.line, plan.entry_point.module),),
            )


def _config_word(launch: Launch, name: str | None) -> Word:
    options = ("--config-name", "-cn", "--config-path", "-cp", "--config-dir", "-cd")
    for word in launch.arguments:
        if word.prefix.startswith(options) and (
            name is None or name in word.prefix or "=" not in word.prefix
        ):
            return word
    return launch.entry_point


def _no_such_module(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    seen = set()
    for missing in recipe.missing:
        word = missing.launch.entry_point
        if word.span in seen:
            continue
        seen.add(word.span)
        replaced = knowledge.renamed_module(missing.module)
        advice = say(" It is now {replaced}.", replaced=code(replaced)) if replaced else ""
        yield _launch_finding(
            missing.launch,
            word,
            missing.module,
            say(
                "There is no module {module} in {source}{branch}, so Python ends at once.{advice}",
                module=code(missing.module),
                source=knowledge.source,
                branch=on_path(missing.launch.decisions),
                advice=advice,
            ),
            (),
        )


def _launch_finding(
    launch: Launch, word: Word, key: str, message: str, evidence: tuple[Evidence, ...]
) -> Finding:
    certain = launch.on_default_path and word.known is Known.YES
    return Finding(
        check=ID,
        severity=Severity.HIGH,
        span=word.span,
        key=key,
        value="",
        message=message,
        confidence="certain" if certain else "likely",
        evidence=evidence,
        causes=touched(word),
    )
