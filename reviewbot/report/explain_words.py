"""Explanations in words: sections of items, for every format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reviewbot.checks.wording import code, shown
from reviewbot.explain.model import (
    NOT_JUDGED,
    Advice,
    Argument,
    CheckExplanation,
    Condition,
    Example,
    Explanation,
    KeyExplanation,
    Period,
    Reader,
    RuleExample,
    RuleExplanation,
    Unread,
    Write,
)
from reviewbot.knowledge.conditions import keys_of
from reviewbot.knowledge.expressions import readable
from reviewbot.knowledge.model import Evidence
from reviewbot.knowledge.reads.model import CHECKED, FED, UNKNOWN
from reviewbot.knowledge.rules import PLACEHOLDER, Rule
from reviewbot.language import say
from reviewbot.report.model import Review
from reviewbot.report.text_report import text_report

_LONG = 150
"""Characters of an expression beyond which only its keys are named."""
_MANY = 24


@dataclass(frozen=True)
class Item:
    """A statement, with the place that makes it true; or a block of text as it is."""

    text: str
    """Markdown without markup other than code spans; empty for a block alone."""
    evidence: Evidence | None = None
    block: str = ""
    """Lines with line ends, printed as they are."""
    syntax: str = ""
    """What the block is: ``bash``, ``text``."""


@dataclass(frozen=True)
class Section:
    """Some items under a heading; the heading is empty at the start."""

    heading: str
    items: tuple[Item, ...]


def title(explanation: Explanation) -> str:
    """One line: what is explained, and from which knowledge."""
    if isinstance(explanation, KeyExplanation):
        if explanation.backend:
            return say(
                "{name}: an argument of {backend}, {source}",
                name=code(explanation.key),
                backend=explanation.backend,
                source=explanation.source,
            )
        return say("{name}: a config key, {source}", name=code(explanation.key), source=explanation.source)
    if isinstance(explanation, CheckExplanation):
        return say("{name}: a check, {source}", name=code(explanation.check), source=explanation.source)
    return say("{name}: a rule, {source}", name=code(explanation.rule.id), source=explanation.source)


def sections(explanation: Explanation) -> tuple[Section, ...]:
    """What there is to say, without empty sections."""
    if isinstance(explanation, KeyExplanation):
        found = _of_key(explanation)
    elif isinstance(explanation, CheckExplanation):
        found = _of_check(explanation)
    else:
        found = _of_rule(explanation)
    made = (Section(heading, tuple(items)) for heading, items in found)
    return tuple(section for section in made if section.items)


_Sections = Iterator[tuple[str, Iterable[Item]]]

# keys


def _of_key(key: KeyExplanation) -> _Sections:
    yield "", _answers(key)
    yield say("Default"), _defaults(key)
    yield say("Type"), _type(key)
    yield say("What becomes of it"), (_write(key, item) for item in key.writes)
    yield say("Server arguments"), (_argument(item) for item in key.arguments)
    yield say("Must hold, or the run ends at start"), (_condition(key, item) for item in key.constraints)
    yield say("Read by"), (_reader(item) for item in key.readers)
    yield say("Not read by"), (_unread(item) for item in key.unread)
    yield say("Keys that take its value"), _followers(key.followers)
    yield say("Releases"), (_period(item) for item in key.history)
    yield say("Rules"), (_rule_that_says(item) for item in key.rules)


def _answers(key: KeyExplanation) -> Iterator[Item]:
    """What somebody who wants to set the key should know first."""
    if key.renamed is not None:
        yield Item(say("It is called {key} now.", key=code(key.renamed)))
    for old in key.old_names:
        yield Item(say("It was called {key}.", key=code(old)))
    lost = [item for item in key.writes if item.stage in ("after", "config")]
    if lost and not all(item.when for item in lost):
        yield Item(say("A recipe that sets it gains nothing: the value is overwritten."))
    for advice in key.advice:
        yield Item(_advice(key.key, advice))


def _advice(key: str, advice: Advice) -> str:
    if advice.key == key and not advice.value:
        return say(
            "It is the key to set instead of {old} (rule {rule}).",
            old=code(advice.instead_of),
            rule=code(advice.rule),
        )
    if advice.key == key:
        return say(
            "Instead of {old}, set this key to {value} (rule {rule}).",
            old=code(advice.instead_of),
            value=code(readable(advice.value)),
            rule=code(advice.rule),
        )
    if not advice.value:
        return say("Set {key} instead (rule {rule}).", key=code(advice.key), rule=code(advice.rule))
    return say(
        "Set {key} to {value} instead (rule {rule}).",
        key=code(advice.key),
        value=code(readable(advice.value)),
        rule=code(advice.rule),
    )


def _defaults(key: KeyExplanation) -> Iterator[Item]:
    if key.children:
        names = ", ".join(code(name) for name in key.children[:_MANY])
        more = len(key.children) - _MANY
        yield Item(
            say("a group of {count} keys: {names}", count=len(key.children), names=names)
            + (f", … (+{more})" if more > 0 else "")
        )
        return
    for default in key.defaults:
        modules = _listed(default.entry_points)
        yield Item(say("{value} under {modules}", value=code(shown(default.value)), modules=modules))
    if not key.defaults:
        yield Item(
            say(
                "none: no config file has the key, so a recipe adds it with {plus}",
                plus=code(f"+{key.key}=…"),
            )
            if key.field is not None or key.backend
            else say("none: no config file has the key")
        )


def _type(key: KeyExplanation) -> Iterator[Item]:
    field = key.field
    if field is not None:
        text = say("{type}, a field of {owner}", type=code(field.type), owner=code(field.class_name))
        if field.default is not None:
            text = say(
                "{type}, a field of {owner} that is {default} there",
                type=code(field.type),
                owner=code(field.class_name),
                default=code(field.default),
            )
        yield Item(text, field.evidence)
    elif key.defaults and not key.children:
        names = sorted({type(item.value).__name__ for item in key.defaults if item.value is not None})
        text = _listed(names) if names else "null"
        yield Item(say("not declared; the config files have: {types}", types=text))
    elif key.backend and not key.children:
        yield Item(say("whatever {backend} takes: its config class does not declare it", backend=key.backend))


def _write(key: KeyExplanation, item: Write) -> Item:
    value, when = _expression(item.value), _where(item.when)
    if item.stage == "after":
        text = say(
            "the server writes it after it has read the engine arguments, as {value}{when}",
            value=value,
            when=when,
        )
    elif item.stage == "merge":
        text = say("the server makes it from what is there: {value}{when}", value=value, when=when)
    elif item.stage == "default":
        text = say("the server sets {value} where it is absent{when}", value=value, when=when)
    elif item.stage == "before":
        text = say("it wins over what the server writes first, {value}{when}", value=value, when=when)
    elif item.stage == "conflict":
        text = say(
            "the server passes it as well, as {value}: both together are a TypeError{when}",
            value=value,
            when=when,
        )
    elif item.stage == "passed":
        text = say("the server passes it on to {backend} as it is{when}", backend=key.backend, when=when)
    elif item.stage == "not-taken":
        text = say(
            "the server does not take it: nothing reaches {backend}{when}", backend=key.backend, when=when
        )
    else:
        text = say("the framework assigns {value}{when}", value=value, when=when)
    return Item(text, item.evidence)


def _argument(item: Argument) -> Item:
    fields = {
        "backend": item.backend,
        "argument": code(item.argument),
        "value": _expression(item.value),
        "when": _where(item.when),
        "own": code(item.own_key),
    }
    if item.stage == "before":
        text = say("{backend}: {argument} is {value}{when}, unless {own} is set", **fields)
    elif item.stage == "after":
        text = say("{backend}: {argument} is {value}{when}, whatever {own} says", **fields)
    elif item.stage == "default":
        text = say("{backend}: {argument} is {value}{when} where {own} is not set", **fields)
    elif item.stage == "merge":
        text = say("{backend}: {value} is merged into {argument}{when}", **fields)
    else:
        text = say("{backend}: {argument} is {value}{when}; {own} besides is a TypeError", **fields)
    return Item(text, item.evidence)


def _condition(key: KeyExplanation, item: Condition) -> Item:
    requires, when = readable(item.requires), readable(item.when)
    if len(requires) > _LONG or len(when) > _LONG:
        others = _listed([code(name) for name in item.keys if name != item.key])
        text = say("it is checked together with {others}", others=others)
    else:
        text = say("{condition}{when}", condition=code(requires), when=_where(item.when))
    if item.key != key.key:
        text = say("of {key}: {text}", key=code(item.key), text=text)
    if item.spares_default:
        text = say("{text}; its default, {default}, passes", text=text, default=code(shown(item.default)))
    if item.entry_points:
        text = say("under {modules}: {text}", modules=_listed(item.entry_points), text=text)
    return Item(text, item.evidence)


def _reader(item: Reader) -> Item:
    by = f" ({_listed(item.entry_points)})" if item.entry_points else ""
    when = _where(item.when)
    if item.how == NOT_JUDGED:
        return Item(say("no run is known that does not read it{by}", by=by))
    if item.how == CHECKED:
        return Item(say("looked at only{when}{by}", when=when, by=by), item.evidence)
    if item.how == FED:
        return Item(say("copied only{when}{by}", when=when, by=by), item.evidence)
    if item.how == UNKNOWN:
        return Item(say("perhaps read{when}{by}", when=when, by=by), item.evidence)
    return Item(say("read{when}{by}", when=when, by=by), item.evidence)


def _unread(item: Unread) -> Item:
    modules, when = _listed(item.entry_points), _where(item.when)
    if item.by_default:
        when = say("{when}, as it is by default", when=when)
    if item.verdict == CHECKED:
        return Item(
            say("{modules}{when}: it is only looked at, nothing works with it", modules=modules, when=when)
        )
    if item.verdict == FED and item.into:
        into = _listed([code(name) for name in item.into])
        return Item(
            say(
                "{modules}{when}: it is only copied to {into}, which nothing reads",
                modules=modules,
                when=when,
                into=into,
            )
        )
    return Item(say("{modules}{when}", modules=modules, when=when))


def _followers(keys: Sequence[str]) -> Iterator[Item]:
    if keys:
        yield Item(_listed([code(key) for key in keys[:_MANY]]) + (" …" if len(keys) > _MANY else ""))


def _period(item: Period) -> Item:
    span = (
        item.first if item.first == item.last else say("{first} to {last}", first=item.first, last=item.last)
    )
    when = _where(item.detail) if item.state not in ("config", "field", "absent") else ""
    words = {
        "config": say("in the config, {value}", value=code(item.detail))
        if item.detail
        else say("in the config"),
        "field": say("a field of its config class, to be added with {plus}", plus=code("+")),
        "absent": say("not there"),
        "after": say("overwritten by the server{when}", when=when),
        "before": say("wins over the server's own value{when}", when=when),
        "merge": say("merged by the server{when}", when=when),
        "default": say("set by the server where it is absent{when}", when=when),
        "conflict": say("a TypeError: the server passes it as well{when}", when=when),
        "passed": say("passed on as it is"),
        "not-taken": say("not taken by the server"),
    }
    return Item(say("{span}: {state}", span=span, state=words[item.state]))


def _rule_line(rule: Rule) -> Item:
    versions = f" ({rule.versions})" if rule.versions else ""
    return Item(f"{code(rule.id)}{versions}: {code(rule.key)}")


def _rule_that_says(rule: Rule) -> Item:
    versions = f" ({rule.versions})" if rule.versions else ""
    return Item(f"{code(rule.id)}{versions}: {_in_general(rule)}")


def _in_general(rule: Rule) -> str:
    """A rule's message without a recipe to speak of."""
    told = {
        "setting": code(f"{rule.key}=…"),
        "key": code(rule.key),
        "where": rule.evidence.get("path", "…"),
        "rest": rule.key.rpartition(".")[2],
        "engine": _listed(tuple(rule.engines)),
    }
    said = PLACEHOLDER.sub(lambda match: told.get(match[1], "…"), rule.said)
    return re.sub(r"(?:, and|，而)\s*…(?=[.,。，])", "", said)


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return say("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])


def _expression(text: str) -> str:
    shown_text = readable(text)
    if len(shown_text) <= _LONG:
        return code(shown_text)
    return say("a value made from {keys}", keys=_listed([code(key) for key in keys_of(text)]))


def _where(condition: str) -> str:
    text = readable(condition) if condition else ""
    if not text:
        return ""
    if len(text) > _LONG:
        return say(
            " (where a condition over {keys} holds)", keys=_listed([code(key) for key in keys_of(condition)])
        )
    return say(" (where {condition})", condition=code(text))


# checks and rules


def _of_check(check: CheckExplanation) -> _Sections:
    yield "", (Item(text) for text in (check.says, *_paragraphs(check.why)))
    yield say("Problematic code"), (Item("", block=check.bad.script, syntax="bash"),)
    yield say("What reviewbot says"), (Item("", block=_output(check.bad), syntax="text"),)
    yield say("Correct code"), (Item("", block=check.good.script, syntax="bash"),)
    yield say("What reviewbot says to that"), (Item("", block=_output(check.good), syntax="text"),)
    yield say("Rules"), (_rule_line(rule) for rule in check.rules)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        if paragraph.strip():
            yield " ".join(paragraph.replace("*", "").split())


def _output(example: Example) -> str:
    return text_report(Review("", "", example.source, "", (example.review,)))


def _of_rule(explained: RuleExplanation) -> _Sections:
    rule = explained.rule
    yield "", (Item(_in_general(rule)),)
    yield say("What it speaks of"), _subject(explained)
    yield say("Fix"), _fix(rule)
    yield say("Evidence"), _evidence(explained)
    yield say("Reported"), (_example(item) for item in explained.bad)
    yield say("Not reported"), (Item(code(item.overrides)) for item in explained.good)


def _subject(explained: RuleExplanation) -> Iterator[Item]:
    rule = explained.rule
    yield Item(say("key: {key}", key=code(rule.key)))
    yield Item(
        say(
            "effect: {effect}, reported by the check {check} as {severity}",
            effect=rule.effect,
            check=code(explained.check),
            severity=rule.severity,
        )
    )
    if rule.when:
        yield Item(say("where: {condition}", condition=code(readable(rule.when))))
    if rule.entry_points:
        yield Item(
            say("entry points: {modules}", modules=_listed([code(name) for name in rule.entry_points]))
        )
    yield Item(say("versions: {versions}", versions=code(rule.versions) if rule.versions else say("all")))
    if explained.releases:
        yield Item(
            say("bundled releases in which it stands: {releases}", releases=", ".join(explained.releases))
        )
    if rule.basis == "facts":
        yield Item(say("it claims nothing by itself: it says what to do about what the source shows"))
    if rule.basis == "policy":
        yield Item(say("it stands on no source: the owners of the repository want it so"))


def _fix(rule: Rule) -> Iterator[Item]:
    for key, value in rule.set.items():
        yield Item(say("set {key} to {value}", key=code(key), value=code(readable(value))))
    if rule.remove:
        yield Item(say("delete the override"))


def _evidence(explained: RuleExplanation) -> Iterator[Item]:
    rule = explained.rule
    if explained.evidence is not None:
        yield Item(say("it stands"), explained.evidence)
    elif rule.evidence.get("path"):
        yield Item(
            say(
                "{path} does not have it at this version, so nothing is claimed",
                path=code(rule.evidence["path"]),
            )
        )
    for name in ("writes", "text", "absent"):
        if rule.evidence.get(name):
            yield Item(f"{name}: {code(rule.evidence[name])}")


def _example(item: RuleExample) -> Item:
    if not item.messages:
        return Item(say("{overrides}: nothing is said at this version", overrides=code(item.overrides)))
    return Item(f"{code(item.overrides)}: {' '.join(item.messages)}")
