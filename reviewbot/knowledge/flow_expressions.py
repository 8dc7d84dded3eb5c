"""The expressions of a followed function, rewritten in terms of config keys."""

from __future__ import annotations

import ast
import keyword
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from reviewbot.knowledge.conditions import keys_in
from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import bounded, key_expression, literal_text, opaque
from reviewbot.knowledge.flow_state import (
    Frame,
    Place,
    Scope,
    drops_none,
    is_constant,
    is_empty,
    is_in,
    is_whole,
    member_of,
)
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.source import Klass, Module, Sources
from reviewbot.knowledge.tables import Group, Table, Value, as_expression, choice, user_table


class Expressions(ABC):
    """What a followed function knows, and the values of its expressions."""

    def __init__(
        self, sources: Sources, framework: Framework, module: Module, klass: Klass | None, scope: Scope
    ) -> None:
        self.sources = sources
        self.framework = framework
        self.scope = scope
        self.frames = [Frame(module, owner=klass, me=klass)]
        self.guards: list[ast.expr] = []
        self.tables: list[Table] = []
        """Dicts that the function itself builds, in order."""
        self.users: list[Table] = []
        """The tables that recipes fill, in order."""
        self._copies: dict[int, tuple[ast.expr, bool]] = {}
        """Expressions of config nodes that were copied, by identity; True where the copy is the node's object."""
        prefix, _, suffix = framework.engine_kwargs.partition("{backend}")
        self._engine_prefix, self._engine_suffix = prefix, suffix

    @property
    def frame(self) -> Frame:
        """The function at hand."""
        return self.frames[-1]

    @abstractmethod
    def call(self, node: ast.Call) -> Value:
        """The value of a call, and what it does to the dicts."""

    @abstractmethod
    def property_value(self, name: str) -> Value | None:
        """The value of ``self.name`` where that is a property."""

    @contextmanager
    def guarded(self, *tests: ast.expr) -> Iterator[None]:
        """Within, everything happens under these tests."""
        depth = len(self.guards)
        self.guards.extend(tests)
        try:
            yield
        finally:
            del self.guards[depth:]

    def line(self, node: ast.AST) -> int:
        """The line to show for a node."""
        return self.frame.line or getattr(node, "lineno", 0)

    def place(self, node: ast.AST) -> Place:
        """The place of a node."""
        frame = self.frame
        return Place(tuple(self.guards), frame.module.path, getattr(node, "lineno", 0), frame.symbol)

    def expression(self, node: ast.expr) -> ast.expr:
        """The rewritten expression."""
        return as_expression(self.value(node))

    def text(self, node: ast.expr) -> str | None:
        """The text that an expression is for certain: a literal, a constant, a function that returns one."""
        known = isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.Call))
        return literal_text(self.expression(node)) if known else None

    def value(self, node: ast.expr) -> Value:
        """The rewritten expression, or the dict or tuple that it makes."""
        read = _READERS.get(type(node))
        return opaque(node) if read is None else read(self, node)

    def table(self, node: ast.expr) -> Table | None:
        """The dict that an expression stands for; a value from a recipe's engine arguments becomes one."""
        value = self.value(node)
        if isinstance(value, Table):
            return value
        key = dotted(value) if isinstance(value, ast.expr) else None
        if key is None or not key.startswith(self._engine_prefix):
            return None
        table = user_table(key, self.line(node))
        if isinstance(node, ast.Name):
            self.frame.names[node.id] = table
        return table

    def copied(self, value: Value, *, made: bool) -> Value:
        """A copy of a config node; with ``made``, the object that the framework makes of it."""
        key = dotted(value) if isinstance(value, ast.expr) else None
        if not key:
            return value
        copy = key_expression(key)
        self._copies[id(copy)] = (copy, made)
        return copy

    def copy_of(self, node: ast.expr) -> bool | None:
        """Whether a node of the config lies in a copy (False), in an object made of it (True), or in neither."""
        while True:
            if id(node) in self._copies:
                return self._copies[id(node)][1]
            if not isinstance(node, ast.Attribute):
                return None
            node = node.value

    def engine_table(self, value: Value, node: ast.AST) -> Value:
        """The recipe's engine arguments as a dict of their own, where the value is their config key."""
        key = dotted(value) if isinstance(value, ast.expr) else None
        if key is None or not self._is_engine_key(key):
            return value
        table = user_table(key, self.line(node))
        self.users.append(table)
        return table

    def _is_engine_key(self, key: str) -> bool:
        middle = key.removeprefix(self._engine_prefix).removesuffix(self._engine_suffix)
        return key.startswith(self._engine_prefix) and bool(middle) and "." not in middle

    def _constant(self, node: ast.Constant) -> Value:
        return node

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.frame.names:
            return self.frame.names[node.id]
        if self.frame.module.imports.get(node.id) == ("omegaconf", "MISSING"):
            return ast.Constant("???")
        constant = self.frame.module.constants.get(node.id)
        return constant if constant is not None and is_constant(constant) else opaque(node)

    def _attribute(self, node: ast.Attribute) -> Value:
        text = dotted(node) or ""
        if text in self.scope.roots:
            return key_expression(self.scope.roots[text])
        if text in self.scope.known:
            return ast.parse(self.scope.known[text], mode="eval").body
        if text in self.frame.names:
            return self.frame.names[text]
        if text.startswith("self.") and text.count(".") == 1:
            found = self.property_value(node.attr)
            if found is not None or "self" not in self.frame.names or node.attr.startswith("_"):
                return opaque(node) if found is None else found
        constant = self._class_constant(node)
        return self._member(node, self.value(node.value), node.attr) if constant is None else constant

    def _class_constant(self, node: ast.Attribute) -> ast.expr | None:
        """``Enumeration.MEMBER`` of an enumeration of texts."""
        name = dotted(node.value)
        if name is None or "." in name or name in self.frame.names:
            return None
        klass = self.sources.klass(self.frame.module, name) if self.is_own(name) else None
        if klass is None or "str" not in map(dotted, klass.node.bases):
            return None
        for item in klass.node.body:
            if isinstance(item, ast.Assign) and [dotted(target) for target in item.targets] == [node.attr]:
                return item.value if is_constant(item.value) else None
        return None

    def is_own(self, name: str) -> bool:
        """Whether a name is defined here or imported from the framework."""
        origin = self.frame.module.imports.get(name, (self.framework.package, ""))[0]
        return origin.split(".")[0] == self.framework.package

    def _member(self, node: ast.expr, owner: Value, name: str) -> Value:
        """``owner.name`` or ``owner["name"]``."""
        if isinstance(owner, Table):
            return owner.read(name)
        if isinstance(owner, Group):
            return opaque(node)
        if dotted(owner) is not None and name.isidentifier() and not keyword.iskeyword(name):
            member = member_of(owner, name)
            return self.frame.names.get(dotted(member) or "", member)
        return opaque(node, [owner])

    def _subscript(self, node: ast.Subscript) -> Value:
        name = self.text(node.slice)
        owner = self.value(node.value)
        if name is not None:
            return self._member(node, owner, name)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(owner, Group) and isinstance(index, int) and 0 <= index < len(owner.values):
            return owner.values[index]
        return self._compound(node, ast.Subscript(as_expression(owner), self.expression(node.slice)))

    def _slice(self, node: ast.Slice) -> Value:
        return opaque(node)

    def _boolean(self, node: ast.BoolOp) -> Value:
        values = [self.value(operand) for operand in node.values]
        if isinstance(node.op, ast.And):
            values = [value for value in values if not is_whole(value)] or values[:1]
        if isinstance(node.op, ast.Or) and len(values) > 1 and is_empty(values[-1]):
            values.pop()
        if len(values) == 1:
            return values[0]
        return self._compound(node, ast.BoolOp(node.op, [as_expression(value) for value in values]))

    def _conditional(self, node: ast.IfExp) -> Value:
        test = self.expression(node.test)
        with self.guarded(test):
            first = self.value(node.body)
        second = self.value(node.orelse)
        joined = choice(test, first, second)
        return self._compound(node, joined) if isinstance(joined, ast.expr) else joined

    def _unary(self, node: ast.UnaryOp) -> Value:
        return self._compound(node, ast.UnaryOp(node.op, self.expression(node.operand)))

    def _binary(self, node: ast.BinOp) -> Value:
        return self._compound(
            node, ast.BinOp(self.expression(node.left), node.op, self.expression(node.right))
        )

    def _comparison(self, node: ast.Compare) -> Value:
        known = self.scope.known.get(ast.unparse(node)) if self.scope.known else None
        if known is not None:
            return ast.parse(known, mode="eval").body
        values = [self.value(operand) for operand in (node.left, *node.comparators)]
        if isinstance(node.ops[-1], (ast.In, ast.NotIn)):
            values[-1] = self._keys_of_constant(node.comparators[-1]) or values[-1]
        found = is_in(node.ops[0], values[0], values[1]) if len(values) == 2 else None
        if found is not None:
            return ast.Constant(found)
        left, *others = map(as_expression, values)
        return self._compound(node, ast.Compare(left, node.ops, others))

    def _keys_of_constant(self, node: ast.expr) -> ast.expr | None:
        """The keys of a dict at the top of the module."""
        constant = self.frame.module.constants.get(dotted(node) or "")
        if not isinstance(constant, ast.Dict) or (dotted(node) or "") in self.frame.names:
            return None
        keys = [key for key in constant.keys if key is not None and is_constant(key)]
        return ast.List(keys, ast.Load()) if len(keys) == len(constant.keys) else None

    def _sequence(self, node: ast.List | ast.Set) -> Value:
        elements = [self.expression(element) for element in node.elts if not isinstance(element, ast.Starred)]
        if len(elements) < len(node.elts):
            return opaque(node, elements)
        return self._compound(node, ast.List(elements, ast.Load()))

    def _tuple(self, node: ast.Tuple) -> Value:
        return Group(tuple(self.value(element) for element in node.elts))

    def _dict(self, node: ast.Dict) -> Value:
        table = self.new_table(node)
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.spread(table, value)
                continue
            name = self.text(key)
            kind = "unknown" if name is None else "set"
            table.add(kind, name or "", self.value(value), tuple(self.guards), self.line(value))
        return table

    def new_table(self, node: ast.AST, *, is_call: bool = False) -> Table:
        """An empty dict made at a node."""
        table = Table(line=self.line(node), guards=tuple(self.guards), is_call=is_call)
        if len(self.frames) == 1:
            self.tables.append(table)
        return table

    def spread(self, table: Table, source: ast.expr) -> None:
        """``**source`` or ``table.update(source)``."""
        other = self.table(source)
        if other is None:
            table.add("unknown", "", self.expression(source), tuple(self.guards), self.line(source))
        else:
            table.spread(other, tuple(self.guards), self.line(source))

    def _dict_comprehension(self, node: ast.DictComp) -> Value:
        """A filtered copy: ``{k: v for k, v in X.items() if v is not None}``."""
        loop = node.generators[0]
        source = loop.iter
        items = (
            isinstance(source, ast.Call)
            and isinstance(source.func, ast.Attribute)
            and source.func.attr == "items"
        )
        same = isinstance(loop.target, ast.Tuple) and [dotted(node.key), dotted(node.value)] == [
            dotted(name) for name in loop.target.elts
        ]
        if len(node.generators) != 1 or not items or not same:
            return opaque(node)
        assert isinstance(source, ast.Call)
        assert isinstance(source.func, ast.Attribute)
        table = self.table(source.func.value)
        if table is None:
            return opaque(node, [self.expression(source.func.value)])
        copy = table.copy()
        copy.skips_none = copy.skips_none or any(drops_none(test, node.value) for test in loop.ifs)
        if table in self.users:
            self.users.append(copy)
        return copy

    def _await(self, node: ast.Await) -> Value:
        return self.value(node.value)

    def _named(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.frame.names[node.target.id] = value
        return value

    def _format(self, node: ast.JoinedStr) -> Value:
        parts = [self.expression(part.value) for part in node.values if isinstance(part, ast.FormattedValue)]
        return opaque("…", parts)

    def _call(self, node: ast.Call) -> Value:
        return self.call(node)

    def _compound(self, node: ast.expr, rebuilt: ast.expr) -> ast.expr:
        """A rebuilt expression; its source where the config has no part in it."""
        if keys_in(rebuilt):
            return bounded(rebuilt)
        return rebuilt if is_constant(rebuilt) else opaque(node)


_READERS: dict[type[ast.expr], Callable[[Expressions, Any], Value]] = {
    ast.Constant: Expressions._constant,
    ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript,
    ast.Slice: Expressions._slice,
    ast.BoolOp: Expressions._boolean,
    ast.IfExp: Expressions._conditional,
    ast.UnaryOp: Expressions._unary,
    ast.BinOp: Expressions._binary,
    ast.Compare: Expressions._comparison,
    ast.List: Expressions._sequence,
    ast.Set: Expressions._sequence,
    ast.Tuple: Expressions._tuple,
    ast.Dict: Expressions._dict,
    ast.DictComp: Expressions._dict_comprehension,
    ast.Await: Expressions._await,
    ast.NamedExpr: Expressions._named,
    ast.JoinedStr: Expressions._format,
    ast.Call: Expressions._call,
}
