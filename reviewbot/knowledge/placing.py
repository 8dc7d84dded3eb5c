"""What config classes refuse and write, placed on the nodes of a config."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from reviewbot.config.model import Plain
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import (
    ConfigClass,
    ConfigWrite,
    Constraint,
    EntryPoint,
    MethodRules,
    NodeCall,
    ServerTrace,
    Validator,
)

_NODE = re.compile(r"\b_self_\b")
_ARGUMENT = re.compile(r"\b_arg_\.(\w+)")
_KEY = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")
_MAX_DEPTH = 30


@dataclass(frozen=True)
class Placed:
    """What holds for one config."""

    constraints: tuple[Constraint, ...]
    writes: tuple[ConfigWrite, ...]


def place(
    framework: Framework,
    entry_point: EntryPoint,
    tree: Mapping[str, Plain],
    classes: Mapping[str, ConfigClass],
    validators: Iterable[Validator],
    traces: Iterable[ServerTrace],
) -> Placed:
    """The constraints and writes of a config tree, in terms of its keys.

    ``tree`` is composed, and may have overrides applied; ``classes`` are by target.  Nothing is known of entry
    points that bring trainers or workers of their own.
    """
    constraints: list[Constraint] = []
    writes: list[ConfigWrite] = []
    if not framework.is_usual(entry_point.module):
        return Placed((), ())
    for use in framework.uses:
        if any(fnmatchcase(entry_point.module, pattern) for pattern in use.never):
            continue
        for key, target in targets_below(tree, use.key):
            for rules in _rules(classes, target, "__post_init__"):
                placed = _on_node(rules, key, {}, use.when)
                writes += placed.writes
                if not (use.changed and key == use.key):
                    constraints += placed.constraints
    for validator in validators:
        if validator.entry_point == entry_point.module:
            constraints += (
                replace(item, when=both(validator.when, item.when)) for item in validator.constraints
            )
            writes += (replace(item, when=both(validator.when, item.when)) for item in validator.writes)
            constraints += _called(validator, tree, classes)
    if any(
        _exists(tree, use.key)
        for use in framework.uses
        if use.key and framework.backend_key.startswith(use.key)
    ):
        constraints += _of_servers(framework, entry_point, traces)
    return _renamed(Placed(tuple(dict.fromkeys(constraints)), tuple(dict.fromkeys(writes))), tree)


def _renamed(placed: Placed, tree: Mapping[str, Plain]) -> Placed:
    """With attributes that are only another name of a node (``actor.engine``) replaced by that node's key."""
    aliases = {
        item.key: item.value
        for item in placed.writes
        if _KEY.fullmatch(item.value) and _exists(tree, item.value) and node_at(tree, item.key) is None
    }
    if not aliases:
        return placed
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, aliases)) + r")(?=\.)")

    def renamed(text: str) -> str:
        return pattern.sub(lambda match: aliases[match[1]], text)

    constraints = (
        replace(item, when=renamed(item.when), requires=renamed(item.requires)) for item in placed.constraints
    )
    writes = (
        replace(item, key=renamed(item.key), value=renamed(item.value), when=renamed(item.when))
        for item in placed.writes
    )
    return Placed(
        tuple(dict.fromkeys(constraints)), tuple(item for item in writes if item.key not in aliases)
    )


def shape_of(tree: Mapping[str, Plain]) -> frozenset[tuple[str, str]]:
    """What :func:`place` asks of a tree: the nodes that name a class, the nodes right below them and at the top."""
    found: list[tuple[str, str]] = []
    waiting: list[tuple[str, Mapping[str, Plain], int, bool]] = [("", tree, 0, True)]
    while waiting:
        key, node, depth, counts = waiting.pop()
        target = node.get("_target_")
        named = isinstance(target, str)
        if named or counts:
            found.append((key, target if isinstance(target, str) else ""))
        for name, value in node.items() if depth < _MAX_DEPTH else ():
            if isinstance(value, Mapping):
                waiting.append((f"{key}.{name}" if key else str(name), value, depth + 1, named or depth == 0))
    return frozenset(found)


def targets_below(tree: Mapping[str, Plain], key: str) -> Iterator[tuple[str, str]]:
    """The nodes at and below a key that name a class: key and target, outer ones first."""
    node = node_at(tree, key)
    if isinstance(node, Mapping):
        yield from _targets(node, key, 0)


def node_at(tree: Mapping[str, Plain], key: str) -> Plain:
    """The plain node at a dotted key; None where there is none."""
    node: Plain = tree
    for part in key.split(".") if key else ():
        if not isinstance(node, Mapping) or part not in node:
            return None
        node = node[part]
    return node


def _exists(tree: Mapping[str, Plain], key: str) -> bool:
    return isinstance(node_at(tree, key), Mapping)


def _targets(node: Mapping[str, Plain], key: str, depth: int) -> Iterator[tuple[str, str]]:
    target = node.get("_target_")
    if isinstance(target, str):
        yield key, target
    for name, value in node.items() if depth < _MAX_DEPTH else ():
        if isinstance(value, Mapping) and isinstance(name, str) and name.isidentifier():
            yield from _targets(value, f"{key}.{name}" if key else name, depth + 1)


def _rules(classes: Mapping[str, ConfigClass], target: str, method: str) -> Iterator[MethodRules]:
    klass = classes.get(target)
    for rules in klass.rules if klass is not None else ():
        if rules.method == method:
            yield rules


def _on_node(rules: MethodRules, key: str, arguments: Mapping[str, str], when: str) -> Placed:
    def placed(text: str) -> str:
        text = _NODE.sub(key, text)
        return _ARGUMENT.sub(
            lambda match: f"({arguments.get(match[1], 'opaque(' + repr(match[1]) + ')')})", text
        )

    constraints = tuple(
        replace(item, when=both(when, placed(item.when)), requires=placed(item.requires))
        for item in rules.constraints
    )
    writes = tuple(
        ConfigWrite(
            placed(item.key),
            placed(item.value),
            both(when, placed(item.when)),
            item.path,
            item.line,
            item.symbol,
        )
        for item in rules.writes
    )
    return Placed(constraints, writes)


def both(first: str, second: str) -> str:
    """The conjunction of two conditions."""
    if not first or not second:
        return first or second
    return f"({first}) and ({second})"


def _called(
    validator: Validator, tree: Mapping[str, Plain], classes: Mapping[str, ConfigClass]
) -> Iterator[Constraint]:
    """What the methods refuse that a validator calls on nodes."""
    for call in validator.calls:
        node = node_at(tree, call.key)
        target = node.get("_target_") if isinstance(node, Mapping) else None
        if isinstance(target, str):
            for rules in _rules(classes, target, call.method):
                when = both(validator.when, call.when)
                yield from _on_node(rules, call.key, _arguments(rules, call), when).constraints


def _arguments(rules: MethodRules, call: NodeCall) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, text in call.arguments:
        if not name.isdigit():
            found[name] = text
        elif int(name) < len(rules.parameters):
            found[rules.parameters[int(name)]] = text
    return found


def _of_servers(
    framework: Framework, entry_point: EntryPoint, traces: Iterable[ServerTrace]
) -> Iterator[Constraint]:
    for trace in traces:
        if trace.condition and entry_point.module in framework.only_servers:
            continue
        used = both(f"{framework.backend_key} == {trace.backend!r}", trace.condition)
        for item in trace.constraints:
            yield replace(item, when=both(used, item.when))
