"""Entry points: modules whose main function takes a Hydra config."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import literal_text
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import EntryPoint
from reviewbot.knowledge.source import Module, Sources
from reviewbot.tree import Tree, normal

_DECORATOR = "hydra.main"


@dataclass(frozen=True)
class Modules:
    """The modules of a package."""

    entry_points: tuple[EntryPoint, ...]
    names: tuple[str, ...]
    """All modules, sorted."""


def read_entry_points(tree: Tree, framework: Framework) -> tuple[EntryPoint, ...]:
    """The modules of the framework's package with ``@hydra.main``, sorted by module."""
    return modules_of(Sources(tree), framework).entry_points


def modules_of(sources: Sources, framework: Framework) -> Modules:
    """The entry points, and the names of all modules of the framework's package."""
    paths = [path for path in sources.tree.files(framework.package) if path.endswith(".py")]
    found = [entry for entry in (entry_point_at(sources, path) for path in paths) if entry is not None]
    names = sorted({module_name(path) for path in paths})
    return Modules(tuple(sorted(found, key=lambda entry: entry.module)), tuple(names))


def entry_point_at(sources: Sources, path: str) -> EntryPoint | None:
    """The entry point that a file defines."""
    text = sources.tree.read(path)
    if text is None or _DECORATOR not in text:
        return None
    module = sources.module(path)
    return None if module is None else _entry_point(module)


def module_name(path: str) -> str:
    """``verl/trainer/main_ppo.py`` → ``verl.trainer.main_ppo``."""
    name = path.removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__main__").removesuffix(".__init__")


def _entry_point(module: Module) -> EntryPoint | None:
    for function in module.functions.values():
        for decorator in function.decorator_list:
            if not isinstance(decorator, ast.Call) or dotted(decorator.func) != _DECORATOR:
                continue
            words = dict(zip(("config_path", "config_name"), decorator.args, strict=False))
            words |= {word.arg: word.value for word in decorator.keywords if word.arg}
            config_path = literal_text(words["config_path"]) if "config_path" in words else ""
            config_name = literal_text(words["config_name"]) if "config_name" in words else None
            if config_path is None or config_name is None:
                continue
            folder = normal(f"{module.path.rpartition('/')[0]}/{config_path}")
            if folder is not None and not config_path.startswith("/"):
                name = config_name.removesuffix(".yaml")
                return EntryPoint(module_name(module.path), module.path, decorator.lineno, folder, name)
    return None
