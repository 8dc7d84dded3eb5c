"""``invalid-value``: a value of the wrong type, or none of the choices."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reviewbot.checks.model import Finding, Intent, Rewrite, Severity
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.reading import MANDATORY
from reviewbot.checks.recipe import Plan, Recipe
from reviewbot.checks.wording import code, on_path, setting_text, shown
from reviewbot.config.model import UNKNOWN, Override, Plain
from reviewbot.knowledge.model import ClassField, Evidence
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.shell.model import Known

ID = "invalid-value"

_YES_NO = {"yes": "True", "no": "False", "on": "True", "off": "False"}


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Texts where a number or a bool belongs, ``None`` for ``null``, and values that a ``Literal`` lacks."""
    for plan in recipe.plans:
        applied, base = plan.configured.applied, plan.configured.base
        if applied is None or base is None:
            continue
        for override in plan.configured.arguments.overrides:
            if (
                override.op == "~"
                or override.value is UNKNOWN
                or applied.set_by.get(override.key) is not override
            ):
                continue
            default = _default(base.tree, override.key)
            node, _, name = override.key.rpartition(".")
            klass = knowledge.node_class(applied.tree, node)
            fields = klass.fields if klass is not None else ()
            field = next((item for item in fields if item.name == name), None)
            wrong = _wrong(override.value, default, field)
            if wrong is None:
                continue
            evidence = (
                knowledge.evidence(klass.path, klass.line, klass.symbol)
                if klass is not None and field is not None
                else knowledge.evidence(base.origin, 1, base.config_name)
            )
            yield _finding(recipe, plan, override, wrong, evidence)


def _wrong(value: Plain, default: Plain, field: ClassField | None) -> tuple[str, str | None] | None:
    """What is wrong with a value, and what to write instead where that is plain; None where nothing is."""
    if isinstance(value, str) and "${" in value:
        return None
    choices = _literal(field.type) if field is not None else None
    if choices is not None and isinstance(value, (str, int, bool)) and value not in choices:
        listed = ", ".join(code(shown(choice)) for choice in choices)
        return say("it takes one of {listed}", listed=listed), None
    if (
        isinstance(value, str)
        and value == "None"
        and (default is None or isinstance(default, (bool, int, float)))
    ):
        return say(
            "Hydra's word for no value is {text}, {text2} is a text", text=code("null"), text2=code("None")
        ), "null"
    if isinstance(default, bool):
        return _wrong_bool(value)
    if isinstance(default, (int, float)) and field is not None and not _takes_text(field):
        return _wrong_number(value, default)
    return None


def _wrong_bool(value: Plain) -> tuple[str, str | None] | None:
    if isinstance(value, str):
        meant = _YES_NO.get(value.lower())
        return say(
            "it takes {text} or {text2}, and any other text counts as true",
            text=code("True"),
            text2=code("False"),
        ), meant
    if isinstance(value, (list, dict)):
        return say("it takes {text} or {text2}", text=code("True"), text2=code("False")), None
    return None


def _wrong_number(value: Plain, default: float) -> tuple[str, str | None] | None:
    if isinstance(value, str) and not re.fullmatch(r"[-+]?(\d|\.\d|inf|nan).*", value, re.IGNORECASE):
        return say("it takes a number (by default {default})", default=code(shown(default))), None
    if isinstance(value, (list, dict)):
        return say("it takes one number (by default {default})", default=code(shown(default))), None
    return None


def _takes_text(field: ClassField | None) -> bool:
    return field is not None and any(
        word in field.type for word in ("str", "Any", "dict", "list", "Dict", "List")
    )


def _literal(annotation: str) -> tuple[str | int | bool, ...] | None:
    """The choices of ``Literal[…]``; None for any other annotation."""
    match = re.fullmatch(r"(?:typing\.)?Literal\[(.*)\]", annotation, re.DOTALL)
    if match is None:
        return None
    try:
        choices = ast.literal_eval(f"({match[1]},)")
    except (ValueError, SyntaxError):
        return None
    return tuple(choices)


def _default(tree: Plain, key: str) -> Plain:
    """What the config files say at a key; UNKNOWN for nodes, absent keys, interpolations and mandatory values."""
    node = tree
    for part in key.split("."):
        if not isinstance(node, dict) or part not in node:
            return UNKNOWN
        node = node[part]
    if isinstance(node, (dict, list)) or (isinstance(node, str) and ("${" in node or node == MANDATORY)):
        return UNKNOWN
    return node


def _finding(
    recipe: Recipe, plan: Plan, override: Override, wrong: tuple[str, str | None], evidence: Evidence
) -> Finding:
    why, better = wrong
    advice = say(" Write {better}.", better=code(better)) if better is not None else ""
    certain = plan.launch.on_default_path and override.known is Known.YES
    return finding_on(
        override,
        check=ID,
        severity=Severity.HIGH,
        message=(
            say(
                "{setting} is not what {key} takes{branch}: {why}.{advice}",
                setting=code(setting_text(override)),
                key=code(override.key),
                branch=on_path(plan.launch.decisions),
                why=why,
                advice=advice,
            )
        ),
        confidence="certain" if certain else "likely",
        evidence=(evidence,),
        intent=_intent(recipe, override, better),
    )


def _intent(recipe: Recipe, override: Override, better: str | None) -> Intent | None:
    span = override.word.span
    if better is None or span.path != recipe.source.path:
        return None
    old = f"{override.key}={override.value_text}"
    if old not in recipe.source.cut(span):
        return None
    new = f"{override.key}={better}"
    result = f"{override.op}{new}"
    return Intent(
        say("Write {better} on line {line}", better=better, line=span.line),
        rewrite=(Rewrite(span, old, new, result),),
    )
