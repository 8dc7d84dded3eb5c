"""The framework's modules, classes and functions by name: who defines what, who derives from whom."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.source import Function, Module, Sources

_FROM = re.compile(
    r"^[ \t]*from\s{1,99}([\w.]{1,300})\s{1,99}import\s{1,99}(\([^)]{0,20000}\)|[^\n#]+)", re.M
)
_IMPORT = re.compile(
    r"^[ \t]*import\s+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*)", re.M
)
_COMMENT = re.compile(r"#[^\n]*")
_HOPS = 5


class _Placed:
    """Something that is defined at one place; its hash is the same in every run, and so is the order of sets."""

    @cached_property
    def code_number(self) -> int:
        """A number made from the place."""
        return crc32(self.place().encode())

    def place(self) -> str:
        """Where it is defined."""
        raise NotImplementedError

    def __hash__(self) -> int:
        return self.code_number


@dataclass(eq=False)
class Klass(_Placed):
    """A class of the framework."""

    module: Code
    node: ast.ClassDef
    qual: str
    bases: list[Klass] = field(default_factory=list)
    derived: list[Klass] = field(default_factory=list)
    methods: dict[str, Fn] = field(default_factory=dict)
    __hash__ = _Placed.__hash__

    def place(self) -> str:
        """See _Placed."""
        return f"{self.module.name}:{self.qual}"

    @cached_property
    def lineage(self) -> list[Klass]:
        """The class and its ancestors, nearest first."""
        found: list[Klass] = []
        waiting = [self]
        while waiting:
            klass = waiting.pop(0)
            if klass not in found:
                found.append(klass)
                waiting += klass.bases
        return found

    @cached_property
    def offspring(self) -> list[Klass]:
        """All classes below it."""
        found: list[Klass] = []
        waiting = list(self.derived)
        while waiting:
            klass = waiting.pop(0)
            if klass not in found:
                found.append(klass)
                waiting += klass.derived
        return found

    @cached_property
    def fields(self) -> dict[str, ast.expr]:
        """Annotated names of the class body, those of its ancestors included, base classes first."""
        found: dict[str, ast.expr] = {}
        for klass in reversed(self.lineage):
            for node in klass.node.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found[node.target.id] = node.annotation
        return found

    @cached_property
    def values(self) -> dict[str, ast.expr]:
        """Names that the class body assigns, and the values; its own only."""
        return {
            target.id: node.value
            for node in self.node.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    @cached_property
    def family(self) -> tuple[Klass, ...]:
        """The class, its ancestors and all below it."""
        return (*self.lineage, *self.offspring)

    @cached_property
    def is_dataclass(self) -> bool:
        """Whether ``@dataclass`` makes its ``__init__``."""
        return any(
            (dotted(item.func if isinstance(item, ast.Call) else item) or "").endswith("dataclass")
            for klass in self.lineage
            for item in klass.node.decorator_list
        )

    def method(self, name: str) -> Fn | None:
        """The method that an instance has under a name."""
        return next((klass.methods[name] for klass in self.lineage if name in klass.methods), None)


@dataclass(eq=False)
class Fn(_Placed):
    """A function or method of the framework."""

    module: Code
    node: Function
    qual: str
    klass: Klass | None = None
    parent: Fn | None = None
    __hash__ = _Placed.__hash__

    def place(self) -> str:
        """See _Placed."""
        return f"{self.module.name}:{self.qual}:{self.node.lineno}"

    @cached_property
    def kind(self) -> str:
        """``function``, ``method``, ``class`` (classmethod), ``static`` or ``property``."""
        names = {(dotted(item) or "").rpartition(".")[2] for item in self.node.decorator_list}
        if self.klass is None:
            return "function"
        if "staticmethod" in names:
            return "static"
        if "classmethod" in names:
            return "class"
        return "property" if names & {"property", "cached_property"} else "method"

    @cached_property
    def positional(self) -> list[ast.arg]:
        """Positional parameters, the receiver included."""
        return [*self.node.args.posonlyargs, *self.node.args.args]

    @cached_property
    def annotations(self) -> dict[str, ast.expr | None]:
        """Parameters that can be given by name, and their annotations."""
        return {item.arg: item.annotation for item in (*self.positional, *self.node.args.kwonlyargs)}


@dataclass(eq=False)
class Code(_Placed):
    """One module: its syntax tree and the names that it imports anywhere."""

    name: str
    source: Module
    text: str
    __hash__ = _Placed.__hash__

    def place(self) -> str:
        """See _Placed."""
        return self.name

    @property
    def path(self) -> str:
        """Its file."""
        return self.source.path

    @cached_property
    def imports(self) -> dict[str, tuple[str, str]]:
        """Names that are imported at any depth: name → (module, original); the original is empty for a
        module.  Of a name that is imported from several modules the first."""
        return {name: origins[0] for name, origins in self.origins.items()}

    @cached_property
    def origins(self) -> dict[str, list[tuple[str, str]]]:
        """As ``imports``, with every module that a name is imported from; ``import a.b`` is there as ``=a.b`` too."""
        found: dict[str, list[tuple[str, str]]] = {}
        for match in _IMPORT.finditer(self.text):
            for item in match.group(1).split(","):
                module, _, alias = (part.strip() for part in item.partition(" as "))
                top = module.partition(".")[0]
                found.setdefault(alias or top, []).append((module if alias else top, ""))
                if module != top and not alias:
                    found.setdefault(f"={module}", []).append((module, ""))
        for match in _FROM.finditer(self.text):
            module = self.absolute(match.group(1))
            for item in _COMMENT.sub("", match.group(2)).strip("()").split(","):
                words = item.split()
                if words:
                    name = f"*{module}" if words[-1] == "*" else words[-1]
                    found.setdefault(name, []).append((module, words[0]))
        return found

    @cached_property
    def globals(self) -> dict[str, list[ast.expr]]:
        """Names that the module assigns at its top, and the values."""
        found: dict[str, list[ast.expr]] = {}
        for node in self.source.tree.body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found.setdefault(target.id, []).append(node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.setdefault(node.target.id, []).extend([node.value] if node.value is not None else [])
        return found

    def absolute(self, name: str) -> str:
        """The full name of a module that an import names, dots in front and all."""
        level = len(name) - len(name.lstrip("."))
        if not level:
            return name
        parts = self.path.split("/")[:-level]
        rest = name.lstrip(".")
        return ".".join([*parts, *([rest] if rest else [])])


class Program:
    """All modules of a package."""

    def __init__(self, sources: Sources, package: str) -> None:
        self.package = package
        self.modules: dict[str, Code] = {}
        self.classes: dict[tuple[str, str], Klass] = {}
        self.functions: dict[tuple[str, str], Fn] = {}
        self.typings: dict[tuple[str, int], tuple[ast.expr, object]] = {}
        """What annotations were found to say; kept by :mod:`reviewbot.knowledge.reads.annotation`."""
        self.named: dict[str, list[Fn]] = {}
        """Methods by name."""
        for path in sources.tree.files(package):
            if path.endswith(".py"):
                self._add(sources, path)
        for klass in self.classes.values():
            klass.bases = [base for node in klass.node.bases if (base := self._base(klass, node)) is not None]
            for base in klass.bases:
                base.derived.append(klass)

    def _add(self, sources: Sources, path: str) -> None:
        module = sources.module(path)
        if module is None:
            return
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        code = Code(name, module, sources.text(path) or "")
        self.modules[name] = code
        for function_name, node in module.functions.items():
            self.functions[name, function_name] = Fn(code, node, function_name)
        for class_name, class_node in module.classes.items():
            klass = Klass(code, class_node, class_name)
            self.classes[name, class_name] = klass
            for item in class_node.body:
                if isinstance(item, Function):
                    fn = Fn(code, item, f"{class_name}.{item.name}", klass)
                    if fn.kind != "property" or item.name not in klass.methods:
                        klass.methods[item.name] = fn
                    self.named.setdefault(item.name, []).append(fn)

    def _base(self, klass: Klass, node: ast.expr) -> Klass | None:
        while isinstance(node, ast.Subscript):
            node = node.value
        name = dotted(node)
        found = None if name is None else self.resolve(klass.module, name)
        return found if isinstance(found, Klass) else None

    def resolve(self, code: Code, name: str) -> Klass | Fn | Code | str | None:
        """What a dotted name of a module stands for: a class, function or module of the package; the full name
        (text) of something outside it; None where the module does not say."""
        head, _, rest = name.partition(".")
        found = self._member(code, head)
        while rest and isinstance(found, Code):
            head, _, rest = rest.partition(".")
            found = self._member(found, head)
        if not rest:
            return found
        return f"{found}.{rest}" if isinstance(found, str) else None

    def _member(self, code: Code, name: str, hops: int = _HOPS) -> Klass | Fn | Code | str | None:
        own = self.classes.get((code.name, name)) or self.functions.get((code.name, name))
        if own is not None:
            return own
        if name in code.imports and hops:
            module, original = code.imports[name]
            return self._imported(module, original, hops - 1)
        inner = self.modules.get(f"{code.name}.{name}")
        if inner is not None:
            return inner
        for module, original in code.imports.values():
            if original == "*" and hops and module in self.modules:
                found = self._member(self.modules[module], name, hops - 1)
                if found is not None:
                    return found
        return None

    def _imported(self, module: str, original: str, hops: int) -> Klass | Fn | Code | str | None:
        if module.partition(".")[0] != self.package:
            return f"{module}.{original}" if original else module
        if not original:
            return self.modules.get(module)
        if f"{module}.{original}" in self.modules and not (
            module in self.modules and original in self.modules[module].imports
        ):
            return self.modules[f"{module}.{original}"]
        return self._member(self.modules[module], original, hops) if module in self.modules else None

    def alternatives(self, code: Code, name: str, hops: int = _HOPS) -> list[Klass | Fn]:
        """All classes and functions that a name of a module may stand for: imports in several branches, here or
        where it is imported from."""
        own = self.classes.get((code.name, name)) or self.functions.get((code.name, name))
        found = [] if own is None else [own]
        for module, original in code.origins.get(name, ()):
            other = self.modules.get(module)
            if other is not None and original and hops:
                found += [item for item in self.alternatives(other, original, hops - 1) if item not in found]
        first = self.resolve(code, name)
        return [*found, first] if isinstance(first, Klass | Fn) and first not in found else found

    def missing(self) -> list[str]:
        """Modules of the package that its own modules import and that are not there, sorted."""
        folders = {
            name[:end]
            for name in self.modules
            for end in (place.start() for place in re.finditer(r"\.", name))
        }
        asked = {module for code in self.modules.values() for module, _ in code.imports.values()}
        own = {module for module in asked if module.partition(".")[0] == self.package}
        return sorted(own - self.modules.keys() - folders)

    def imported(self, code: Code, module: str, original: str) -> Klass | Fn | Code | str | None:
        """What an import statement of a module gives."""
        return self._imported(code.absolute(module), original, _HOPS)

    def qualified(self, name: str) -> Klass | Fn | None:
        """The class or function of a full name: ``verl.workers.config.ActorConfig``."""
        module, _, member = name.rpartition(".")
        found = self._member(self.modules[module], member) if module in self.modules else None
        return found if isinstance(found, Klass | Fn) else None

    def all_functions(self) -> Iterator[Fn]:
        """Functions and methods at the top of modules and classes."""
        yield from self.functions.values()
        for klass in self.classes.values():
            yield from klass.methods.values()
