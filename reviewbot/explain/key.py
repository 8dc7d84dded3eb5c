"""A config key: where it comes from, who reads it, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reviewbot.config.model import UNKNOWN, Base, Plain
from reviewbot.explain.history import history
from reviewbot.explain.model import (
    NOT_JUDGED,
    Advice,
    Argument,
    Condition,
    Default,
    Field,
    KeyExplanation,
    Reader,
    Unread,
    Write,
)
from reviewbot.explain.trees import MISSING, bases, engine_argument, follows, value_at
from reviewbot.knowledge.conditions import keys_of, truth
from reviewbot.knowledge.model import Constraint, EntryPoint, ServerWrite
from reviewbot.knowledge.reads.model import DEAD, READ, UNREAD
from reviewbot.knowledge.reads.model import UNKNOWN as UNKNOWN_READ
from reviewbot.knowledge.rules import Rule
from reviewbot.knowledge.store import Knowledge
from reviewbot.logic import Truth


def explain_key(key: str, knowledge: Knowledge) -> KeyExplanation:
    """What is known about a key (``a.b.c``, without operator) at one version, and at the bundled ones."""
    trees = bases(knowledge)
    engine = engine_argument(key, knowledge.framework, knowledge.backends)
    rules = tuple(
        rule for rule in knowledge.rules if _speaks_of(rule, key) and rule.covers(knowledge.release)
    )
    defaults = _defaults(key, trees)
    writes = tuple(_writes(key, knowledge, trees, engine))
    node = next((item.value for item in defaults if isinstance(item.value, Mapping)), {})
    return KeyExplanation(
        key=key,
        source=knowledge.source,
        defaults=defaults,
        children=tuple(sorted(map(str, node))),
        field=_field(key, knowledge, trees),
        backend=engine[0] if engine is not None else "",
        readers=tuple(_readers(key, knowledge, trees)),
        unread=tuple(_unread(key, knowledge, trees)),
        writes=writes,
        arguments=tuple(_arguments(key, knowledge)),
        constraints=tuple(_constraints(key, writes, knowledge, trees)),
        followers=_followers(key, trees),
        history=history(key, knowledge.framework),
        renamed=knowledge.renamed(key),
        old_names=tuple(
            rule.key for rule in knowledge.rules if rule.effect == "renamed" and _sets(rule) == key
        ),
        advice=tuple(_advice(key, rules)),
        rules=rules,
    )


_Trees = tuple[tuple[EntryPoint, Base], ...]


def _defaults(key: str, trees: _Trees) -> tuple[Default, ...]:
    found: dict[str, tuple[Plain, list[str]]] = {}
    for entry_point, base in trees:
        value = value_at(base.tree, key)
        if value is not MISSING:
            found.setdefault(repr(value), (value, []))[1].append(entry_point.module)
    return tuple(Default(value, tuple(modules)) for value, modules in found.values())


def _field(key: str, knowledge: Knowledge, trees: _Trees) -> Field | None:
    node, _, name = key.rpartition(".")
    for _, base in trees:
        klass = knowledge.node_class(base.tree, node)
        for item in klass.fields if klass is not None else ():
            if klass is not None and item.name == name:
                place = knowledge.evidence(klass.path, klass.line, klass.symbol)
                return Field(item.type, item.default, klass.symbol, place)
    return None


def _readers(key: str, knowledge: Knowledge, trees: _Trees) -> Iterator[Reader]:
    """The places that the facts name; servers first."""
    seen: dict[tuple[str, int], None] = {}
    for trace in knowledge.traces:
        for write in trace.writes:
            place = (trace.path, write.line)
            if (key in write.feeds or key in keys_of(write.condition)) and place not in seen:
                seen[place] = None
                when = f"{knowledge.framework.backend_key} == {trace.backend!r}"
                yield Reader(knowledge.evidence(trace.path, write.line, trace.symbol), READ, (), when)
    found: dict[tuple[str, int, str, str], list[str]] = {}
    for entry_point, _ in trees:
        usage = knowledge.usage(entry_point)
        use = next((item for item in usage.keys if item.key == key), None) if usage is not None else None
        for site in use.sites if use is not None else ():
            if use is not None and (site.path, site.line) not in seen:
                place_of = (site.path, site.line, site.symbol, use.verdict)
                found.setdefault(place_of, []).append(entry_point.module)
    told = {module for modules in found.values() for module in modules}
    for (path, line, symbol, verdict), modules in found.items():
        yield Reader(knowledge.evidence(path, line, symbol), verdict, tuple(modules))
    untold = tuple(
        entry_point.module
        for entry_point, base in trees
        if entry_point.module not in told and _not_judged(key, entry_point, base, knowledge)
    )
    if untold and not seen:
        yield Reader(None, NOT_JUDGED, untold)


def _not_judged(key: str, entry_point: EntryPoint, base: Base, knowledge: Knowledge) -> bool:
    """Whether a key of the config is not among those that the facts list, which some run does not read."""
    usage, value = knowledge.usage(entry_point), value_at(base.tree, key)
    if usage is None or value is MISSING or isinstance(value, Mapping):
        return False
    return usage.judged(key, lambda _: UNKNOWN).verdict == UNKNOWN_READ


def _unread(key: str, knowledge: Knowledge, trees: _Trees) -> Iterator[Unread]:
    found: dict[tuple[str, str, tuple[str, ...], bool], list[str]] = {}
    for entry_point, base in trees:
        usage = knowledge.usage(entry_point)
        if usage is None or value_at(base.tree, key) is MISSING:
            continue
        conditions: list[set[str]] = []
        judged = usage.judged(key, lambda _: UNKNOWN)
        use = judged.use
        if judged.verdict in DEAD:
            into = use.into if use is not None else ()
            found.setdefault((judged.verdict, "", into, False), []).append(entry_point.module)
        for item in use.scoped if use is not None and judged.verdict != UNREAD else ():
            if item.verdict in DEAD:
                when = usage.scopes[item.number].condition
                parts = set(when.split(" and "))
                if any(known <= parts for known in conditions):
                    continue  # a case of one that is told
                conditions.append(parts)
                into = use.into if use is not None else ()
                default = truth(when, partial(_default_of, base)) is Truth.TRUE
                found.setdefault((item.verdict, when, into, default), []).append(entry_point.module)
    for (verdict, when, into, default), modules in found.items():
        yield Unread(verdict, tuple(modules), when, into, default)


def _default_of(base: Base, key: str) -> Plain:
    value = value_at(base.tree, key)
    return UNKNOWN if value is MISSING else value


def _writes(key: str, knowledge: Knowledge, trees: _Trees, engine: tuple[str, str] | None) -> Iterator[Write]:
    if engine is not None:
        yield from _engine_writes(*engine, knowledge)
    seen: set[tuple[str, int, str]] = set()
    for entry_point, base in trees:
        for write in knowledge.config_writes(entry_point, base.tree):
            place = (write.path, write.line, write.when)
            if write.key == key and place not in seen:
                seen.add(place)
                evidence = knowledge.evidence(write.path, write.line, write.symbol)
                yield Write("config", write.value, write.when, keys_of(write.value), evidence)


def _engine_writes(backend: str, argument: str, knowledge: Knowledge) -> Iterator[Write]:
    """What each server of a backend does to an argument."""
    for trace in knowledge.traces:
        if trace.backend != backend:
            continue
        found = [write for write in trace.writes if _touches(write, argument)]
        for write in found:
            when = " and ".join(
                f"({text})" if " or " in text else text for text in (trace.condition, write.condition) if text
            )
            evidence = knowledge.evidence(trace.path, write.line, trace.symbol)
            yield Write(write.stage, write.value, when, write.feeds, evidence)
        if found:
            continue
        line = trace.spread_line or next((write.line for write in trace.writes), 1)
        evidence = knowledge.evidence(trace.path, line, trace.symbol)
        taken = (*(trace.only or ()), *trace.honoured)
        passed = trace.only is None or argument.partition(".")[0] in taken
        yield Write("passed" if passed else "not-taken", "", trace.condition, (), evidence)


def _touches(write: ServerWrite, argument: str) -> bool:
    same = write.argument == argument or argument.startswith(f"{write.argument}.")
    return same or write.argument.startswith(f"{argument}.")


def _arguments(key: str, knowledge: Knowledge) -> Iterator[Argument]:
    for trace in knowledge.traces:
        for write in trace.writes:
            if key not in write.feeds and key not in keys_of(write.condition):
                continue
            own = f"{knowledge.framework.engine_key(trace.backend)}.{write.argument}"
            evidence = knowledge.evidence(trace.path, write.line, trace.symbol)
            yield Argument(
                trace.backend, write.argument, write.stage, write.value, write.condition, own, evidence
            )


def _constraints(
    key: str, writes: tuple[Write, ...], knowledge: Knowledge, trees: _Trees
) -> Iterator[Condition]:
    """What must hold for the key, or for the keys that decide what it is overwritten with."""
    wanted = (key, *dict.fromkeys(name for write in writes for name in write.feeds if name != key))
    found: dict[tuple[str, str, int, str], tuple[Condition, list[str]]] = {}
    for entry_point, base in trees:
        for item in knowledge.constraints(entry_point, base.tree):
            keys = tuple(dict.fromkeys((*keys_of(item.requires), *keys_of(item.when))))
            for name in wanted:
                place = (name, item.path, item.line, item.symbol)
                if name not in keys:
                    continue
                if place in found:
                    found[place][1].append(entry_point.module)
                    continue
                default = value_at(base.tree, name)
                condition = Condition(
                    name,
                    item.requires,
                    item.when,
                    keys,
                    _spares(item, name, default),
                    None if default is MISSING else default,
                    knowledge.evidence(item.path, item.line, item.symbol),
                )
                found[place] = (condition, [entry_point.module])
    for condition, modules in found.values():
        having = [entry.module for entry, base in trees if value_at(base.tree, condition.key) is not MISSING]
        some = set(having) - set(modules)
        yield replace(condition, entry_points=tuple(dict.fromkeys(modules)) if some else ())


def _spares(item: Constraint, key: str, default: Any) -> bool:
    if default is MISSING or not item.when:
        return False
    return truth(item.when, lambda name: default if name == key else UNKNOWN) is Truth.FALSE


def _followers(key: str, trees: _Trees) -> tuple[str, ...]:
    return tuple(sorted({name for _, base in trees for name in follows(base.tree, key)}))


def _speaks_of(rule: Rule, key: str) -> bool:
    return rule.matches(key) or key in {name.lstrip("+") for name in rule.set} or key in keys_of(rule.when)


def _sets(rule: Rule) -> str:
    return next(iter(rule.set), "").lstrip("+")


def _advice(key: str, rules: tuple[Rule, ...]) -> Iterator[Advice]:
    for rule in rules:
        if rule.matches(key) and rule.set:
            new = (rule.renamed(key) or "").lstrip("+")
        elif _sets(rule) == key and rule.effect != "renamed":
            new = key
        else:
            continue
        expression = next(iter(rule.set.values()))
        yield Advice(rule.id, rule.key, new, "" if expression == "value" else expression)
