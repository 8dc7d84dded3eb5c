"""Follows a function of the source statement by statement, with values written in terms of config keys.

This is symbolic execution over a small part of Python: assignments, branches (joined again as ``a if test
else b``), early returns, dicts and the calls that write to them, and calls of functions of the same
framework, a few levels deep. What loops assign is opaque, and so is everything else. Nothing of the source
is run.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from reviewbot.knowledge.conditions import keys_in
from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import NONE, key_expression, literal_text, negation, opaque
from reviewbot.knowledge.flow_calls import Calls
from reviewbot.knowledge.flow_state import Place, Scope, is_constant
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.source import Function, Klass, Module, Sources
from reviewbot.knowledge.tables import Group, Table, Value, as_expression, choice


class Flow(Calls):
    """One function, followed.

    After :meth:`run`, ``tables``, ``users`` and ``sinks`` say what it built and handed on, ``refusals`` what it
    refuses, ``key_writes`` and ``key_calls`` what it does to the config.
    """

    def __init__(
        self, sources: Sources, framework: Framework, module: Module, klass: Klass | None, scope: Scope
    ) -> None:
        super().__init__(sources, framework, module, klass, scope)
        self.refusals: list[tuple[ast.expr, Place]] = []
        """What must hold at a place, else the run ends there."""

    def run(self, function: Function, bound: Mapping[str, Value] = MappingProxyType({})) -> None:
        """Follow the function from its start; parameters without a given value are what the framework says."""
        self.frame.function = function.name
        for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
            given = bound.get(argument.arg)
            self.frame.names[argument.arg] = self._parameter(argument) if given is None else given
        self.run_body(function.body)

    def forget(self) -> None:
        """Keep only the attributes of ``self``: what was built, refused and written so far does not count."""
        self.refusals.clear()
        self.key_writes.clear()
        self.key_calls.clear()
        self.guards.clear()
        self.frame.names = {
            name: value for name, value in self.frame.names.items() if name.startswith("self.")
        }

    def _parameter(self, argument: ast.arg) -> Value:
        annotation = dotted(argument.annotation) if argument.annotation is not None else None
        key = self.framework.classes.get((annotation or "").rpartition(".")[2])
        key = (key or self.scope.roots.get(argument.arg)) if self.scope.server else None
        return opaque(argument.arg) if key is None else key_expression(key)

    def run_body(self, body: Sequence[ast.stmt]) -> bool:
        """See :class:`Calls`."""
        return any(self._statement(statement) for statement in body)

    def _statement(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign):
            value = self.engine_table(self.value(node.value), node.value)
            for target in node.targets:
                self._assign(target, value, node)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, self.engine_table(self.value(node.value), node.value), node)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            joined = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            self._assign(node.target, self.value(joined), node)
        elif isinstance(node, ast.Expr):
            self._effect(node.value)
        elif isinstance(node, ast.If):
            return self._branch(node)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            self._loop(node)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            return self.run_body(node.body)
        elif isinstance(node, ast.Try):
            return self._try(node)
        elif isinstance(node, ast.Return):
            self._return(node)
            return True
        elif isinstance(node, ast.Assert):
            self.refusals.append((self.expression(node.test), self.place(node)))
        elif isinstance(node, ast.Raise):
            self._raise(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.frame.functions[node.name] = node
        elif isinstance(node, ast.ImportFrom):
            self.frame.imports |= self.frame.module.imported(node)
        elif isinstance(node, ast.Delete):
            self._delete(node)
        return isinstance(node, (ast.Raise, ast.Break, ast.Continue))

    def _raise(self, node: ast.Raise) -> None:
        """The innermost test must not hold, where the outer ones do."""
        place = self.place(node)
        if place.guards:
            self.refusals.append((negation(place.guards[-1]), replace(place, guards=place.guards[:-1])))

    def _assign(self, target: ast.expr, value: Value, node: ast.stmt) -> None:
        if isinstance(target, ast.Name):
            self.frame.names[target.id] = _named(value, target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, node)
        elif isinstance(target, ast.Subscript):
            self._store(target, value, node)
        elif isinstance(target, ast.Attribute):
            self.set_attribute(target.value, target.attr, value, node)

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, node: ast.stmt) -> None:
        fits = isinstance(value, Group) and len(value.values) == len(target.elts)
        for position, element in enumerate(target.elts):
            inner = value.values[position] if fits and isinstance(value, Group) else None
            self._assign(element, opaque(element) if inner is None else inner, node)

    def _store(self, target: ast.Subscript, value: Value, node: ast.stmt) -> None:
        table = self.table(target.value)
        if table is None:
            return
        key = self.text(target.slice)
        kind = "unknown" if key is None else "set"
        table.add(kind, key or "", value, tuple(self.guards), self.line(node))

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            key = literal_text(target.slice) if isinstance(target, ast.Subscript) else None
            table = self.table(target.value) if isinstance(target, ast.Subscript) else None
            if table is not None and key is not None:
                table.add("pop", key, NONE, tuple(self.guards), self.line(node))

    def _effect(self, node: ast.expr) -> None:
        """An expression for what it does; ``name.append(x)`` leaves the name with an opaque value."""
        grows = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if grows and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner, changes = (
                node.func.value,
                node.func.attr in ("append", "extend", "insert", "add", "remove"),
            )
            if changes and isinstance(owner, ast.Name) and owner.id in self.frame.names:
                parts = [as_expression(self.frame.names[owner.id]), *map(self.expression, node.args)]
                self.frame.names[owner.id] = opaque(owner.id, parts)
                return
        self.value(node)

    def _branch(self, node: ast.If) -> bool:
        test = self.expression(node.test)
        before = dict(self.frame.names)
        ends, first = self._arm(node.body, test, before)
        if ends and _returns(node.body):
            self.guards.append(negation(test))
        otherwise_ends, second = self._arm(node.orelse, negation(test), before)
        if otherwise_ends and _returns(node.orelse):
            self.guards.append(test)
        if ends or otherwise_ends:
            self.frame.names = second if ends else first
        else:
            self.frame.names = {
                name: _named(choice(test, self._or_absent(first, name), self._or_absent(second, name)), name)
                for name in {**first, **second}
            }
        return ends and otherwise_ends

    def _or_absent(self, names: Mapping[str, Value], name: str) -> Value:
        """The value of a name; of a config key or an attribute that was not written, what it was before."""
        if name in names or "." not in name:
            return names.get(name, opaque(name))
        me = names.get("self")
        if not name.startswith("self."):
            return key_expression(name)
        return ast.Attribute(me, name[5:]) if isinstance(me, ast.expr) else opaque(name)

    def _arm(
        self, body: Sequence[ast.stmt], test: ast.expr, names: dict[str, Value]
    ) -> tuple[bool, dict[str, Value]]:
        self.frame.names = dict(names)
        with self.guarded(test):
            ends = self.run_body(body)
        return ends, self.frame.names

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        if isinstance(node, ast.For):
            self._note_items(node)
        for name in _assigned(node):
            self.frame.names[name] = opaque(name)
        what = node.test if isinstance(node, ast.While) else node.iter
        with self.guarded(opaque("for each", [self.expression(what)])):
            self.run_body(node.body)
        for name in _assigned(node):
            self.frame.names[name] = opaque(name)
        self.run_body(node.orelse)
        if _has_return(node.body):
            self.guards.append(opaque("no earlier return"))

    def _note_items(self, node: ast.For) -> None:
        source = node.iter
        if (
            isinstance(source, ast.Call)
            and isinstance(source.func, ast.Attribute)
            and source.func.attr == "items"
        ):
            table = self.value(source.func.value)
            if isinstance(table, Table) and len(self.frames) == 1:
                self.sinks.append((node, table))

    def _try(self, node: ast.Try) -> bool:
        ends = self.run_body(node.body)
        for handler in node.handlers:
            before = dict(self.frame.names)
            failed = opaque("an exception")
            handler_ends, names = self._arm(handler.body, failed, before)
            if not handler_ends and not ends:
                self.frame.names = {
                    name: _named(choice(failed, self._or_absent(names, name), value), name)
                    for name, value in before.items()
                }
            elif not ends:
                self.frame.names = before
        if not ends and any(_has_return(handler.body) for handler in node.handlers):
            self.guards.append(opaque("no earlier return"))
        self.run_body(node.orelse)
        return self.run_body(node.finalbody) or ends

    def _return(self, node: ast.Return) -> None:
        value = NONE if node.value is None else self.value(node.value)
        self.frame.returns.append((tuple(self.guards[self.frame.depth :]), value))


def _named(value: Value, name: str) -> Value:
    """A joined value without any part of the config is called by its name."""
    if isinstance(value, ast.IfExp) and not keys_in(value) and not is_constant(value):
        return opaque(name)
    return value


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether a body that ends early may do so by returning: then the rest runs only in the other case."""
    return any(
        isinstance(node, (ast.Return, ast.Continue, ast.Break)) for item in body for node in ast.walk(item)
    )


def _has_return(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Return) for item in body for node in ast.walk(item))


def _assigned(node: ast.AST) -> set[str]:
    return {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
