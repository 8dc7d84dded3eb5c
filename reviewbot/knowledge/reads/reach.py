"""What an entry point reaches, by the names that its code mentions; more rather than less."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.reads.description import Dimension, ReadsDescription
from reviewbot.knowledge.reads.program import Code, Fn, Klass, Program

Pins = Mapping[str, object]
"""Config keys that are taken to have a value."""
_TEXT = re.compile(
    r'(?s)"""(.*?)"""|\'\'\'(.*?)\'\'\'|"((?:\\.|[^"\\\n])*)"|\'((?:\\.|[^\'\\\n])*)\'|#[^\n]*'
)
_IMPORTS = re.compile(
    r"^[ \t]*(?:from\s{1,99}[\w.]{1,300}\s{1,99}import\s{1,99}(?:\([^)]{0,20000}\)|[^\n#]+)|import\s{1,99}[^\n#]+)",
    re.M,
)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Mentions:
    """The names in a piece of source."""

    names: frozenset[str]
    """Names outside strings, comments and imports."""
    words: frozenset[str]
    """Those, and the words in one-line strings."""
    full: tuple[str, ...] = ()
    """Dotted names in strings."""


def mentions_in(text: str) -> Mentions:
    """The names that a piece of source mentions."""
    strings: list[str] = []

    def keep(match: re.Match[str]) -> str:
        one_line = match.group(3) or match.group(4)
        if one_line:
            strings.append(one_line)
        return " "

    code = _IMPORTS.sub(" ", _TEXT.sub(keep, text))
    names = frozenset(_WORD.findall(code))
    words = names.union(*(_WORD.findall(item) for item in strings if len(item) < 200))
    return Mentions(names, words, tuple(item for item in strings if "." in item and " " not in item))


def names_in(node: ast.AST) -> Mentions:
    """The names in a statement or expression."""
    names: set[str] = set()
    strings: list[str] = []
    for item in ast.walk(node):
        if isinstance(item, ast.Name):
            names.add(item.id)
        elif isinstance(item, ast.Attribute):
            names.add(item.attr)
        elif isinstance(item, ast.Constant) and isinstance(item.value, str) and len(item.value) < 200:
            strings.append(item.value)
    words = names.union(*(_WORD.findall(item) for item in strings))
    return Mentions(
        frozenset(names), frozenset(words), tuple(s for s in strings if "." in s and " " not in s)
    )


@dataclass
class Live:
    """What is reached under some pins."""

    functions: set[Fn] = field(default_factory=set)
    classes: set[Klass] = field(default_factory=set)
    modules: set[Code] = field(default_factory=set)
    pins: Pins = field(default_factory=dict)
    why: dict[object, object] = field(default_factory=dict)


class Reach:
    """Follows names from entry points."""

    def __init__(self, program: Program, description: ReadsDescription) -> None:
        self.program = program
        self.description = description
        self._mentions: dict[tuple[str, int, int, tuple[tuple[int, int], ...]], Mentions] = {}
        self._lines: dict[str, list[str]] = {}
        self._named: dict[tuple[str, int], tuple[Mentions, tuple[Klass | Fn, ...]]] = {}
        self._in_nodes: dict[int, tuple[ast.AST, Mentions]] = {}
        self._dead: dict[tuple[Fn, tuple[tuple[str, object], ...]], tuple[tuple[int, int], ...]] = {}
        self._names = {name for _, name in program.functions} | {name for _, name in program.classes}
        self.domains = {item.key: frozenset(self._domain(item)) for item in description.dimensions}
        """For each dimension, the values that are registered."""

    # what is registered where

    def _registrations(self) -> Iterator[tuple[Code, ast.Call]]:
        for code in self.program.modules.values():
            for node in code.source.tree.body:
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                    yield code, node.value
                for item in getattr(node, "decorator_list", ()):
                    if isinstance(item, ast.Call):
                        yield code, item

    def _domain(self, dimension: Dimension) -> Iterator[str]:
        for _, call in self._registrations():
            if dotted(call.func) in dimension.registries:
                yield from _values(call, dimension.argument)

    def fits(self, call: ast.Call, pins: Pins) -> bool:
        """Whether a registration counts under the pins."""
        for dimension in self.description.dimensions:
            if dimension.key in pins and dotted(call.func) in dimension.registries:
                return pins[dimension.key] in set(_values(call, dimension.argument))
        return True

    # the closure

    def live(self, start: Fn, pins: Pins) -> Live:
        """All that is reached from a function."""
        return _Walk(self, pins).run(start)

    def text(self, code: Code, first: int, last: int, dead: tuple[tuple[int, int], ...] = ()) -> Mentions:
        """The names in some lines of a module, without the dead ones."""
        key = (code.path, first, last, dead)
        if key not in self._mentions:
            lines = self._lines.setdefault(code.path, code.text.split("\n"))
            kept = [
                line
                for number, line in enumerate(lines[first - 1 : last], first)
                if not any(start <= number <= end for start, end in dead)
            ]
            self._mentions[key] = mentions_in("\n".join(kept))
        return self._mentions[key]

    def named(self, code: Code, mentions: Mentions) -> tuple[Klass | Fn, ...]:
        """The classes and functions that names in a module stand for."""
        key = (code.path, id(mentions))
        if key not in self._named:
            found: dict[Klass | Fn, None] = {}
            for name in sorted(mentions.names & (self._names | code.imports.keys())):
                found.update(dict.fromkeys(self._stands_for(code, name)))
            for name in mentions.full:
                item = self.program.qualified(name) if name.startswith(self.program.package) else None
                if item is not None:
                    found[item] = None
            self._named[key] = (mentions, tuple(found))
        return self._named[key][1]

    def _stands_for(self, code: Code, name: str) -> Iterator[Klass | Fn]:
        """What a name may stand for: also a member of a module that is imported (``losses.name``)."""
        found = self.program.resolve(code, name)
        yield from self.program.alternatives(code, name)
        for module, original in code.imports.values():
            inner = module if not original or isinstance(found, str | None) else f"{module}.{original}"
            own = self.program.functions.get((inner, name)) or self.program.classes.get((inner, name))
            if own is not None:
                yield own

    def registries(self, code: Code, call: ast.Call) -> frozenset[str]:
        """The globals that a registering decorator writes to; none where it keeps its table elsewhere."""
        name = dotted(call.func)
        found = None if name is None else self.program.resolve(code, name)
        if not isinstance(found, Fn):
            return frozenset()
        words = self.text(found.module, found.node.lineno, found.node.end_lineno or found.node.lineno).names
        return frozenset(
            name for name in words & found.module.globals.keys() if name.isupper() or name.startswith("_")
        )

    def dead_lines(self, fn: Fn, pins: Pins) -> tuple[tuple[int, int], ...]:
        """The lines of a function that do not run under the pins."""
        if not pins:
            return ()
        key = (fn, tuple(sorted(pins.items())))
        if key not in self._dead:
            self._dead[key] = self._dead_lines(fn, pins)
        return self._dead[key]

    def in_node(self, node: ast.AST) -> Mentions:
        """The names in a statement or expression."""
        if id(node) not in self._in_nodes:
            self._in_nodes[id(node)] = (node, names_in(node))
        return self._in_nodes[id(node)][1]

    def _dead_lines(self, fn: Fn, pins: Pins) -> tuple[tuple[int, int], ...]:
        node = fn.node
        names = self.text(fn.module, node.lineno, node.end_lineno or node.lineno).words
        telling = {key.rpartition(".")[2] for key in pins} | {
            str(v) for k in pins for v in self.domains.get(k, ())
        }
        if not names & telling:
            return ()
        found: list[tuple[int, int]] = []
        for item in ast.walk(node):
            if isinstance(item, ast.If):
                verdict = self._decided(item.test, pins)
                dead = item.orelse if verdict is True else item.body if verdict is False else []
                if dead:
                    found.append((dead[0].lineno, dead[-1].end_lineno or dead[-1].lineno))
        return tuple(found)

    def _decided(self, test: ast.expr, pins: Pins) -> bool | None:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self._decided(test.operand, pins)
            return None if inner is None else not inner
        if isinstance(test, ast.BoolOp):
            parts = [self._decided(item, pins) for item in test.values]
            decisive = isinstance(test.op, ast.Or)
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        if isinstance(test, ast.Attribute):
            key = self._pinned(test, pins)
            return bool(pins[key]) if key is not None and isinstance(pins[key], bool) else None
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self._compared(test, pins)
        return None

    def _compared(self, test: ast.Compare, pins: Pins) -> bool | None:
        values = _constants(test.comparators[0])
        if not values or not isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            return None
        key = self._pinned(test.left, pins)
        if key is None:
            for dimension in self.description.dimensions:
                if dimension.bare and dimension.key in pins and values <= self.domains[dimension.key]:
                    key = dimension.key
        if key is None or key not in self.domains:
            return None
        equal = pins[key] in values
        return equal if isinstance(test.ops[0], ast.Eq | ast.In) else not equal

    def _pinned(self, node: ast.expr, pins: Pins) -> str | None:
        name = dotted(node)
        if name is None or "." not in name:
            return None
        for key in pins:
            if key == name or name.endswith("." + ".".join(key.split(".")[-2:])):
                return key
        return None


class _Walk:
    def __init__(self, reach: Reach, pins: Pins) -> None:
        self.reach = reach
        self.program = reach.program
        self.pins = pins
        self.found = Live(pins=pins)
        self.words: set[str] = set()
        self.pending: dict[str, list[Fn]] = {}
        self.registered: dict[str, list[Klass | Fn]] = {}
        """By the name of the registry, what only counts once that is looked into."""
        self.waiting: list[Fn] = []
        self.now: object = None

    def run(self, start: Fn) -> Live:
        self._function(start)
        while self.waiting:
            fn = self.waiting.pop()
            self.now = fn
            dead = self.reach.dead_lines(fn, self.pins)
            node = fn.node
            self._mentioned(
                fn.module, self.reach.text(fn.module, node.lineno, node.end_lineno or node.lineno, dead)
            )
        return self.found

    def _function(self, fn: Fn) -> None:
        if fn not in self.found.functions:
            self.found.functions.add(fn)
            self.found.why.setdefault(fn, self.now)
            self.waiting.append(fn)
            self._module(fn.module)

    def _class(self, klass: Klass) -> None:
        if klass in self.found.classes:
            return
        self.found.classes.add(klass)
        self.found.why.setdefault(klass, self.now)
        before, self.now = self.now, klass
        self._module(klass.module)
        for base in klass.bases:
            self._class(base)
        for item in klass.node.body:
            if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                value = getattr(item, "value", None) or getattr(item, "annotation", None)
                if isinstance(value, ast.expr):
                    self._mentioned(klass.module, self.reach.in_node(value))
        for name, method in klass.methods.items():
            if name.startswith("__") or name in self.words:
                self._function(method)
            else:
                self.pending.setdefault(name, []).append(method)
        self.now = before

    def _mentioned(self, code: Code, mentions: Mentions) -> None:
        for word in mentions.words - self.words:
            self.words.add(word)
            for method in self.pending.pop(word, ()):
                self._function(method)
            for found in self.registered.pop(word, ()):
                self._found(found)
        for found in self.reach.named(code, mentions):
            self._found(found)
        for name in mentions.full:
            if name in self.program.modules:
                self._module(self.program.modules[name])

    def _found(self, found: Klass | Fn | None) -> None:
        if isinstance(found, Klass):
            self._class(found)
        elif isinstance(found, Fn):
            self._function(found)

    def _module(self, code: Code) -> None:
        if code in self.found.modules:
            return
        self.found.modules.add(code)
        self.found.why.setdefault(code, self.now)
        before, self.now = self.now, code
        for module, original in code.imports.values():
            for name in (module, f"{module}.{original}"):
                if name in self.program.modules:
                    self._module(self.program.modules[name])
        package = code.name.rpartition(".")[0]
        if package in self.program.modules:
            self._module(self.program.modules[package])
        for node in code.source.tree.body:
            self._statement(code, node)
        self.now = before

    def _statement(self, code: Code, node: ast.stmt) -> None:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            calls = [item for item in node.decorator_list if isinstance(item, ast.Call)]
            if any(self._registers(code, item) and self.reach.fits(item, self.pins) for item in calls):
                key = (code.name, node.name)
                found = self.program.classes.get(key) or self.program.functions.get(key)
                if found is not None:
                    self._registered(
                        found, {name for item in calls for name in self.reach.registries(code, item)}
                    )
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if self.reach.fits(node.value, self.pins):
                self._mentioned(code, self.reach.in_node(node))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            self._table(code, node.value)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            value = node.value
            if value is not None:
                self._mentioned(code, self.reach.in_node(value))
        elif isinstance(node, ast.Try):
            handled = [item for handler in node.handlers for item in handler.body]
            for item in (*node.body, *handled, *node.orelse, *node.finalbody):
                self._statement(code, item)
        elif isinstance(node, ast.If) and not _is_main(node):
            for item in (*node.body, *node.orelse):
                self._statement(code, item)
        elif not isinstance(node, ast.Import | ast.ImportFrom | ast.If):
            self._mentioned(code, self.reach.in_node(node))

    def _registered(self, found: Klass | Fn, registries: set[str]) -> None:
        """What is registered is reached where something that runs looks into the registry."""
        if not registries or registries & self.words:
            self._found(found)
            return
        for name in registries:
            self.registered.setdefault(name, []).append(found)

    def _registers(self, code: Code, call: ast.Call) -> bool:
        name = dotted(call.func)
        if name is None or not name.rpartition(".")[2].startswith("register"):
            return False
        found = self.program.resolve(code, name.partition(".")[0])
        return isinstance(found, Klass | Fn | Code)

    def _table(self, code: Code, table: ast.Dict) -> None:
        """A dict at the top of a module: entries for other choices do not count."""
        for key, value in zip(table.keys, table.values, strict=True):
            values = set() if key is None else _constants(key)
            others = any(
                dimension.bare
                and values & self.reach.domains[dimension.key]
                and self.pins.get(dimension.key, next(iter(values))) not in values
                for dimension in self.reach.description.dimensions
                if dimension.key in self.pins
            )
            if not others:
                self._mentioned(code, self.reach.in_node(value))


def _is_main(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Compare)
        and dotted(node.test.left) == "__name__"
    )


def _values(call: ast.Call, argument: str) -> set[str]:
    if argument:
        return {value for word in call.keywords if word.arg == argument for value in _constants(word.value)}
    return _constants(call.args[0]) if call.args else set()


def _constants(node: ast.expr) -> set[str]:
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    return {item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)}
