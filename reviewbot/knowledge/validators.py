"""What entry points check and change in the config before anything is made from it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from reviewbot.knowledge.config_classes import constraints_of, writes_of
from reviewbot.knowledge.dataflow import Flow
from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import conjunction, key_expression, text_of
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import EntryPoint, NodeCall, Validator
from reviewbot.knowledge.source import Function, Klass, Module, Sources
from reviewbot.knowledge.tables import Value

WHOLE = ""
"""The key of the whole config."""


def read_validators(
    sources: Sources, framework: Framework, entry_points: Iterable[EntryPoint]
) -> tuple[Validator, ...]:
    """The functions of entry points that call one of the framework's validators, followed with the whole config."""
    found = []
    for entry in entry_points:
        module = sources.module(entry.path)
        for klass, function in () if module is None else _callers(module, framework.validators):
            validator = (
                None if module is None else _follow(sources, framework, entry, module, klass, function)
            )
            if validator is not None:
                found.append(validator)
    return tuple(found)


def _callers(module: Module, validators: Iterable[str]) -> Iterator[tuple[Klass | None, Function]]:
    candidates: list[tuple[Klass | None, Function]] = [(None, item) for item in module.functions.values()]
    for node in module.classes.values():
        candidates += [(Klass(module, node), item) for item in node.body if isinstance(item, Function)]
    for klass, function in candidates:
        calls = {dotted(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
        if calls & set(validators):
            yield klass, function


def _follow(
    sources: Sources,
    framework: Framework,
    entry: EntryPoint,
    module: Module,
    klass: Klass | None,
    function: Function,
) -> Validator | None:
    flow = Flow(sources, framework, module, klass, server=False)
    bound: dict[str, Value] = {"config": key_expression(WHOLE)}
    flow.frame.names["self.config"] = key_expression(WHOLE)
    try:
        flow.run(function, bound)
    except RecursionError:
        sources.problems.append(
            f"{module.path}: {function.name} is too deeply nested; nothing is claimed from it"
        )
        return None
    calls = []
    for key, method, positional, named, place in flow.key_calls:
        arguments = [(str(position), text_of(value)) for position, value in enumerate(positional)]
        arguments += [(name, text_of(value)) for name, value in sorted(named.items())]
        calls.append(NodeCall(key, method, tuple(arguments), conjunction(place.guards)))
    return Validator(
        path=module.path,
        symbol=flow.frame.symbol,
        entry_point=entry.module,
        constraints=constraints_of(flow),
        writes=writes_of(flow),
        calls=tuple(dict.fromkeys(calls)),
    )
