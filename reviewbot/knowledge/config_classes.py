"""The classes that config nodes are made into: their fields, and what their methods refuse and write."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reviewbot.knowledge.conditions import keys_of
from reviewbot.knowledge.dataflow import Flow
from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import conjunction, is_opaque, key_expression, source_text, text_of
from reviewbot.knowledge.flow_state import Place, Scope, is_constant
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import (
    ClassField,
    ConfigClass,
    ConfigWrite,
    Constraint,
    MethodRules,
)
from reviewbot.knowledge.source import Function, Klass, Sources
from reviewbot.knowledge.tables import Value

NODE = "_self_"
ARGUMENT = "_arg_"
_HYDRA = ("_target_", "_convert_", "_recursive_", "_partial_", "_args_")
METHODS = ("__post_init__", "validate")
"""Methods of config classes that are followed."""


def read_config_classes(
    sources: Sources, framework: Framework, targets: Iterable[str]
) -> tuple[ConfigClass, ...]:
    """The classes of these targets, sorted; those that cannot be read are left out."""
    found = []
    for target in sorted(set(targets)):
        klass = _resolve(sources, framework, target)
        if klass is not None:
            found.append(_config_class(sources, framework, target, klass))
    return tuple(found)


def targets_in(data: Any) -> Iterator[str]:
    """Every ``_target_`` in plain config data."""
    if isinstance(data, Mapping):
        target = data.get("_target_")
        if isinstance(target, str):
            yield target
        for value in data.values():
            yield from targets_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from targets_in(value)


def _resolve(sources: Sources, framework: Framework, target: str) -> Klass | None:
    module_name, _, name = target.rpartition(".")
    if module_name.split(".")[0] != framework.package:
        return None
    module = sources.named(module_name)
    return None if module is None else sources.klass(module, name)


def _config_class(sources: Sources, framework: Framework, target: str, klass: Klass) -> ConfigClass:
    lineage = sources.lineage(klass)
    rules = []
    for name in METHODS:
        method = sources.method(klass, name)
        if method is not None:
            found = _method_rules(sources, framework, klass, *method)
            if found is not None and (found.constraints or found.writes):
                rules.append(found)
    return ConfigClass(
        target=target,
        path=klass.module.path,
        line=klass.node.lineno,
        symbol=klass.node.name,
        fields=tuple(_fields(lineage)),
        open=not all(_is_closed(item, lineage) for item in lineage),
        rules=tuple(rules),
    )


def _fields(lineage: list[Klass]) -> Iterator[ClassField]:
    found: dict[str, ClassField] = {}
    for klass in reversed(lineage):
        for node in klass.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                annotation = source_text(node.annotation)
                if node.target.id not in _HYDRA and not annotation.startswith(
                    ("ClassVar", "typing.ClassVar")
                ):
                    found[node.target.id] = _field(node.target.id, annotation, node.value, klass)
    return iter(found.values())


def _field(name: str, annotation: str, value: ast.expr | None, klass: Klass) -> ClassField:
    if value is None:
        return ClassField(name, annotation, None, required=True)
    if isinstance(value, ast.Call) and dotted(value.func) in ("field", "dataclasses.field"):
        words = {word.arg: word.value for word in value.keywords}
        if "default" not in words:
            return ClassField(name, annotation, _made_by(words.get("default_factory")))
        value = words["default"]
    if isinstance(value, ast.Name) and klass.module.imports.get(value.id) == ("omegaconf", "MISSING"):
        return ClassField(name, annotation, repr("???"))
    return ClassField(name, annotation, text_of(value) if is_constant(value) else None)


def _made_by(factory: ast.expr | None) -> str | None:
    return {"dict": "{}", "list": "[]"}.get(dotted(factory) or "") if factory is not None else None


def _is_closed(klass: Klass, lineage: list[Klass]) -> bool:
    """Whether the class takes its fields and nothing else: a dataclass with readable bases and no own ``__init__``."""
    if any(isinstance(node, Function) and node.name == "__init__" for node in klass.node.body):
        return False
    names = [dotted(base) or "" for base in klass.node.bases]
    read = {item.node.name for item in lineage}
    outside = ("object", "collections.abc.Mapping", "Mapping", "ABC", "abc.ABC", "Generic")
    return all(name.rpartition(".")[2] in read or name in outside for name in names)


def _method_rules(
    sources: Sources, framework: Framework, klass: Klass, owner: Klass, function: Function
) -> MethodRules | None:
    flow = Flow(sources, framework, owner.module, klass, Scope())
    flow.frame.owner = owner
    parameters = [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)][1:]
    bound: dict[str, Value] = {name: key_expression(f"{ARGUMENT}.{name}") for name in parameters}
    bound["self"] = key_expression(NODE)
    try:
        flow.run(function, bound)
    except RecursionError:
        sources.problems.append(
            f"{owner.module.path}: {function.name} is too deeply nested; nothing is claimed from it"
        )
        return None
    return MethodRules(function.name, tuple(parameters), constraints_of(flow), writes_of(flow))


def constraints_of(flow: Flow) -> tuple[Constraint, ...]:
    """What a followed function refuses, as far as a config can decide it."""
    found = []
    for requires, place in flow.refusals:
        text, when = text_of(requires), conjunction(place.guards)
        hopeless = when == "False" or any(f"opaque({reason!r}" in when for reason in _NEVER_KNOWN)
        if keys_of(text) and not hopeless and (_decidable(requires) or "version" in text.lower()):
            found.append(Constraint(when, text, place.path, place.line, place.symbol))
    return tuple(dict.fromkeys(found))


_NEVER_KNOWN = ("for each", "an exception", "no earlier return")


def _decidable(node: ast.expr) -> bool:
    """Whether a config alone may show that the expression is false."""
    if isinstance(node, ast.BoolOp):
        return (any if isinstance(node.op, ast.And) else all)(map(_decidable, node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = node.operand
        if isinstance(inner, ast.BoolOp):
            return (all if isinstance(inner.op, ast.And) else any)(map(_decidable, inner.values))
        return _decidable(inner)
    return not any(is_opaque(part) for part in ast.walk(node))


def writes_of(flow: Flow) -> tuple[ConfigWrite, ...]:
    """The config keys that a followed function assigns."""
    written = (_write(*item) for item in flow.key_writes)
    return tuple(dict.fromkeys(item for item in written if item.when != "False"))


def _write(key: str, value: ast.expr, on_object: bool, place: Place) -> ConfigWrite:
    when = conjunction(place.guards)
    return ConfigWrite(key, text_of(value), when, place.path, place.line, place.symbol, on_object)
