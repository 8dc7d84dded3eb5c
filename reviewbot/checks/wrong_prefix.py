"""``wrong-prefix``: ``+`` on a key that exists, or none where one is needed."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.checks.model import Finding, Intent, Rewrite, Severity
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.recipe import Recipe
from reviewbot.checks.refused import Refused, refused_overrides
from reviewbot.checks.wording import code, on_path, setting_text, shown
from reviewbot.config.model import UNKNOWN
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.text import SourceText

ID = "wrong-prefix"


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Overrides that Hydra refuses for their operator alone."""
    for refused in refused_overrides(recipe, knowledge, ("append-exists", "no-such-key")):
        if refused.refusal.kind == "append-exists" or refused.needs_plus:
            yield _finding(recipe, refused, knowledge)


def _finding(recipe: Recipe, refused: Refused, knowledge: Knowledge) -> Finding:
    override, plan = refused.override, refused.plan
    base = plan.configured.base
    if refused.needs_plus:
        op = "+"
        why = say(
            "the config has no key {key} yet, so it can only be added. Write {text} in front.",
            key=code(override.key),
            text=code("+"),
        )
    else:
        op = ""
        value = _default(refused)
        its = say(" (its value is {value})", value=code(shown(value))) if value is not UNKNOWN else ""
        has = say("the config already has {key}{its}", key=code(override.key), its=its)
        why = say("{has}, and {text} only adds new keys. Drop the {text}.", has=has, text=code("+"))
    return finding_on(
        override,
        check=ID,
        severity=Severity.HIGH,
        message=(
            say(
                "Hydra refuses {setting}{branch} and the run ends there: {why}",
                setting=code(setting_text(override)),
                branch=on_path(plan.launch.decisions),
                why=why,
            )
        ),
        confidence="certain" if plan.launch.on_default_path else "likely",
        evidence=(knowledge.evidence(base.origin, 1, base.config_name),) if base is not None else (),
        intent=_intent(recipe.source, refused, op),
    )


def _default(refused: Refused) -> object:
    node: object = refused.plan.configured.base.tree if refused.plan.configured.base is not None else UNKNOWN
    for part in refused.override.key.split("."):
        if not isinstance(node, dict) or part not in node:
            return UNKNOWN
        node = node[part]
    return node if not isinstance(node, (dict, list)) else UNKNOWN


def _intent(source: SourceText, refused: Refused, op: str) -> Intent | None:
    override = refused.override
    old, new = override.op + override.key, op + override.key
    if old not in source.cut(override.word.span):
        return None
    result = f"{new}={override.value_text}" if override.value_text is not None else None
    line = override.word.span.line
    return Intent(
        say("Add the + on line {line}", line=line) if op else say("Drop the + on line {line}", line=line),
        rewrite=(Rewrite(override.word.span, old, new, result),),
    )
