"""Reads what a framework's source does with environment variables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from reviewbot.knowledge.entry_points import modules_of
from reviewbot.knowledge.environment.model import (
    ANY,
    DEFAULTS,
    FORWARDS,
    POPS,
    READS,
    SETS,
    EnvironmentFacts,
    VariableFact,
)
from reviewbot.knowledge.environment.names import Names, is_environment
from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.source import Function, Module, Sources
from reviewbot.tree import Tree

_HINT = re.compile(r"environ|getenv|putenv|env_vars|_env\b")
_NAME = re.compile(r"[A-Z][A-Z0-9_*]*")
_RUNTIME = "env_vars"
_GETTERS = ("os.getenv", "os.environ.get", "environ.get", "getenv")
_MAX_VALUE = 200


def read_environment(tree: Tree, framework: Framework) -> EnvironmentFacts:
    """The variables that the framework's package sets, defaults, pops, forwards and reads."""
    sources = Sources(tree)
    entries = {entry.path for entry in modules_of(sources, framework).entry_points}
    found: set[VariableFact] = set()
    names = Names(sources, framework.package)
    for path in tree.files(framework.package):
        text = sources.text(path) if path.endswith(".py") else None
        module = sources.module(path) if text is not None and _HINT.search(text) else None
        if module is not None:
            usual = "server" if path.startswith(f"{framework.server_dir}/") else ""
            usual = usual or ("entry" if path in entries else "process")
            found.update(_kept(_Reading(module, names, usual).facts()))
    return EnvironmentFacts(tuple(sorted(found)), tuple(sorted(set(sources.problems))))


def _kept(facts: Iterable[VariableFact]) -> Iterator[VariableFact]:
    """Facts of one module; what a later loop takes out where the user has a value is only a default."""
    held = [fact for fact in facts if _NAME.fullmatch(fact.name) or (fact.name == ANY and fact.kind == POPS)]
    spread = {fact.name for fact in held if fact.kind == DEFAULTS and fact.scope != "runtime" and fact.symbol}
    held = [fact for fact in held if fact.symbol or fact.scope != "runtime" or fact.name not in spread]
    loops = [fact.line for fact in held if fact.kind == POPS and fact.name == ANY and fact.scope == "runtime"]
    for fact in held:
        weak = fact.scope == "runtime" and fact.kind == SETS and any(fact.line < line for line in loops)
        yield replace(fact, kind=DEFAULTS) if weak else fact


@dataclass(frozen=True)
class _Place:
    symbol: str = ""
    tests: tuple[str, ...] = ()
    loops: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Loop variables and the names that they stand for."""
    copies: tuple[str, ...] = ()
    """Variables that hold what the environment has."""


class _Reading:
    def __init__(self, module: Module, names: Names, usual: str) -> None:
        self.module = module
        self.names = names
        self.usual = usual
        self.found: list[VariableFact] = []

    def facts(self) -> list[VariableFact]:
        self._block(self.module.tree.body, _Place())
        return self.found

    def _block(self, body: Iterable[ast.stmt], place: _Place) -> None:
        for node in body:
            place = self._statement(node, place)

    def _statement(self, node: ast.stmt, place: _Place) -> _Place:
        """Read a statement; the place of the next one."""
        if isinstance(node, Function | ast.ClassDef):
            symbol = f"{place.symbol}.{node.name}" if place.symbol else node.name
            if isinstance(node, Function):
                self._expressions(node.args, place)
            self._block(node.body, replace(place, symbol=symbol, copies=()))
            return place
        if isinstance(node, ast.If):
            test = ast.unparse(node.test)
            self._expressions(node.test, place)
            self._block(node.body, replace(place, tests=(*place.tests, test)))
            self._block(node.orelse, replace(place, tests=(*place.tests, f"not ({test})")))
            return place
        if isinstance(node, ast.For | ast.AsyncFor):
            self._expressions(node.iter, place)
            self._block([*node.body, *node.orelse], self._loop(node, place))
            return place
        self._simple(node, place)
        for block in (getattr(node, name, []) for name in ("body", "orelse", "finalbody")):
            self._block(block, place)
        for handler in getattr(node, "handlers", []):
            self._block(handler.body, place)
        return self._after(node, place)

    def _after(self, node: ast.stmt, place: _Place) -> _Place:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and _read_of(node.value) is not None:
            return replace(place, copies=(*place.copies, target.id))
        return place

    def _loop(self, node: ast.For | ast.AsyncFor, place: _Place) -> _Place:
        target = (
            node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
        )
        if not isinstance(target, ast.Name):
            return place
        held = self.names.of_iterable(node.iter, self.module) or (ANY,)
        return replace(place, loops=(*place.loops, (target.id, held)))

    # what one statement does

    def _simple(self, node: ast.stmt, place: _Place) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._stored(target, node.value, place)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._stored(node.target, node.value, place)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and self._owner(target.value):
                    self._add(target.slice, POPS, self._owner(target.value), node.lineno, place)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.excepthandler):
                self._expressions(child, place)

    def _stored(self, target: ast.expr, value: ast.expr, place: _Place) -> None:
        if isinstance(target, ast.Subscript):
            owner = self._owner(target.value)
            if owner:
                kind = FORWARDS if owner == "runtime" and self._is_copy(value, target.slice, place) else SETS
                self._add(target.slice, kind, owner, target.lineno, place, value)
        elif isinstance(target, ast.Name) and is_environment(target.id):
            self._table(value, place)

    def _is_copy(self, value: ast.expr, key: ast.expr, place: _Place) -> bool:
        """Whether a worker gets what the environment has under the same name."""
        if isinstance(value, ast.Name):
            return value.id in place.copies and isinstance(key, ast.Name)
        read = _read_of(value)
        return read is not None and ast.dump(read) == ast.dump(key)

    def _expressions(self, root: ast.AST, place: _Place) -> None:
        waiting: list[ast.AST] = [root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.stmt):
                continue
            if isinstance(node, ast.Call):
                self._call(node, place)
            elif (
                isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _is_environ(node.value)
            ):
                self._add(node.slice, READS, self._here(place), node.lineno, place)
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
                if _is_environ(node.comparators[0]):
                    self._add(node.left, READS, self._here(place), node.lineno, place)
            elif isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if _is_runtime(key):
                        self._table(value, place)
            waiting += ast.iter_child_nodes(node)

    def _call(self, node: ast.Call, place: _Place) -> None:
        name = dotted(node.func) or ""
        here = self._here(place)
        if name in ("os.getenv", "getenv") and node.args:
            self._add(node.args[0], READS, here, node.lineno, place)
            return
        if name in ("os.putenv", "putenv") and len(node.args) == 2:
            self._add(node.args[0], SETS, here, node.lineno, place, node.args[1])
            return
        if not isinstance(node.func, ast.Attribute):
            return
        owner = self._owner(node.func.value) or ("runtime" if _default_of(node.func.value) else "")
        method = node.func.attr
        scope = here if owner == "environ" else owner
        if owner and node.args and method in ("get", "pop", "setdefault"):
            kind = {"get": READS, "pop": POPS, "setdefault": DEFAULTS}[method]
            value = node.args[1] if kind == DEFAULTS and len(node.args) > 1 else None
            if kind != READS or owner == "environ":
                self._add(node.args[0], kind, scope, node.lineno, place, value)
        elif owner and method == "update":
            for argument in node.args:
                self._table(argument, place, scope)
            for word in node.keywords:
                if word.arg is not None:
                    self._add(ast.Constant(word.arg), SETS, scope, node.lineno, place, word.value)

    def _table(self, node: ast.expr, place: _Place, scope: str = "runtime") -> None:
        """A dict of variables."""
        if isinstance(node, ast.DictComp) and isinstance(node.generators[0].target, ast.Name):
            held = self.names.of_iterable(node.generators[0].iter, self.module)
            place = replace(place, loops=(*place.loops, (node.generators[0].target.id, held)))
            self._add(node.key, SETS, scope, node.lineno, place, node.value)
        if not isinstance(node, ast.Dict):
            return
        for key, value in zip(node.keys, node.values, strict=True):
            if (key is None and isinstance(value, ast.DictComp)) or _is_runtime(key):
                self._table(value, place, scope)
            elif key is not None:
                self._add(key, SETS, scope, key.lineno, place, value)

    # names and scopes

    def _owner(self, node: ast.expr) -> str:
        """``environ``, ``runtime`` for a dict that becomes workers' environment, or nothing."""
        if _is_environ(node):
            return "environ"
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and node.slice.value == _RUNTIME
        ):
            return "runtime"
        if _default_of(node) or (isinstance(node, ast.Name) and is_environment(node.id)):
            return "runtime"
        return ""

    def _here(self, place: _Place) -> str:
        return self.usual if place.symbol else "import"

    def _add(
        self, key: ast.expr, kind: str, scope: str, line: int, place: _Place, value: ast.expr | None = None
    ) -> None:
        where = self._here(place) if scope == "environ" else scope
        if isinstance(value, ast.Name):
            constant = self.module.constants.get(value.id)
            value = constant if isinstance(constant, ast.Constant) else value
        text = "" if value is None else ast.unparse(value)[:_MAX_VALUE]
        if kind == SETS and where != "runtime" and any(_is_absent(test, key) for test in place.tests):
            kind = DEFAULTS
        for name in self.names.of(key, self.module, dict(place.loops)):
            condition = " and ".join(place.tests)
            self.found.append(
                VariableFact(name, kind, where, self.module.path, line, place.symbol, text, condition)
            )


def _is_runtime(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and key.value == _RUNTIME


def _is_absent(test: str, key: ast.expr) -> bool:
    """Whether a test says that the environment does not have the variable."""
    name = re.escape(ast.unparse(key))
    return bool(re.fullmatch(rf"{name} not in (os\.)?environ|not \({name} in (os\.)?environ\)", test))


def _is_environ(node: ast.AST) -> bool:
    return dotted(node) in ("os.environ", "environ")


def _default_of(node: ast.AST) -> bool:
    """``X.setdefault("env_vars", {})``"""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("setdefault", "get")
        and bool(node.args)
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == _RUNTIME
    )


def _read_of(node: ast.AST) -> ast.expr | None:
    """The key of ``os.environ[k]``, ``os.environ.get(k, …)`` or ``os.getenv(k, …)``."""
    if isinstance(node, ast.Subscript) and _is_environ(node.value):
        return node.slice
    if isinstance(node, ast.Call) and node.args and dotted(node.func) in _GETTERS:
        return node.args[0]
    return None
