"""Knowledge of a source tree at hand: read when asked for, and kept by content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TypeVar

from reviewbot.config.model import Arguments, Base, Plain, Refusal
from reviewbot.config.search import locate, packages_of
from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.codec import decode, encode
from reviewbot.knowledge.composed import cached_base
from reviewbot.knowledge.config_classes import read_config_classes, targets_in
from reviewbot.knowledge.config_trees import compose_bases
from reviewbot.knowledge.entry_points import entry_point_at, modules_of
from reviewbot.knowledge.environment.model import EnvironmentFacts
from reviewbot.knowledge.environment.requirements import Requirement, read_requirements
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.interface import Knowledge
from reviewbot.knowledge.kept import kept, mark
from reviewbot.knowledge.model import ConfigClass, EntryPoint, ServerTrace, Validator
from reviewbot.knowledge.reads.model import EntryUsage, Usage
from reviewbot.knowledge.rule_evidence import evidence_line
from reviewbot.knowledge.rules import Rule
from reviewbot.knowledge.source import Sources
from reviewbot.knowledge.traces import traces_of
from reviewbot.knowledge.validators import read_validators
from reviewbot.logic import Truth
from reviewbot.tree import Tree, normal

_Kind = TypeVar("_Kind", ServerTrace, ConfigClass, Validator)


class LiveKnowledge(Knowledge):
    """A tree that holds the framework's source."""

    origin = "source"

    def __init__(self, framework: Framework, tree: Tree, name: str, cache: Cache) -> None:
        super().__init__(framework, name)
        self._tree = tree
        self._cache = cache
        self._sources = Sources(tree)
        self._classes: dict[str, ConfigClass | None] = {}
        self._rule_lines: dict[str, int | None] = {}
        self._bases: dict[tuple[str, str, tuple[str, ...]], Base | Refusal] = {}

    @property
    def source(self) -> str:
        """See :class:`Knowledge`."""
        return f"{self.framework.name} at {self.version} (read from source)"

    @cached_property
    def release(self) -> str:
        """See :class:`Knowledge`."""
        text = self._tree.read(self.framework.version_path) if self.framework.version_path else None
        return (text or "").strip().partition(".dev")[0] or self.version

    @property
    def problems(self) -> tuple[str, ...]:
        """See :class:`Knowledge`."""
        return tuple(dict.fromkeys(self._sources.problems))

    @cached_property
    def entry_points(self) -> tuple[EntryPoint, ...]:
        """See :class:`Knowledge`."""
        return modules_of(self._sources, self.framework).entry_points

    def entry_point(self, name: str) -> EntryPoint | None:
        """See :class:`Knowledge`.  Any file of the tree may be one."""
        for path in _files(name):
            found = entry_point_at(self._sources, path)
            if found is not None:
                return found
        return None

    def has_module(self, module: str) -> Truth:
        """See :class:`Knowledge`."""
        path = module.replace(".", "/")
        if any(self._tree.read(file) is not None for file in (f"{path}.py", f"{path}/__init__.py")):
            return Truth.TRUE
        if module.split(".")[0] != self.framework.package:
            return Truth.UNKNOWN
        return Truth.of(next(iter(self._tree.files(path)), None) is not None)

    def base(
        self,
        entry_point: EntryPoint,
        config_path: str | None,
        config_name: str | None,
        groups: tuple[str, ...],
    ) -> Base | Refusal:
        """See :class:`Knowledge`."""
        arguments = Arguments((), config_name=config_name, config_path=config_path)
        found = locate(entry_point, arguments, packages_of(self._tree))
        if isinstance(found, Refusal):
            return found
        key = (*found, groups)
        if key not in self._bases:
            self._bases[key] = cached_base(self._cache, self._tree, *key)
        return self._bases[key]

    @cached_property
    def traces(self) -> tuple[ServerTrace, ...]:
        """See :class:`Knowledge`."""
        names = self._tree.files(self.framework.server_dir)

        def read(sources: Sources) -> list[object]:
            return [encode(trace) for trace in traces_of(sources, self.framework)]

        made = self._kept("traces", names, read)
        return tuple(self._decoded(ServerTrace, made) or traces_of(Sources(self._tree), self.framework))

    @cached_property
    def validators(self) -> tuple[Validator, ...]:
        """See :class:`Knowledge`."""

        def read(sources: Sources) -> list[object]:
            return [encode(item) for item in read_validators(sources, self.framework, self.entry_points)]

        entries = (f"{entry.module} {entry.path}" for entry in self.entry_points)
        made = self._kept("validators", entries, read)
        return tuple(self._decoded(Validator, made) or ())

    @cached_property
    def environment(self) -> EnvironmentFacts:
        """See :class:`Knowledge`."""
        parts = (self.framework.name, *self._contents())
        try:
            found = EnvironmentFacts.from_json(self._cache.get("environment", parts) or {})
        except (KeyError, TypeError):
            from reviewbot.knowledge.environment.read import read_environment

            found = read_environment(self._tree, self.framework)
            self._cache.put("environment", parts, found.to_json())
        self._sources.problems += found.problems
        return found

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """See :class:`Knowledge`."""
        return read_requirements(self._tree, self.framework.package, self.release)

    def usage(self, entry_point: EntryPoint) -> EntryUsage | None:
        """See :class:`Knowledge`.  Reading it takes seconds: it is kept by the content of the whole source."""
        return self._usage.of(entry_point.module)

    @cached_property
    def _usage(self) -> Usage:
        parts = (self.framework.name, *self._contents())
        try:
            found = Usage.from_json(self._cache.get("usage", parts) or {})
        except (KeyError, TypeError, IndexError, ValueError, AttributeError):
            from reviewbot.knowledge.reads.usage import read_usage

            bases = compose_bases(
                self._tree, self.framework, self.entry_points, partial(cached_base, self._cache)
            )[0]
            found = read_usage(self._tree, self.framework, bases).notable()
            self._cache.put("usage", parts, found.to_json())
        self._sources.problems += found.problems
        return found

    def _contents(self) -> Iterator[str]:
        """Paths and marks of the files that say what is read."""
        folders = sorted({self.framework.package, *(entry.config_dir for entry in self.entry_points)})
        for path in sorted({path for folder in folders for path in self._tree.files(folder)}):
            if path.endswith((".py", ".yaml")):
                yield path
                yield mark(self._tree.read(path))

    def rule_line(self, rule: Rule) -> int | None:
        """See :class:`Knowledge`."""
        if rule.id not in self._rule_lines:
            self._rule_lines[rule.id] = evidence_line(self._sources, rule)
        return self._rule_lines[rule.id]

    def config_classes(self, tree: Mapping[str, Plain]) -> Mapping[str, ConfigClass]:
        """See :class:`Knowledge`."""
        missing = sorted({target for target in targets_in(tree) if target not in self._classes})
        if missing:

            def read(sources: Sources) -> list[object]:
                return [encode(item) for item in read_config_classes(sources, self.framework, missing)]

            found = self._decoded(ConfigClass, self._kept("classes", missing, read)) or []
            self._classes |= dict.fromkeys(missing) | {item.target: item for item in found}
        return {target: item for target, item in self._classes.items() if item is not None}

    def config_class(self, target: str) -> ConfigClass | None:
        """See :class:`Knowledge`."""
        return self._classes[target] if target in self._classes else super().config_class(target)

    def _kept(self, kind: str, parts: Iterable[str], read: Callable[[Sources], list[object]]) -> object:
        return kept(
            self._cache, self._tree, kind, (self.framework.name, *parts), read, self._sources.problems
        )

    @staticmethod
    def _decoded(kind: type[_Kind], made: object) -> list[_Kind] | None:
        try:
            return [decode(kind, item) for item in made] if isinstance(made, list) else None
        except (TypeError, KeyError, AttributeError):
            return None


def _files(name: str) -> list[str]:
    if name.endswith(".py") or "/" in name:
        path = normal(name)
        return [] if path is None else [path]
    path = name.replace(".", "/")
    return [f"{path}.py", f"{path}/__main__.py"]
