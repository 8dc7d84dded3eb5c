"""The names of environment variables in expressions."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from reviewbot.knowledge.environment.model import ANY
from reviewbot.knowledge.source import Function, Module, Sources

_ENVIRONMENT = re.compile(r"(^|_)env(iron(ment)?)?(_?vars?)?(_|$)", re.I)
_LISTS = re.compile(r"env_?vars?|visible_devices", re.I)
"""Functions that give back names of variables."""
_DEFINES = re.compile(r"def \w*(?:env_?vars?|visible_devices)", re.I)
_HOPS = 4


def is_environment(name: str) -> bool:
    """Whether a variable's name says that it holds an environment: ``env_vars``, ``_rocm_ray_env``."""
    return bool(_ENVIRONMENT.search(name))


class Names:
    """Resolves constants, loop variables and lists of names."""

    def __init__(self, sources: Sources, package: str) -> None:
        self.sources = sources
        self.package = package
        self._lists: dict[str, list[tuple[Function, Module]]] | None = None

    def of(self, node: ast.expr, module: Module, loops: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        """The variables that an expression may name; unknown parts are ``*``; empty where nothing is known."""
        if isinstance(node, ast.Constant):
            return (node.value,) if isinstance(node.value, str) else ()
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else ANY for part in node.values]
            return (re.sub(r"\*+", ANY, "".join(str(part) for part in parts)),)
        if isinstance(node, ast.Name):
            if node.id in loops:
                return loops[node.id]
            return self._constant(module, node.id)
        if isinstance(node, ast.IfExp):
            return (*self.of(node.body, module, loops), *self.of(node.orelse, module, loops))
        return self._of_call(node, module)

    def _of_call(self, node: ast.expr, module: Module) -> tuple[str, ...]:
        if not isinstance(node, ast.Call):
            return ()
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "upper" and isinstance(node.func, ast.Attribute):
            return self.of(node.func.value, module, {})
        return self._returned(name)

    def of_iterable(self, node: ast.expr, module: Module) -> tuple[str, ...]:
        """The names in a list that is looped over."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return tuple(name for item in node.elts for name in self.of(item, module, {}))
        if isinstance(node, ast.Name) and node.id in module.constants:
            value = module.constants[node.id]
            return (
                self._keys(node, module) if isinstance(value, ast.Dict) else self.of_iterable(value, module)
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("items", "keys"):
                return self._keys(node.func.value, module)
            return self._returned(node.func.attr)
        return ()

    def _keys(self, node: ast.expr, module: Module) -> tuple[str, ...]:
        """The keys of a dict that the module assigns."""
        table = module.constants.get(node.id) if isinstance(node, ast.Name) else None
        if not isinstance(table, ast.Dict):
            return ()
        return tuple(name for key in table.keys if key is not None for name in self.of(key, module, {}))

    def _constant(self, module: Module, name: str, hops: int = _HOPS) -> tuple[str, ...]:
        value = module.constants.get(name)
        if isinstance(value, ast.Constant | ast.Call):
            return self.of(value, module, {})
        origin, original = module.imports.get(name, ("", ""))
        other = self.sources.named(origin) if origin.startswith(self.package) and hops else None
        return () if other is None else self._constant(other, original, hops - 1)

    def _returned(self, name: str, hops: int = _HOPS) -> tuple[str, ...]:
        """The names that functions of that name give back, wherever they are defined."""
        if not _LISTS.search(name) or not hops:
            return ()
        if self._lists is None:
            self._lists = dict(self._all_returned())
        found: set[str] = set()
        for node, module in self._lists.get(name, ()):
            for item in ast.walk(node):
                if isinstance(item, ast.Return) and item.value is not None:
                    found.update(self._in_return(item.value, module, hops))
        return tuple(sorted(found))

    def _in_return(self, value: ast.expr, module: Module, hops: int) -> tuple[str, ...]:
        if isinstance(value, ast.List | ast.Tuple):
            return self.of_iterable(value, module)
        if isinstance(value, ast.Constant | ast.Name):
            return self.of(value, module, {})
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute | ast.Name):
            name = value.func.attr if isinstance(value.func, ast.Attribute) else value.func.id
            return self._returned(name, hops - 1)
        return self._returned(value.attr, hops - 1) if isinstance(value, ast.Attribute) else ()

    def _all_returned(self) -> dict[str, list[tuple[Function, Module]]]:
        found: dict[str, list[tuple[Function, Module]]] = {}
        for path in self.sources.tree.files(self.package):
            text = self.sources.text(path) if path.endswith(".py") else None
            module = self.sources.module(path) if text is not None and _DEFINES.search(text) else None
            for node in () if module is None else ast.walk(module.tree):
                if isinstance(node, Function) and _LISTS.search(node.name) and module is not None:
                    found.setdefault(node.name, []).append((node, module))
        return found
