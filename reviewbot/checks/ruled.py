"""What curated rules say of the overrides of a recipe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.moving import move
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan, Recipe, touched
from reviewbot.checks.unread import foreign_config, has_hook_variable
from reviewbot.checks.wording import code, on_path, setting_text, shown, value_of
from reviewbot.config.model import UNKNOWN, Override, Plain
from reviewbot.knowledge.conditions import truth
from reviewbot.knowledge.environment.in_use import BY_NAME
from reviewbot.knowledge.model import Evidence
from reviewbot.knowledge.rules import PLACEHOLDER, Rule
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth
from reviewbot.shell.model import Known
from reviewbot.text import Span

CHECK_OF = MappingProxyType(
    {
        "overwritten": "overwritten",
        "shadowed": "shadowed",
        "ignored": "ignored",
        "rejected": "constraint",
        "renamed": "renamed",
        "removed": "renamed",
        "deprecated": "renamed",
    }
)
"""The check that reports a rule's effect."""
_SEVERITIES = MappingProxyType({severity.word: severity for severity in Severity})


def ruled(recipe: Recipe, knowledge: Knowledge, *effects: str) -> Iterator[Finding]:
    """The findings of the rules with one of these effects.

    What is refused is refused in any launch; of the rest every launch that has the override must agree.
    """
    if recipe.shell.partly:
        return
    uses: dict[tuple[Span, str], int] = defaultdict(int)
    found: dict[tuple[Span, str], list[Finding]] = defaultdict(list)
    for plan in recipe.runs:
        own = not foreign_config(plan) and not has_hook_variable(plan, knowledge)
        for override in plan.configured.arguments.overrides:
            place = (override.word.span, override.key)
            uses[place] += 1
            if not own:
                continue
            for rule in knowledge.rules_on(override.key, *effects):
                finding = _finding(recipe, knowledge, plan, override, rule)
                if finding is not None:
                    found[place].append(finding)
                    break
    for place, findings in found.items():
        refused = findings[0].check == "constraint"
        if refused or (len(findings) == uses[place] and len({item.rule for item in findings}) == 1):
            yield findings[0]


def _finding(
    recipe: Recipe, knowledge: Knowledge, plan: Plan, override: Override, rule: Rule
) -> Finding | None:
    module = plan.entry_point.module
    if rule.basis == "facts" or not rule.speaks_of(module):
        return None
    if rule.basis == "evidence" and not rule.entry_points and not knowledge.framework.is_usual(module):
        return None
    if not rule.covers_engines(knowledge.engines.configured):
        return None
    held = _held(knowledge, plan, override, rule)
    evidence = None if held is None else knowledge.rule_evidence(rule)
    if held is None or (evidence is None and rule.basis != "policy"):
        return None
    advised = _advised(recipe, held, rule)
    return finding_on(
        override,
        check=CHECK_OF[rule.effect],
        severity=_SEVERITIES[rule.severity],
        message=_filled(rule, held, evidence) + advised.sentence,
        rule=rule.id,
        confidence=held.confidence,
        evidence=() if evidence is None else (evidence,),
        intent=advised.intent,
        partners=tuple(span for other in held.others for span in touched(other.word)),
        related=tuple((other.word.span, say("takes part")) for other in held.others),
    )


@dataclass(frozen=True)
class Held:
    """An override that fulfils a rule's condition."""

    override: Override
    value: Plain
    reading: Reading

    @property
    def confidence(self) -> str:
        """See :class:`Finding`."""
        known = self.override.known is Known.YES
        return self.reading.confidence if known else "likely"

    @property
    def others(self) -> tuple[Override, ...]:
        """The other overrides that the condition read, each once."""
        setters = {
            id(setting.set_by): setting.set_by
            for setting in self.reading.used.values()
            if setting.set_by is not None and setting.set_by is not self.override
        }
        return tuple(setters.values())


def _held(knowledge: Knowledge, plan: Plan, override: Override, rule: Rule) -> Held | None:
    """None where the override decides nothing, or the condition does not certainly hold."""
    applied, effective = plan.configured.applied, plan.configured.effective
    if applied is None or effective is None or override.op == "~":
        return None
    decides = applied.set_by.get(override.key) is override or any(
        key.startswith(f"{override.key}.") and setter is override for key, setter in applied.set_by.items()
    )
    if not decides:
        return None
    setting = effective.get(override.key)
    value = setting.value if setting is not None else UNKNOWN
    reading = Reading(plan, knowledge)

    def get(name: str) -> Plain:
        return value if name == "value" else reading.get(name)

    if rule.when and truth(rule.when, get) is not Truth.TRUE:
        return None
    return Held(override, value, reading)


@dataclass(frozen=True)
class Advised:
    """What to do about an override, in a sentence and as a fix."""

    sentence: str
    intent: Intent | None
    severity: Severity | None = None
    check: str = ""
    rule: str = ""


def advised(
    recipe: Recipe, knowledge: Knowledge, plan: Plan, override: Override, *effects: str
) -> Advised | None:
    """What a rule advises about an override of which the source says that it has this effect."""
    for rule in knowledge.rules_on(override.key, *effects):
        if rule.basis != "facts" or not rule.speaks_of(plan.entry_point.module):
            continue
        held = _held(knowledge, plan, override, rule)
        if held is not None:
            found = _advised(recipe, held, rule)
            return Advised(
                f" {_filled(rule, held, None)}{found.sentence}",
                found.intent,
                _SEVERITIES[rule.severity],
                CHECK_OF[rule.effect],
                rule.id,
            )
    return None


def _advised(recipe: Recipe, held: Held, rule: Rule) -> Advised:
    override = held.override
    line = override.word.span.line
    delete = Intent(say("Delete the override on line {line}", line=line), remove=(override.word.span,))
    if len(rule.set) == 1:
        ((_, expression),) = rule.set.items()
        key = rule.renamed(override.key) or ""
        bare = key.lstrip("+")
        wanted = repr(held.value) if expression == "value" and held.value is not UNKNOWN else expression
        moved = move(
            recipe, Reading(held.reading.plan, held.reading.knowledge), override, held.value, (key, wanted)
        )
        if moved is not None:
            return Advised(say(" Set {setting} instead.", setting=code(moved.setting)), moved.intent)
        effective = held.reading.plan.configured.effective
        current = effective.get(bare) if effective is not None else None
        if not rule.remove or current is None or current.value != held.value:
            return Advised(say(" Set {bare} instead.", bare=code(bare)), None)
    return Advised(say(" Delete it."), delete) if rule.remove else Advised("", None)


def _filled(rule: Rule, held: Held, evidence: Evidence | None) -> str:
    override = held.override
    texts = {
        "setting": code(setting_text(override)) + on_path(held.reading.plan.launch.decisions),
        "key": code(override.key),
        "value": code(shown(held.value)),
        "numbers": _numbers(held),
        "where": f"{evidence.path}:{evidence.line}" if evidence is not None else "",
        "engine": _engines(held.reading.knowledge, rule),
        "rest": code(override.key.rpartition(".")[2]),
    }
    return PLACEHOLDER.sub(lambda found: texts[found[1]], rule.said)


def _engines(knowledge: Knowledge, rule: Rule) -> str:
    return say(" and ").join(knowledge.engines.said(BY_NAME[name]) for name in rule.engines)


def _numbers(held: Held) -> str:
    parts = []
    for key, setting in held.reading.used.items():
        parts.append(value_of(key, setting))
    return say(" and ").join(parts)
