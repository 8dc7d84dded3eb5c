"""The names that releases of the engines know: environment variables and engine arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from packaging.version import InvalidVersion, Version

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.source import UnreadableError, parse
from reviewbot.logic import Truth
from reviewbot.tree import Tree

_EVERY = re.compile(r"\w+")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{2,}")


@dataclass(frozen=True)
class Engine:
    """How an engine's package tells its names."""

    name: str
    package: str
    classes: re.Pattern[str]
    """Classes whose annotated fields are engine arguments."""
    folders: tuple[str, ...]
    """Files and folders that hold those classes and the command line's flags."""
    fields: tuple[str, ...] = ()
    """Folders below which the annotated fields of every class are engine arguments."""
    tables: tuple[str, ...] = ()
    """Dicts whose keys are variables."""
    variable_classes: tuple[str, ...] = ()
    """Classes whose attributes are variables."""
    prefixes: tuple[str, ...] = ()
    """Strings anywhere in the package that begin so are variables too."""


ENGINES = (
    Engine(
        "vllm",
        "vllm",
        re.compile(r"(Async)?EngineArgs|(Base)?FrontendArgs"),
        ("vllm/engine", "vllm/entrypoints"),
        tables=("environment_variables",),
    ),
    Engine(
        "sglang",
        "sglang",
        re.compile(r"ServerArgs"),
        ("sglang/srt/server_args.py", "sglang/srt/arg_groups"),
        fields=("sglang/srt/arg_groups/fields/",),
        variable_classes=("Envs",),
        prefixes=("SGLANG_", "SGL_"),
    ),
    Engine(
        "vllm-ascend", "vllm_ascend", re.compile(r"(?!)"), ("vllm_ascend/envs.py",), tables=("env_variables",)
    ),
)


@dataclass(frozen=True, slots=True)
class Names:
    """What one release knows."""

    arguments: frozenset[str] = frozenset()
    """With underscores: ``max_model_len``."""
    variables: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EngineNames:
    """What the releases that were looked at know."""

    versions: tuple[str, ...]
    """In order."""
    arguments: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    """The first and the last of the versions that knows each; None: the newest still does."""
    variables: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)

    def knows_argument(self, name: str, version: str) -> Truth:
        """Whether a release knows an engine argument (with ``-`` or ``_``)."""
        return self._knows(self.arguments.get(name.lstrip("-").replace("-", "_")), version)

    def knows_variable(self, name: str, version: str) -> Truth:
        """Whether a release knows an environment variable."""
        return self._knows(self.variables.get(name), version)

    def _knows(self, span: tuple[str, str | None] | None, version: str) -> Truth:
        """UNKNOWN outside the versions, and between two of which only one knows the name."""
        try:
            wanted = Version(version)
        except InvalidVersion:
            return Truth.UNKNOWN
        below = [item for item in self.versions if Version(item) <= wanted]
        above = [item for item in self.versions if Version(item) >= wanted]
        if not below or not above:
            return Truth.UNKNOWN
        first, second = (_within(span, item) for item in (below[-1], above[0]))
        return Truth.of(first if first == second else None)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "versions": list(self.versions),
            "arguments": {name: list(self.arguments[name]) for name in sorted(self.arguments)},
            "variables": {name: list(self.variables[name]) for name in sorted(self.variables)},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EngineNames:
        """From the JSON form.  Raises KeyError, ValueError or TypeError where it is none."""
        arguments, variables = (
            {
                str(name): (str(first), None if last is None else str(last))
                for name, (first, last) in part.items()
            }
            for part in (data["arguments"], data["variables"])
        )
        return cls(tuple(str(item) for item in data["versions"]), arguments, variables)


def _within(span: tuple[str, str | None] | None, version: str) -> bool:
    if span is None or Version(version) < Version(span[0]):
        return False
    return span[1] is None or Version(version) <= Version(span[1])


def spans(releases: Mapping[str, Names]) -> EngineNames:
    """What several releases know, put together."""
    versions = sorted(releases, key=Version)
    return EngineNames(
        tuple(versions),
        _spans(versions, {version: releases[version].arguments for version in versions}),
        _spans(versions, {version: releases[version].variables for version in versions}),
    )


def _spans(versions: list[str], known: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, str | None]]:
    found: dict[str, tuple[str, str | None]] = {}
    for version in versions:
        for name in known[version]:
            first = found[name][0] if name in found else version
            found[name] = (first, None if version == versions[-1] else version)
    return found


def read_names(tree: Tree, engine: Engine) -> Names:
    """The names that an engine's unpacked package knows.  Nothing of it is imported."""
    arguments: set[str] = set()
    variables: set[str] = set()
    folders = tuple(f"{folder}/" for folder in engine.folders)
    for path in tree.files(engine.package):
        if not path.endswith(".py"):
            continue
        text = tree.read(path) or ""
        for prefix in engine.prefixes:
            variables.update(re.findall(rf"[\"']({prefix}[A-Z0-9_]+)[\"']", text))
        asked = path.startswith(folders) or path in engine.folders
        holds = any(
            name in text for name in (*engine.tables, *(f"class {name}" for name in engine.variable_classes))
        )
        if not asked and not holds:
            continue
        try:
            module = parse(text, path) if len(text) < _BOUND else ast.parse(text)
        except (UnreadableError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if asked:
            every = path.startswith(engine.fields) if engine.fields else False
            arguments.update(_arguments(module, _EVERY if every else engine.classes))
        variables.update(_variables(module, engine))
    return Names(frozenset(arguments), frozenset(variables))


_BOUND = 200_000
"""Longer files are parsed without the bound on nesting: these are released packages, chosen by hand."""


def _arguments(module: ast.Module, classes: re.Pattern[str]) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and classes.fullmatch(node.name):
            for item in node.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    yield item.target.id
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "add_argument"
        ):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and str(argument.value).startswith("--"):
                    yield str(argument.value).removeprefix("--").replace("-", "_")


def _variables(module: ast.Module, engine: Engine) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(dotted(target) in engine.tables for target in targets):
                for key in node.value.keys:
                    if isinstance(key, ast.Constant) and _VARIABLE.fullmatch(str(key.value)):
                        yield str(key.value)
        elif isinstance(node, ast.ClassDef) and node.name in engine.variable_classes:
            for item in node.body:
                if isinstance(item, ast.Assign | ast.AnnAssign):
                    for target in item.targets if isinstance(item, ast.Assign) else [item.target]:
                        if isinstance(target, ast.Name) and _VARIABLE.fullmatch(target.id):
                            yield target.id
