"""What a run of an entry point checks and changes in the config on its way."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from reviewbot.knowledge.config_classes import METHODS, constraints_of, writes_of
from reviewbot.knowledge.dataflow import Flow
from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import conjunction, key_expression, text_of
from reviewbot.knowledge.flow_state import Scope
from reviewbot.knowledge.framework import Framework, Step
from reviewbot.knowledge.model import EntryPoint, NodeCall, Validator
from reviewbot.knowledge.source import Function, Klass, Module, Sources
from reviewbot.knowledge.tables import Value


def read_validators(
    sources: Sources, framework: Framework, entry_points: Iterable[EntryPoint]
) -> tuple[Validator, ...]:
    """What is followed of each entry point: its main function, those that call one of the framework's validators,
    and the framework's steps."""
    found: list[Validator] = []
    for entry in entry_points:
        for step in _own_steps(sources, framework, entry):
            found += _follow(sources, framework, entry, step)
        for step in framework.steps:
            if any(fnmatchcase(entry.module, pattern) for pattern in step.entry_points):
                found += _follow(sources, framework, entry, step)
    return tuple(item for item in found if item.constraints or item.writes or item.calls)


def _own_steps(sources: Sources, framework: Framework, entry: EntryPoint) -> Iterator[Step]:
    module = sources.module(entry.path)
    given = {step.symbol for step in framework.steps if step.path == entry.path}
    for name, function in _functions(module) if module is not None else ():
        calls = {dotted(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
        decorators = {dotted(item.func) for item in function.decorator_list if isinstance(item, ast.Call)}
        if name not in given and (calls & set(framework.validators) or "hydra.main" in decorators):
            yield Step(entry.path, name, (entry.module,))


def _functions(module: Module) -> Iterator[tuple[str, Function]]:
    yield from module.functions.items()
    for node in module.classes.values():
        yield from ((f"{node.name}.{item.name}", item) for item in node.body if isinstance(item, Function))


def _follow(sources: Sources, framework: Framework, entry: EntryPoint, step: Step) -> Iterator[Validator]:
    module = sources.module(step.path)
    if module is None or (step.without and sources.text(step.without) is not None):
        return
    class_name, _, name = step.symbol.rpartition(".")
    klass = Klass(module, module.classes[class_name]) if class_name in module.classes else None
    function = dict(_functions(module)).get(step.symbol)
    if function is None:
        return
    flow = Flow(sources, framework, module, klass, Scope(known=step.known))
    bound: dict[str, Value] = {"config": key_expression(step.root)}
    flow.frame.names["self.config"] = key_expression(step.root)
    try:
        _start(sources, flow, klass, function, bound)
        flow.run(function, bound)
    except RecursionError:
        sources.problems.append(f"{module.path}: {name} is too deeply nested; nothing is claimed from it")
        return
    yield Validator(
        path=module.path,
        symbol=step.symbol,
        entry_point=entry.module,
        when=step.when,
        constraints=constraints_of(flow),
        writes=writes_of(flow),
        calls=tuple(dict.fromkeys(_calls(flow))),
    )


def _start(
    sources: Sources, flow: Flow, klass: Klass | None, function: Function, bound: dict[str, Value]
) -> None:
    """Follow the constructor first, for the attributes that it sets."""
    first = sources.method(klass, "__init__") if klass is not None and function.name != "__init__" else None
    if first is not None:
        flow.frame.owner = first[0]
        flow.run(first[1], bound)
        flow.forget()
        flow.frame.owner = klass


def _calls(flow: Flow) -> Iterator[NodeCall]:
    for key, method, positional, named, place in flow.key_calls:
        if method not in METHODS:
            continue
        arguments = [(str(position), text_of(value)) for position, value in enumerate(positional)]
        arguments += [(name, text_of(value)) for name, value in sorted(named.items())]
        yield NodeCall(key, method, tuple(arguments), conjunction(place.guards))
