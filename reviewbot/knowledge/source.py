"""Python source as data: parsed within bounds, never imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from reviewbot.knowledge.conditions import within_bounds
from reviewbot.knowledge.evaluation import dotted
from reviewbot.tree import Tree

MAX_CHARACTERS = 200_000
"""Above this a chain of operators could be deep enough to exhaust the C stack of Python 3.10."""
MAX_NESTING = 200
MAX_ANCESTORS = 30

Function = ast.FunctionDef | ast.AsyncFunctionDef


class UnreadableError(Exception):
    """A file that cannot be parsed within the bounds.  ``str(error)`` is one sentence."""


@dataclass(frozen=True)
class Module:
    """One parsed file."""

    path: str
    tree: ast.Module

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the top of the module."""
        return {node.name: node for node in self._top() if isinstance(node, ast.ClassDef)}

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The functions at the top of the module."""
        return {node.name: node for node in self._top() if isinstance(node, Function)}

    @cached_property
    def constants(self) -> dict[str, ast.expr]:
        """Names that the module assigns once, at its top, and the expressions."""
        found: dict[str, list[ast.expr]] = {}
        for node in self._top():
            if (
                isinstance(node, ast.Assign)
                and len(node.targets) == 1
                and isinstance(node.targets[0], ast.Name)
            ):
                found.setdefault(node.targets[0].id, []).append(node.value)
        return {name: values[0] for name, values in found.items() if len(values) == 1}

    @cached_property
    def imports(self) -> dict[str, tuple[str, str]]:
        """Names from ``from module import name as other``: other → (module, name)."""
        found: dict[str, tuple[str, str]] = {}
        for node in self._top():
            if isinstance(node, ast.ImportFrom):
                found |= self.imported(node)
        return found

    def imported(self, node: ast.ImportFrom) -> dict[str, tuple[str, str]]:
        """What one statement imports: name → (module, original name)."""
        module = self._absolute(node)
        return {alias.asname or alias.name: (module, alias.name) for alias in node.names}

    @cached_property
    def stars(self) -> list[str]:
        """Modules of which everything is imported."""
        nodes = [node for node in self._top() if isinstance(node, ast.ImportFrom)]
        return [self._absolute(node) for node in nodes if any(alias.name == "*" for alias in node.names)]

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.path.split("/")[: -node.level]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def _top(self) -> Iterator[ast.stmt]:
        """Statements at the top, those in ``if`` and ``try`` included."""
        waiting: list[ast.stmt] = list(self.tree.body)
        while waiting:
            node = waiting.pop(0)
            yield node
            if isinstance(node, ast.If):
                waiting = [*node.body, *node.orelse, *waiting]
            elif isinstance(node, ast.Try):
                handlers = [statement for handler in node.handlers for statement in handler.body]
                waiting = [*node.body, *handlers, *node.orelse, *waiting]


@dataclass(frozen=True)
class Klass:
    """A class, and the module that defines it."""

    module: Module
    node: ast.ClassDef


@dataclass
class Sources:
    """The modules of a tree, parsed once; files that cannot be read leave a sentence in ``problems``."""

    tree: Tree
    problems: list[str] = field(default_factory=list)
    read: dict[str, str | None] = field(default_factory=dict)
    """Texts of the files that were asked for; None for those that are not there."""
    _modules: dict[str, Module | None] = field(default_factory=dict)

    def text(self, path: str) -> str | None:
        """The text of a file."""
        if path not in self.read:
            self.read[path] = self.tree.read(path)
        return self.read[path]

    def module(self, path: str) -> Module | None:
        """The parsed file; None where it is missing or unreadable."""
        if path not in self._modules:
            self._modules[path] = self._load(path)
        return self._modules[path]

    def named(self, module: str) -> Module | None:
        """The parsed file of a dotted module name."""
        path = module.replace(".", "/")
        return self.module(f"{path}.py") or self.module(f"{path}/__init__.py")

    def function(self, module: Module, name: str, hops: int = 3) -> tuple[Module, Function] | None:
        """The function that a name of a module stands for, through re-exports."""
        if name in module.functions:
            return module, module.functions[name]
        origin, original = module.imports.get(name, ("", ""))
        other = self.named(origin) if origin and hops else None
        return None if other is None else self.function(other, original, hops - 1)

    def klass(self, module: Module, name: str, hops: int = 3) -> Klass | None:
        """The class that a name of a module stands for, through re-exports."""
        if name in module.classes:
            return Klass(module, module.classes[name])
        origins = (
            [module.imports[name]] if name in module.imports else [(star, name) for star in module.stars]
        )
        for origin, original in origins if hops else ():
            other = self.named(origin)
            found = None if other is None else self.klass(other, original, hops - 1)
            if found is not None:
                return found
        return None

    def lineage(self, klass: Klass) -> list[Klass]:
        """The class and its ancestors as far as they can be read, nearest first."""
        found: list[Klass] = []
        waiting = [klass]
        while waiting and len(found) < MAX_ANCESTORS:
            current = waiting.pop(0)
            if any(current.node is other.node for other in found):
                continue
            found.append(current)
            for base in current.node.bases:
                ancestor = self.klass(current.module, dotted(base) or "")
                waiting += [] if ancestor is None else [ancestor]
        return found

    def method(self, klass: Klass, name: str, above: Klass | None = None) -> tuple[Klass, Function] | None:
        """A method of a class or of its ancestors; with ``above``, as ``super()`` in that class finds it."""
        lineage = self.lineage(klass)
        if above is not None:
            positions = [place for place, item in enumerate(lineage) if item.node is above.node]
            lineage = lineage[positions[0] + 1 :] if positions else []
        for item in lineage:
            for node in item.node.body:
                if isinstance(node, Function) and node.name == name:
                    return item, node
        return None

    def _load(self, path: str) -> Module | None:
        text = self.text(path)
        if text is None:
            return None
        try:
            return Module(path, parse(text, path))
        except UnreadableError as error:
            self.problems.append(str(error))
            return None


def parse(text: str, path: str) -> ast.Module:
    """The syntax tree of a file.

    Raises UnreadableError where the file has a syntax error, or is larger or more deeply nested than any
    sensible source: the parser's own stack is never put at risk.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnreadableError(f"{path} is too large to be parsed; nothing is claimed from it")
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise UnreadableError(
            f"{path} has a syntax error in line {error.lineno or 1}; nothing is claimed from it"
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError(f"{path} cannot be parsed; nothing is claimed from it") from error
    if not within_bounds(tree, MAX_CHARACTERS, MAX_NESTING):
        raise UnreadableError(f"{path} is too deeply nested to be parsed; nothing is claimed from it")
    return tree
