"""The calls of a followed function: what they give, and what they do to the dicts."""

from __future__ import annotations

import ast
import keyword
from abc import abstractmethod
from collections.abc import Sequence

from reviewbot.knowledge.conditions import keys_in
from reviewbot.knowledge.evaluation import FUNCTIONS, METHODS, dotted
from reviewbot.knowledge.expressions import NONE, TRUE, bounded, is_opaque, opaque
from reviewbot.knowledge.flow_expressions import Expressions
from reviewbot.knowledge.flow_state import Frame, Place, Scope, is_constant, member_of
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.source import Function, Klass, Module, Sources
from reviewbot.knowledge.tables import Group, Table, Value, as_expression, choice

MAX_INLINED = 100
MAX_LEVELS = 3


class Calls(Expressions):
    """Calls of dict methods, of a few known functions, and of the framework's functions, some levels deep."""

    def __init__(
        self, sources: Sources, framework: Framework, module: Module, klass: Klass | None, scope: Scope
    ) -> None:
        super().__init__(sources, framework, module, klass, scope)
        self.sinks: list[tuple[ast.Call | ast.For, Table]] = []
        """Where dicts are handed on: ``f(**table)``, ``f(table)``, ``for k, v in table.items()``."""
        self.key_writes: list[tuple[str, ast.expr, bool, Place]] = []
        """Config keys that are assigned, the values, and whether an object made of the node is written to."""
        self.key_calls: list[tuple[str, str, list[ast.expr], dict[str, ast.expr], Place]] = []
        """Methods that are called on config nodes: key, method, arguments."""
        self._inlined = 0

    @abstractmethod
    def run_body(self, body: Sequence[ast.stmt]) -> bool:
        """Follow statements; whether their end is not reached (return, raise)."""

    def call(self, node: ast.Call) -> Value:
        """See :class:`Expressions`."""
        if isinstance(node.func, ast.Attribute):
            done = self._method(node, node.func)
            if done is not None:
                return done
        name = (dotted(node.func) or "").rpartition(".")[2]
        if name == "dict" and isinstance(node.func, ast.Name):
            return self._dict_call(node)
        if name == "getattr" and len(node.args) >= 2 and self.text(node.args[1]) is not None:
            return self._get(node, node.args[0], node.args[1:])
        if name in self.framework.transparent and node.args:
            made = name in self.framework.makers
            value = self.value(node.args[0])
            return value if self.scope.server else self.copied(value, made=made)
        if name in ("setattr", "__setattr__") and len(node.args) == 3 and self.text(node.args[1]) is not None:
            self.set_attribute(node.args[0], self.text(node.args[1]) or "", self.value(node.args[2]), node)
            return NONE
        if any(word.arg is None for word in node.keywords):
            return self._spreading(node)
        positional = [self.value(argument) for argument in node.args if not isinstance(argument, ast.Starred)]
        named = {word.arg: self.value(word.value) for word in node.keywords if word.arg is not None}
        self._hand_on(node, [*positional, *named.values()])
        self._note_call(node, positional, named)
        if not self.scope.server and named and not positional and name[:1].isupper():
            return self._record(node, named)
        result = self._result(node, positional, named)
        return self._plain(node, name, [*positional, *named.values()]) if result is None else result

    def set_attribute(self, owner: ast.expr, name: str, value: Value, node: ast.AST) -> None:
        """``owner.name = value``: an attribute of ``self``, a config key, or nothing that is followed."""
        if dotted(owner) == "self":
            self.frame.names[f"self.{name}"] = value
        node_of = self.expression(owner)
        if dotted(node_of) is not None and name.isidentifier():
            key = dotted(member_of(node_of, name)) or ""
            copy = self.copy_of(node_of)
            if copy is not False and key != dotted(as_expression(value)):
                self.key_writes.append((key, as_expression(value), copy is True, self.place(node)))
                self.frame.names[key] = value

    def _note_call(self, node: ast.Call, positional: list[Value], named: dict[str, Value]) -> None:
        """A method of a config node, which only its class can tell."""
        if not isinstance(node.func, ast.Attribute) or dotted(node.func.value) == "self":
            return
        owner = self.expression(node.func.value)
        if dotted(owner):
            arguments = [as_expression(value) for value in positional]
            words = {word: as_expression(value) for word, value in named.items()}
            self.key_calls.append((dotted(owner) or "", node.func.attr, arguments, words, self.place(node)))

    def _hand_on(self, node: ast.Call, arguments: Sequence[Value]) -> None:
        if len(self.frames) == 1:
            self.sinks += [(node, value) for value in arguments if isinstance(value, Table)]

    def _plain(self, node: ast.Call, name: str, arguments: Sequence[Value]) -> Value:
        """A call that stays a call where the language of conditions has it, else an opaque value."""
        parts = [as_expression(argument) for argument in arguments]
        known = isinstance(node.func, ast.Name) and name in FUNCTIONS and not node.keywords
        if known and any(keys_in(part) for part in parts):
            second = node.args[1:] if name == "isinstance" else parts[1:]
            return bounded(ast.Call(ast.Name(name), [parts[0], *second], []))
        return opaque(node, parts)

    def _method(self, node: ast.Call, function: ast.Attribute) -> Value | None:
        """Methods of dicts and strings; None for any other call."""
        name = function.attr
        if name in ("get", "pop") and node.args and not node.keywords:
            return self._get(node, function.value, node.args, remove=name == "pop")
        if name in ("update", "setdefault", "copy"):
            table = self.table(function.value)
            return None if table is None else self._change(node, name, table)
        if name in METHODS and not node.keywords:
            owner = self.expression(function.value)
            if keys_in(owner) and not is_opaque(owner):
                arguments = [self.expression(argument) for argument in node.args]
                return bounded(ast.Call(ast.Attribute(owner, name), arguments, []))
        return None

    def _change(self, node: ast.Call, name: str, table: Table) -> Value:
        guards, line = tuple(self.guards), self.line(node)
        if name == "copy":
            return table.copy()
        if name == "update":
            for argument in node.args:
                self.spread(table, argument)
            for word in node.keywords:
                if word.arg is None:
                    self.spread(table, word.value)
                else:
                    table.add("set", word.arg, self.value(word.value), guards, self.line(word.value))
            return NONE
        key = self.text(node.args[0]) if node.args else None
        default = self.value(node.args[1]) if len(node.args) > 1 else NONE
        table.add("default" if key is not None else "unknown", key or "", default, guards, line)
        return table.read(key) if key is not None else opaque(node)

    def _get(
        self, node: ast.Call, owner: ast.expr, arguments: Sequence[ast.expr], remove: bool = False
    ) -> Value:
        """``owner.get("key", default)``, ``owner.pop(…)``, ``getattr(owner, "key", default)``."""
        key = self.text(arguments[0]) or ""
        default: Value = self.value(arguments[1]) if len(arguments) > 1 else NONE
        table = self.table(owner)
        if table is not None and key:
            found = table.read(key, default)
            if remove:
                table.add("pop", key, NONE, tuple(self.guards), self.line(node))
            return found
        base = self.expression(owner)
        if dotted(base) is None or not key.isidentifier() or keyword.iskeyword(key):
            return opaque(node, [base]) if keys_in(base) else opaque(node)
        if isinstance(default, ast.Constant) and default.value is not None:
            return ast.Call(ast.Attribute(base, "get"), [ast.Constant(key), default], [])
        return ast.Attribute(base, key)

    def _record(self, node: ast.Call, named: dict[str, Value]) -> Value:
        """``Class(name=value)``: an object with these attributes."""
        table = self.new_table(node)
        for name, value in named.items():
            table.add("set", name, value, tuple(self.guards), self.line(node))
        return table

    def _dict_call(self, node: ast.Call) -> Value:
        if len(node.args) == 1 and not node.keywords:
            table = self.table(node.args[0])
            return self.value(node.args[0]) if table is None else table.copy()
        table = self.new_table(node)
        self._change(node, "update", table)
        return table

    def _spreading(self, node: ast.Call) -> Value:
        """``f(**table)``, and ``f(a=1, **table)`` with its keywords as a dict."""
        if len(node.keywords) == 1 and not node.args:
            table = self.table(node.keywords[0].value)
            if table is None:
                given = self.expression(node.keywords[0].value)
                return given if dotted(given) and not self.scope.server else opaque(node, [given])
            self._hand_on(node, [table])
            return table
        table = self.new_table(node, is_call=True)
        self._change(ast.Call(node.func, [], node.keywords, lineno=node.lineno), "update", table)
        return opaque(node, [as_expression(table)])

    def property_value(self, name: str) -> Value | None:
        """See :class:`Expressions`."""
        me = self.frame.me
        found = None if me is None else self.sources.method(me, name)
        if found is None or not any(dotted(item) in _PROPERTIES for item in found[1].decorator_list):
            return None
        result = self._follow(found[1], found[0].module, found[0], {}, found[1])
        return result if isinstance(result, ast.expr) and not _has_opaque(result) else None

    def _result(self, node: ast.Call, positional: list[Value], named: dict[str, Value]) -> Value | None:
        """What a function of the framework gives; None where that says nothing about the config."""
        target = self._target(node.func)
        if target is None or len(positional) < len(node.args):
            return None
        module, owner, function = target
        bound = _bind(function, positional, named, owner is not None)
        result = None if bound is None else self._follow(function, module, owner, bound, node)
        if result is None or isinstance(result, (Table, Group)):
            return result
        if _has_opaque(result):
            return None
        return result if keys_in(result) or is_constant(result) else None

    def _target(self, function: ast.expr) -> tuple[Module, Klass | None, Function] | None:
        """The function that a call goes to, with its class where it is a method of ``self``."""
        if isinstance(function, ast.Attribute) and self.frame.me is not None:
            above = self.frame.owner if _is_super(function.value) else None
            if above is not None or dotted(function.value) == "self":
                method = self.sources.method(self.frame.me, function.attr, above)
                return None if method is None else (method[0].module, method[0], method[1])
        name = dotted(function) or ""
        if name in self.frame.functions:
            return self.frame.module, None, self.frame.functions[name]
        module = self.frame.module
        if name in self.frame.imports:
            origin, name = self.frame.imports[name]
            imported = self.sources.named(origin) if origin.split(".")[0] == self.framework.package else None
            if imported is None:
                return None
            module = imported
        elif not self.is_own(name):
            return None
        found = self.sources.function(module, name)
        return None if found is None else (found[0], None, found[1])

    def _follow(
        self,
        function: Function,
        module: Module,
        owner: Klass | None,
        bound: dict[str, Value],
        node: ast.AST,
    ) -> Value | None:
        """The value that a function returns, its writes done."""
        if len(self.frames) > MAX_LEVELS or self._inlined >= MAX_INLINED:
            return None
        self._inlined += 1
        caller = self.frame
        frame = Frame(module, function.name, owner, caller.me if owner is not None else None)
        frame.depth = len(self.guards)
        frame.line = caller.line if module is caller.module else self.line(node)
        local = function.name in caller.functions
        shared = {name: value for name, value in caller.names.items() if local or _is_shared(name)}
        frame.names = shared | bound
        self.frames.append(frame)
        try:
            with self.guarded():
                self.run_body(function.body)
        finally:
            self.frames.pop()
        caller.names |= {name: value for name, value in frame.names.items() if "." in name}
        return _returned(frame)


_PROPERTIES = ("property", "cached_property", "functools.cached_property")


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) == "super"


def _is_shared(name: str) -> bool:
    """Whether a name means the same in a function that is called: ``self``, its attributes, config keys."""
    return name == "self" or "." in name


def _bind(
    function: Function, positional: list[Value], named: dict[str, Value], is_method: bool
) -> dict[str, Value] | None:
    """Parameters and their values; None where the call cannot be matched."""
    names = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    if is_method and names and names[0] in ("self", "cls"):
        names = names[1:]
    if len(positional) > len(names) or function.args.vararg or function.args.kwarg:
        return None
    bound = dict(zip(names, positional, strict=False)) | named
    defaults = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if default is not None:
            defaults[argument.arg] = default
    for name, default in defaults.items():
        bound.setdefault(name, default if is_constant(default) else opaque(name))
    return bound


def _returned(frame: Frame) -> Value | None:
    """The returned value; the last return is what remains when no earlier one was taken."""
    if not frame.returns:
        return None
    _, value = frame.returns[-1]
    for guards, earlier in reversed(frame.returns[:-1]):
        test = TRUE if not guards else guards[0] if len(guards) == 1 else ast.BoolOp(ast.And(), list(guards))
        value = choice(test, earlier, value)
    return value


def _has_opaque(node: ast.expr) -> bool:
    return any(is_opaque(part) for part in ast.walk(node))
