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
class Handed:
    """A variable's value that an engine hands to its plugins, which may or may not use it."""

    variable: str
    method: str
    parameter: str


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
    """What the engine's own variables begin with: strings anywhere in the package that do are variables too."""
    base: str = ""
    """The engine that it is a plugin of; their releases are numbered alike."""
    device: str = ""
    """The device that the plugin is for."""
    handed: tuple[Handed, ...] = ()


ENGINES = (
    Engine(
        "vllm",
        "vllm",
        re.compile(r"(Async)?EngineArgs|(Base)?FrontendArgs"),
        ("vllm/engine", "vllm/entrypoints"),
        tables=("environment_variables",),
        prefixes=("VLLM_",),
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
        "vllm-ascend",
        "vllm_ascend",
        re.compile(r"(?!)"),
        ("vllm_ascend/envs.py",),
        tables=("env_variables",),
        prefixes=("VLLM_ASCEND_",),
        base="vllm",
        device="npu",
        handed=(Handed("VLLM_ATTENTION_BACKEND", "get_attn_backend_cls", "selected_backend"),),
    ),
)


@dataclass(frozen=True, slots=True)
class Names:
    """What one release knows."""

    arguments: frozenset[str] = frozenset()
    """With underscores: ``max_model_len``."""
    variables: frozenset[str] = frozenset()
    unused: frozenset[str] = frozenset()
    """Variables that the engine hands to this plugin, which does not use them."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """What a variable is taken to be where it is not set."""


@dataclass(frozen=True, slots=True)
class EngineNames:
    """What the releases that were looked at know."""

    versions: tuple[str, ...]
    """In order."""
    arguments: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    """The first and the last of the versions that knows each; None: the newest still does."""
    variables: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    unused: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    """Variables that a plugin gets and does not use."""
    last_defaults: Mapping[str, str] = field(default_factory=dict)
    """For a variable that the newest release no longer knows: its default in the last one that did."""

    def knows_argument(self, name: str, version: str) -> Truth:
        """Whether a release knows an engine argument (with ``-`` or ``_``)."""
        return self._knows(self.arguments.get(name.lstrip("-").replace("-", "_")), version)

    def knows_variable(self, name: str, version: str) -> Truth:
        """Whether a release knows an environment variable."""
        return self._knows(self.variables.get(name), version)

    def leaves_unused(self, name: str, version: str) -> Truth:
        """Whether a release of a plugin does not use a variable's value that it gets."""
        return self._knows(self.unused.get(name), version)

    def from_release(self, version: str) -> tuple[str, ...]:
        """The releases from one on, and the last before it where it was not looked at itself; empty: no number."""
        try:
            least = Version(version)
        except InvalidVersion:
            return ()
        before = [item for item in self.versions if Version(item) <= least]
        return (*before[-1:], *(item for item in self.versions if Version(item) > least))

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
            "unused": {name: list(self.unused[name]) for name in sorted(self.unused)},
            "last_defaults": {name: self.last_defaults[name] for name in sorted(self.last_defaults)},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EngineNames:
        """From the JSON form.  Raises KeyError, ValueError or TypeError where it is none."""
        arguments, variables, unused = (
            {
                str(name): (str(first), None if last is None else str(last))
                for name, (first, last) in part.items()
            }
            for part in (data["arguments"], data["variables"], data["unused"])
        )
        defaults = {str(name): str(value) for name, value in data["last_defaults"].items()}
        return cls(tuple(str(item) for item in data["versions"]), arguments, variables, unused, defaults)


def _within(span: tuple[str, str | None] | None, version: str) -> bool:
    if span is None or Version(version) < Version(span[0]):
        return False
    return span[1] is None or Version(version) <= Version(span[1])


def spans(releases: Mapping[str, Names]) -> EngineNames:
    """What several releases know, put together."""
    versions = sorted(releases, key=Version)
    variables = _spans(versions, {version: releases[version].variables for version in versions})
    defaults = {
        name: releases[last].defaults[name]
        for name, (_, last) in variables.items()
        if last is not None and name in releases[last].defaults
    }
    return EngineNames(
        tuple(versions),
        _spans(versions, {version: releases[version].arguments for version in versions}),
        variables,
        _spans(versions, {version: releases[version].unused for version in versions}),
        defaults,
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
    unused: set[str] = set()
    defaults: dict[str, str] = {}
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
        holds = holds or any(f"def {item.method}" in text for item in engine.handed)
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
        unused.update(_unused(module, engine))
        defaults.update(_defaults(module))
    return Names(frozenset(arguments), frozenset(variables), frozenset(unused), defaults)


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


def _unused(module: ast.Module, engine: Engine) -> Iterator[str]:
    """The variables that methods of the module get and never look at."""
    for node in ast.walk(module):
        for item in engine.handed if isinstance(node, ast.FunctionDef) else ():
            if isinstance(node, ast.FunctionDef) and node.name == item.method:
                names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
                if item.parameter in {argument.arg for argument in node.args.args} - names:
                    yield item.variable


def _defaults(module: ast.Module) -> Iterator[tuple[str, str]]:
    """``os.getenv("X", "1")``: ``X`` is ``1`` where it is not set."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and dotted(node.func) in ("os.getenv", "os.environ.get"):
            values = [item.value for item in node.args if isinstance(item, ast.Constant)]
            if len(node.args) == len(values) == 2 and all(isinstance(value, str) for value in values):
                yield str(values[0]), str(values[1])
