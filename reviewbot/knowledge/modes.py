"""Which rollout class serves which mode of a backend."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import literal_text
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.source import Sources

_LOCAL = "sync"
"""The mode in which the engine runs inside the worker; in all others a server runs it."""


@dataclass(frozen=True)
class Modes:
    """The modes of each backend."""

    key: str
    """Config key of the mode."""
    registered: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Backend → mode → class name."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Class name → condition, where the workers choose between two classes."""

    def condition(self, backend: str, class_name: str) -> str:
        """When a class is used; empty: always.  The server is used in the modes that have no class of their own."""
        modes = self.registered.get(backend, {})
        if len(modes) < 2:
            return self.chosen.get(class_name, "")
        own = [mode for mode, name in modes.items() if name == class_name]
        wanted = own or [mode for mode in modes if mode != _LOCAL]
        return f"{self.key} == {wanted[0]!r}" if len(wanted) == 1 else f"{self.key} in {wanted!r}"


def read_modes(sources: Sources, framework: Framework) -> Modes:
    """The modes, from the framework's registry of rollout classes, or from where its workers choose one."""
    registered = _registered(sources, framework)
    return Modes(framework.mode_key, registered, {} if registered else _chosen(sources, framework))


def _registered(sources: Sources, framework: Framework) -> dict[str, dict[str, str]]:
    module = sources.module(framework.registry_path) if framework.registry_path else None
    table = None if module is None else module.constants.get(framework.registry)
    found: dict[str, dict[str, str]] = {}
    if not isinstance(table, ast.Dict):
        return found
    for key, value in zip(table.keys, table.values, strict=True):
        names = [literal_text(part) for part in key.elts] if isinstance(key, ast.Tuple) else []
        if len(names) == 2 and names[0] is not None and names[1] is not None:
            target = literal_text(value) or dotted(value) or ""
            found.setdefault(names[0], {})[names[1]] = target.rpartition(".")[2]
    return found


def _chosen(sources: Sources, framework: Framework) -> dict[str, str]:
    """``Local if config.rollout.mode == "sync" else Server``"""
    found: dict[str, str] = {}
    last = framework.mode_key.rpartition(".")[2]
    for path in framework.worker_paths:
        module = sources.module(path)
        for node in ast.walk(module.tree) if module is not None else ():
            if not isinstance(node, ast.IfExp) or not isinstance(node.test, ast.Compare):
                continue
            names = [dotted(node.body), dotted(node.orelse)]
            mode = literal_text(node.test.comparators[0])
            is_mode = (dotted(node.test.left) or "").rpartition(".")[2] == last
            if is_mode and mode is not None and isinstance(node.test.ops[0], ast.Eq):
                found |= {
                    name: f"{framework.mode_key} {sign} {mode!r}"
                    for name, sign in zip(names, ("==", "!="), strict=True)
                    if name
                }
    return found
