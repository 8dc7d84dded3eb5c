"""The name that a user gives → the check, rule or key that is meant."""

from __future__ import annotations

from difflib import get_close_matches

from reviewbot.checks.registry import CHECKS
from reviewbot.config.nearest import nearest
from reviewbot.errors import InputError
from reviewbot.explain.check import explain_check
from reviewbot.explain.key import explain_key
from reviewbot.explain.model import Explanation
from reviewbot.explain.rule import explain_rule
from reviewbot.explain.trees import bases, nodes
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say

_MAX_LISTED = 12


def explain(name: str, knowledge: Knowledge) -> Explanation:
    """What is known about a check, a rule, or a config key; the key may be an override (``+a.b=1``), or the end of
    a key that only one has.

    Raises InputError for a name that nothing has, with the nearest, and for the end of several keys.
    """
    for check in CHECKS:
        if check.id == name:
            return explain_check(check, knowledge)
    for rule in knowledge.rules:
        if rule.id == name:
            return explain_rule(rule, knowledge)
    key = name.lstrip("+~").partition("=")[0].strip()
    found = explain_key(key, knowledge) if key else None
    if found is not None and found.known:
        return found
    ending = keys_ending_in(key, knowledge) if key else ()
    if len(ending) == 1:
        return explain_key(ending[0], knowledge)
    if ending:
        raise InputError(_ambiguous(key, ending))
    raise InputError(_unknown(name, key, knowledge))


def keys_ending_in(end: str, knowledge: Knowledge) -> tuple[str, ...]:
    """The config keys whose last part or parts are these; those of the main entry point first."""
    found: dict[str, None] = {}
    for _, base in bases(knowledge):
        for key in nodes(base.tree):
            if key == end or key.endswith(f".{end}"):
                found[key] = None
    for rule in knowledge.rules:
        if rule.key.endswith(f".{end}") and "*" not in rule.key and "{" not in rule.key:
            found[rule.key] = None
    for trace in knowledge.traces:
        for write in trace.writes:
            if write.argument == end:
                found[f"{knowledge.framework.engine_key(trace.backend)}.{end}"] = None
    return tuple(found)


def _ambiguous(end: str, keys: tuple[str, ...]) -> str:
    listed = ", ".join(keys[:_MAX_LISTED])
    if len(keys) > _MAX_LISTED:
        listed = say("{keys} and {count} more", keys=listed, count=len(keys) - _MAX_LISTED)
    return say("{end} is the end of {count} keys; name one: {keys}", end=end, count=len(keys), keys=listed)


def _unknown(name: str, key: str, knowledge: Knowledge) -> str:
    near = nearest_names(name, key, knowledge)
    if not near:
        return say(
            "{name} is no check, rule or config key of {source}; `reviewbot rules list` lists the "
            "rules, and the "
            "checks are {checks}",
            name=name,
            source=knowledge.source,
            checks=", ".join(check.id for check in CHECKS),
        )
    return say(
        "{name} is no check, rule or config key of {source}; nearest: {near}",
        name=name,
        source=knowledge.source,
        near=", ".join(near),
    )


def nearest_names(name: str, key: str, knowledge: Knowledge) -> tuple[str, ...]:
    """Up to three names that were likely meant."""
    names = [check.id for check in CHECKS] + [rule.id for rule in knowledge.rules]
    found = list(get_close_matches(name, names, 3, 0.7)) if "." not in key else []
    if key:
        for _, base in bases(knowledge):
            found += [item for item in nearest(key, base) if item not in found]
    if not found:
        last = key.rpartition(".")[2]
        ends = {item.rpartition(".")[2]: item for _, base in bases(knowledge) for item in nodes(base.tree)}
        found = [ends[end] for end in get_close_matches(last, ends, 3, 0.7)]
    return tuple(found[:3])
