"""``constraint``: refused at start, after Hydra has accepted it: an assert or raise of the framework."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from reviewbot.checks.fields import NoField, no_field
from reviewbot.checks.model import Finding, Intent, Rewrite, Severity
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.reading import MANDATORY, Reading
from reviewbot.checks.recipe import Plan, Recipe, touched
from reviewbot.checks.refused import as_meant
from reviewbot.checks.ruled import ruled
from reviewbot.checks.wording import code, on_path, setting_text, shown, value_of
from reviewbot.config.model import UNKNOWN, Override, Plain
from reviewbot.knowledge.conditions import keys_of
from reviewbot.knowledge.model import Constraint
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth
from reviewbot.shell.model import Known

ID = "constraint"


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Values that the framework's own checks refuse, and added keys that a config class does not have."""
    outcomes = _outcomes(knowledge)
    firsts: dict[int, Plan] = {}
    for plan in recipe.runs:
        applied = plan.configured.applied
        if applied is None:
            continue
        first = firsts.setdefault(id(plan.configured.base), plan)
        other = _differing(first, plan)
        for constraint in knowledge.constraints(plan.entry_point, applied.tree):
            keys = _keys(constraint)
            if plan is not first and other.isdisjoint(keys) and plan.all_plain(keys):
                continue  # judged on the first of these launches, with the same values
            if not plan.sets_any(keys) or not _may_be_violated(knowledge, plan, constraint, outcomes):
                continue
            found = _violation(recipe, knowledge, plan, constraint)
            if found is not None:
                yield found
        yield from _unknown_fields(recipe, knowledge, plan)
        yield from _never_set(recipe, knowledge, plan)
    yield from ruled(recipe, knowledge, "rejected")


def _differing(first: Plan, plan: Plan) -> frozenset[str]:
    """The keys that two launches of one config set to different values."""
    if plan is first or first.configured.applied is None or plan.configured.applied is None:
        return frozenset()
    one, two = first.configured.applied.set_by, plan.configured.applied.set_by
    return frozenset(
        key
        for key in {*one, *two}
        if key not in one or key not in two or one[key].word.pieces != two[key].word.pieces
    )


_Outcomes = dict[tuple[Constraint, tuple[Plain, ...], tuple[type, ...]], bool]


@lru_cache(maxsize=8)
def _outcomes(_knowledge: Knowledge) -> _Outcomes:
    """What constraints came to for values met before: most recipes leave most values as they are."""
    return {}


def _may_be_violated(knowledge: Knowledge, plan: Plan, constraint: Constraint, outcomes: _Outcomes) -> bool:
    """Whether a constraint is violated, as far as the values alone tell."""
    reading = Reading(plan, knowledge)
    values = tuple(reading.get(key) for key in _keys(constraint))
    if any(isinstance(value, (dict, list)) for value in values):
        return True
    place = (constraint, values, tuple(map(type, values)))
    if place not in outcomes:
        outcomes[place] = (
            reading.truth(constraint.when) is Truth.TRUE and reading.truth(constraint.requires) is Truth.FALSE
        )
    return outcomes[place]


def _violation(recipe: Recipe, knowledge: Knowledge, plan: Plan, constraint: Constraint) -> Finding | None:
    reading = Reading(plan, knowledge)
    if (
        reading.truth(constraint.when) is not Truth.TRUE
        or reading.truth(constraint.requires) is not Truth.FALSE
    ):
        return None
    order = _keys(constraint)
    culprits = [(key, setter) for key in order if (setter := _setter(reading, key)) is not None]
    if not culprits:
        return None
    key, override = _blamed(culprits, knowledge.framework.backend_key)
    evidence = knowledge.evidence(constraint.path, constraint.line, constraint.symbol)
    numbers = say(" and ").join(_value_of(reading, name) for name in order if name in reading.used)
    condition = (
        say(", where {when},", when=code(knowledge.readable(constraint.when))) if constraint.when else ""
    )
    intent, advice = _mended(recipe, reading, constraint, key, override)
    return finding_on(
        override,
        check=ID,
        severity=Severity.HIGH,
        message=(
            say(
                "{setting} is refused at start{branch}: {symbol}{condition} requires {requires} "
                "({path}:{line}), and here {numbers}.{advice}",
                setting=code(setting_text(override)),
                branch=on_path(plan.launch.decisions),
                symbol=code(constraint.symbol),
                condition=condition,
                requires=code(knowledge.readable(constraint.requires)),
                path=constraint.path,
                line=constraint.line,
                numbers=numbers,
                advice=advice,
            )
        ),
        confidence=reading.confidence,
        evidence=(evidence,),
        intent=intent,
        partners=tuple(span for _, other in culprits for span in touched(other.word)),
        related=tuple((other.word.span, say("takes part")) for _, other in culprits if other is not override),
    )


@lru_cache(maxsize=4096)
def _keys(constraint: Constraint) -> tuple[str, ...]:
    """The config keys of a constraint, first those of what it requires, each in the order of the text."""
    requires, when = constraint.requires, constraint.when
    keys = sorted(keys_of(requires), key=requires.find)
    return (*keys, *(key for key in sorted(keys_of(when), key=when.find) if key not in keys))


def _blamed(culprits: list[tuple[str, Override]], backend_key: str) -> tuple[str, Override]:
    """The override to speak of: the first that takes part, but not the choice of the backend if any other does."""
    return next((item for item in culprits if item[0] != backend_key), culprits[0])


def _setter(reading: Reading, key: str) -> Override | None:
    setting = reading.used.get(key)
    return setting.set_by if setting is not None else None


def _value_of(reading: Reading, key: str) -> str:
    setting = reading.used[key]
    return value_of(key, setting)


def _mended(
    recipe: Recipe, reading: Reading, constraint: Constraint, key: str, override: Override
) -> tuple[Intent | None, str]:
    """For ``key == expression``: set the key to the expression's value."""
    left, equals, right = constraint.requires.partition(" == ")
    if not equals or left != key or override.key != key or " and " in right or " or " in right:
        return None, ""
    value = reading.value(right)
    if value is UNKNOWN or isinstance(value, (dict, list)):
        return None, ""
    written = recipe.source.cut(override.word.span) if override.word.span.path == recipe.source.path else ""
    before, equals, old = written.partition("=")
    advice = say(" Set {setting}.", setting=code(f"{key}={shown(value)}"))
    if not equals or not before.lstrip("'\"").startswith(override.op + key):
        return None, advice
    quote = written[0] if written[0] in "'\"" and written.endswith(written[0]) else ""
    result = f"{override.op}{key}={shown(value)}"
    rewrite = Rewrite(override.word.span, f"={old}", f"={shown(value)}{quote}", result)
    return Intent(
        say("Set {key}={value} on line {line}", key=key, value=shown(value), line=override.word.span.line),
        rewrite=(rewrite,),
    ), advice


def _never_set(recipe: Recipe, knowledge: Knowledge, plan: Plan) -> Iterator[Finding]:
    """A launch that leaves the backend open where the config files demand it: every run reads that key."""
    effective, base = plan.configured.effective, plan.configured.base
    key = knowledge.framework.backend_key
    setting = effective.get(key) if effective is not None else None
    own = plan.entry_point.module.partition(".")[0] == knowledge.framework.package
    if base is None or not own or setting is None or setting.value != MANDATORY or setting.set_by is not None:
        return
    arguments = plan.configured.arguments
    if recipe.shell.partly or arguments.open or plan.configured.refusals or not arguments.overrides:
        return
    span = plan.launch.entry_point.span
    yield Finding(
        check=ID,
        severity=Severity.HIGH,
        span=span,
        key=key,
        value=MANDATORY,
        message=(
            say(
                "{key} is never set{branch}, and {module} has no default for it ({MANDATORY}): the "
                "run ends where it is first read. Set it to one of {names}.",
                key=code(key),
                branch=on_path(plan.launch.decisions),
                module=code(plan.entry_point.module),
                MANDATORY=code(MANDATORY),
                names=", ".join(map(code, knowledge.backends)),
            )
        ),
        confidence="certain" if plan.launch.on_default_path else "likely",
        evidence=(knowledge.evidence(base.origin, 1, base.config_name),),
        causes=(span, plan.launch.span),
    )


def _unknown_fields(recipe: Recipe, knowledge: Knowledge, plan: Plan) -> Iterator[Finding]:
    """Keys added to a node that becomes a config class which has no such field: a TypeError at start."""
    refused = {id(refusal.override) for refusal in plan.configured.refusals}
    meant = as_meant(plan)
    for override in plan.configured.arguments.overrides:
        if override.op not in ("+", "++") or id(override) in refused:
            continue
        lacking = no_field(knowledge, meant, override.key)
        if lacking is None:
            continue
        certain = override.known is Known.YES and lacking.confidence == "certain"
        yield finding_on(
            override,
            check=ID,
            severity=Severity.HIGH,
            message=(
                say(
                    "{setting} is refused at start{branch}: {why}.{advice}",
                    setting=code(setting_text(override)),
                    branch=on_path(plan.launch.decisions),
                    why=lacking.sentence(),
                    advice=_did_you_mean(lacking),
                )
            ),
            confidence="certain" if certain else "likely",
            evidence=(lacking.evidence(knowledge),),
            intent=_put_right(recipe, override, lacking),
        )


def _did_you_mean(lacking: NoField) -> str:
    keys = say(" or ").join(code(key.lstrip("+")) for key in lacking.meant)
    return say(" Did you mean {keys}?", keys=keys) if keys else ""


def _put_right(recipe: Recipe, override: Override, lacking: NoField) -> Intent | None:
    """Write the key that was meant; delete the override where none comes near, since that loses nothing."""
    span, line = override.word.span, override.word.span.line
    if not lacking.meant:
        return Intent(say("Delete the override on line {line}", line=line), remove=(span,))
    old, new = override.op + override.key, lacking.meant[0]
    added = f"{lacking.node}.{lacking.name}"
    if len(lacking.meant) > 1 or override.key != added or old not in recipe.source.cut(span):
        return None
    result = f"{new}={override.value_text}" if override.value_text is not None else None
    return Intent(
        say("Rename {key} to {key2} on line {line}", key=override.key, key2=new.lstrip("+"), line=line),
        rewrite=(Rewrite(span, old, new, result),),
    )
