"""Everything that is known about a framework at one version, as a value with one text.

The text is JSON, deterministic, one item a line, so that two versions can be compared line by line.  Reading
decodes only the sections that are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reviewbot.config.model import Base
from reviewbot.errors import InputError
from reviewbot.knowledge.codec import decode, encode
from reviewbot.knowledge.environment.model import EnvironmentFacts, VariableFact
from reviewbot.knowledge.environment.requirements import Requirement
from reviewbot.knowledge.model import ConfigClass, ConfigFile, EntryPoint, ServerTrace, Validator
from reviewbot.knowledge.nodes import NodeReader, NodeWriter, compact
from reviewbot.knowledge.reads.model import EntryUsage, Usage, entry_from_json

FORMAT = 1


@dataclass(frozen=True)
class BundledBase:
    """A composed tree, and the command that composes it."""

    config_dir: str
    config_name: str
    choices: tuple[tuple[str, str], ...]
    """Group choices other than the defaults, sorted."""
    base: Base


@dataclass(frozen=True)
class Facts:
    """The facts of one version.  Two values are equal where their texts are."""

    framework: str
    version: str
    sections: Mapping[str, Any]
    """Plain JSON values by section."""

    @cached_property
    def entry_points(self) -> tuple[EntryPoint, ...]:
        """Sorted by module."""
        return tuple(decode(EntryPoint, item) for item in self.sections["entry_points"])

    def has_module(self, name: str) -> bool:
        """Whether the framework's package has a module or package of this name."""
        package, _, last = name.rpartition(".")
        return any(
            row[0] == name or (row[0] == package and last in row[1].split())
            for row in self.sections["modules"]
        )

    @cached_property
    def traces(self) -> tuple[ServerTrace, ...]:
        """Sorted by backend."""
        return tuple(decode(ServerTrace, item) for item in self.sections["traces"])

    @cached_property
    def config_classes(self) -> dict[str, ConfigClass]:
        """The classes of config nodes, by target."""
        items = (decode(ConfigClass, self._nodes.tree(item)) for item in self.sections["config_classes"])
        return {item.target: item for item in items}

    @cached_property
    def validators(self) -> tuple[Validator, ...]:
        """What entry points check before they make anything."""
        return tuple(decode(Validator, self._nodes.tree(item)) for item in self.sections["validators"])

    @cached_property
    def environment(self) -> EnvironmentFacts:
        """What the source does with environment variables."""
        return EnvironmentFacts(tuple(VariableFact(**row) for row in self.sections["environment"]))

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """The engines that the package asks for."""
        return tuple(Requirement(**row) for row in self.sections["requirements"])

    def usage(self, module: str) -> EntryUsage | None:
        """Which config keys some run of an entry point does not read."""
        return entry_from_json(self.sections["usage"][0], module)

    @cached_property
    def rule_lines(self) -> dict[str, int]:
        """The lines of the rules whose evidence stands in this version, by rule."""
        return dict(self.sections["rules"])

    @cached_property
    def config_files(self) -> dict[str, ConfigFile]:
        """The YAML files of the config folders, as data, by path."""
        return {
            item["path"]: ConfigFile(item["package"], self._nodes.tree(item["data"]))
            for item in self.sections["config_files"]
        }

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """Sentences: what of the source could not be read."""
        return tuple(self.sections["problems"])

    def base(self, config_dir: str, config_name: str, choices: Iterable[tuple[str, str]]) -> Base | None:
        """The composed tree for these choices, where the facts hold it."""
        wanted = [list(choice) for choice in sorted(choices)]
        for item in self.sections["bases"]:
            if (item["dir"], item["name"], item["choices"]) == (config_dir, config_name, wanted):
                return Base(
                    tree=self._nodes.tree(item["tree"]),
                    config_name=config_name,
                    groups=self._nodes.tree(item["groups"]),
                    options={
                        group: tuple(names) for group, names in self._nodes.tree(item["options"]).items()
                    },
                    origin=item["origin"],
                    hydra=self._nodes.tree(item["hydra"]),
                )
        return None

    @cached_property
    def _nodes(self) -> NodeReader:
        return NodeReader(dict(self.sections["nodes"]))

    def text(self) -> str:
        """The JSON text."""
        return _layout(
            {"format": FORMAT, "framework": self.framework, "version": self.version, **self.sections}
        )


def make_facts(
    framework: str,
    version: str,
    *,
    entry_points: Iterable[EntryPoint],
    modules: Iterable[str],
    traces: Iterable[ServerTrace],
    config_files: Mapping[str, ConfigFile],
    bases: Iterable[BundledBase],
    config_classes: Iterable[ConfigClass] = (),
    validators: Iterable[Validator] = (),
    usage: Usage | None = None,
    rule_lines: Mapping[str, int] | None = None,
    environment: EnvironmentFacts | None = None,
    requirements: Iterable[Requirement] = (),
    problems: Iterable[str] = (),
) -> Facts:
    """The facts, encoded."""
    nodes = NodeWriter()
    encoded_bases = [_encode_base(nodes, item) for item in bases]
    encoded_files = [
        {"path": path, "package": config_files[path].package, "data": nodes.add(config_files[path].data)}
        for path in sorted(config_files)
    ]
    encoded_validators = [nodes.add_inside(encode(item)) for item in validators]
    encoded_classes = [nodes.add_inside(encode(item)) for item in config_classes]
    sections = {
        "entry_points": [encode(item) for item in sorted(entry_points, key=lambda item: item.module)],
        "modules": _by_package(modules),
        "traces": [encode(item) for item in traces],
        "validators": encoded_validators,
        "config_classes": encoded_classes,
        "usage": [(usage or Usage()).notable().to_json()],
        "rules": sorted([rule, line] for rule, line in (rule_lines or {}).items()),
        "environment": (environment or EnvironmentFacts()).notable().to_json()["variables"],
        "requirements": [encode(item) for item in sorted(requirements)],
        "problems": sorted(set(problems)),
        "bases": encoded_bases,
        "config_files": encoded_files,
        "nodes": sorted([name, value] for name, value in nodes.nodes.items()),
    }
    return Facts(framework, version, json.loads(json.dumps(sections)))


def read_facts(text: str, name: str) -> Facts:
    """The facts of a text; ``name`` is what errors call it.

    Raises InputError where it is no text of this format.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(f"{name} holds no facts: it is not JSON ({error})") from error
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        raise InputError(
            f"{name} holds no facts of format {FORMAT}: make it anew with 'reviewbot rules extract'"
        )
    return Facts(data.pop("framework"), data.pop("version"), data)


def _by_package(modules: Iterable[str]) -> list[list[str]]:
    """Each package with the names of its modules, one row a package."""
    rows: dict[str, list[str]] = {}
    for module in sorted(set(modules)):
        package, _, name = module.rpartition(".")
        rows.setdefault(package, []).append(name)
    return [[package, " ".join(names)] for package, names in sorted(rows.items())]


def _encode_base(nodes: NodeWriter, item: BundledBase) -> dict[str, Any]:
    return {
        "dir": item.config_dir,
        "name": item.config_name,
        "choices": [list(choice) for choice in item.choices],
        "groups": nodes.add(dict(item.base.groups)),
        "options": nodes.add({group: list(names) for group, names in item.base.options.items()}),
        "origin": item.base.origin,
        "hydra": nodes.add(dict(item.base.hydra)),
        "tree": nodes.add(item.base.tree),
    }


def _layout(value: Mapping[str, Any]) -> str:
    """JSON with each item of a list of lists or objects on a line of its own."""
    lines = [f"{compact(key)}:{_laid_out(item)}" for key, item in value.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _laid_out(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(_item(item) for item in value) + "\n]"
    return compact(value)


def _item(value: Any) -> str:
    """An item; the lists of objects in it are laid out too."""
    if not isinstance(value, dict):
        return compact(value)
    parts = []
    for key, item in value.items():
        rows = isinstance(item, list) and item and isinstance(item[0], dict)
        parts.append(f"{compact(key)}:{_laid_out(item) if rows else compact(item)}")
    return "{" + ",".join(parts) + "}"
