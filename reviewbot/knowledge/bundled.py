"""Knowledge of a release, from the facts that ship with the tool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from reviewbot.config.arguments import WORKING_DIRECTORY
from reviewbot.config.model import Arguments, Base, Plain, Refusal
from reviewbot.config.search import locate, packages_of
from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.config_files import ConfigFilesTree
from reviewbot.knowledge.environment.model import EnvironmentFacts
from reviewbot.knowledge.environment.requirements import Requirement
from reviewbot.knowledge.facts import Facts
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.interface import Knowledge
from reviewbot.knowledge.model import ConfigClass, EntryPoint, ServerTrace, Validator
from reviewbot.knowledge.reads.model import EntryUsage
from reviewbot.knowledge.rules import Rule
from reviewbot.language import say
from reviewbot.logic import Truth


class BundledKnowledge(Knowledge):
    """The facts of one release."""

    origin = "bundled"

    def __init__(self, framework: Framework, facts: Facts, cache: Cache) -> None:
        super().__init__(framework, facts.version)
        self.facts = facts
        self._cache = cache
        self._usage: dict[str, EntryUsage | None] = {}
        self._bases: dict[tuple[str, str | None, str | None, tuple[str, ...]], Base | Refusal] = {}

    @property
    def problems(self) -> tuple[str, ...]:
        """See :class:`Knowledge`."""
        return (self.notice,) if self.notice else ()

    @property
    def source(self) -> str:
        """See :class:`Knowledge`."""
        if not self.named_at:
            return say("{name} {version} (bundled)", name=self.framework.name, version=self.version)
        told = {"name": self.framework.name, "version": self.version, "place": self.named_at}
        if self.notice:
            return say("{name} {version} (bundled; not what {place} asks for)", **told)
        return say("{name} {version} (bundled, as {place} asks)", **told)

    @property
    def release(self) -> str:
        """See :class:`Knowledge`."""
        return self.version

    @property
    def entry_points(self) -> tuple[EntryPoint, ...]:
        """See :class:`Knowledge`."""
        return self.facts.entry_points

    @property
    def traces(self) -> tuple[ServerTrace, ...]:
        """See :class:`Knowledge`."""
        return self.facts.traces

    @property
    def validators(self) -> tuple[Validator, ...]:
        """See :class:`Knowledge`."""
        return self.facts.validators

    @property
    def environment(self) -> EnvironmentFacts:
        """See :class:`Knowledge`."""
        return self.facts.environment

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """See :class:`Knowledge`."""
        return self.facts.requirements

    def usage(self, entry_point: EntryPoint) -> EntryUsage | None:
        """See :class:`Knowledge`."""
        if entry_point.module not in self._usage:
            self._usage[entry_point.module] = self.facts.usage(entry_point.module)
        return self._usage[entry_point.module]

    def rule_line(self, rule: Rule) -> int | None:
        """See :class:`Knowledge`."""
        return self.facts.rule_lines.get(rule.id)

    def config_classes(self, tree: Mapping[str, Plain]) -> Mapping[str, ConfigClass]:
        """See :class:`Knowledge`."""
        del tree
        return self.facts.config_classes

    def entry_point(self, name: str) -> EntryPoint | None:
        """See :class:`Knowledge`."""
        wanted = name.removeprefix("./")
        return next((entry for entry in self.entry_points if wanted in (entry.module, entry.path)), None)

    def has_module(self, module: str) -> Truth:
        """See :class:`Knowledge`."""
        if module.split(".")[0] != self.framework.package:
            return Truth.UNKNOWN
        return Truth.of(self.facts.has_module(module))

    def base(
        self,
        entry_point: EntryPoint,
        config_path: str | None,
        config_name: str | None,
        groups: tuple[str, ...],
    ) -> Base | Refusal:
        """See :class:`Knowledge`.  The same question gets the same value: callers do not change it."""
        key = (entry_point.module, config_path, config_name, groups)
        if key not in self._bases:
            self._bases[key] = self._base(entry_point, config_path, config_name, groups)
        return self._bases[key]

    def _base(
        self,
        entry_point: EntryPoint,
        config_path: str | None,
        config_name: str | None,
        groups: tuple[str, ...],
    ) -> Base | Refusal:
        arguments = Arguments((), config_name=config_name, config_path=config_path)
        found = locate(entry_point, arguments, packages_of(self._tree))
        if isinstance(found, Refusal):
            return found
        folder, name = found
        name = name.removesuffix(".yaml")
        if not self._tree.is_dir(folder) or (config_path or "").startswith(WORKING_DIRECTORY):
            return self._not_bundled(f"the config folder {folder or '.'}")
        if name.startswith("_"):
            return self._not_bundled(f"the config {name}")
        choices = _choices(groups)
        base = None if choices is None else self._bundled(folder, name, choices)
        if base is not None:
            return base
        from reviewbot.knowledge.composed import cached_base

        return cached_base(self._cache, self._tree, folder, name, groups)

    def _bundled(self, folder: str, name: str, choices: dict[str, str]) -> Base | None:
        default = self.facts.base(folder, name, ())
        if default is None:
            return None
        other = {group: choice for group, choice in choices.items() if default.groups.get(group) != choice}
        return default if not other else self.facts.base(folder, name, other.items())

    def _not_bundled(self, what: str) -> Refusal:
        sentence = (
            f"{what} is not among the facts about {self.framework.name} {self.version}: --source is needed"
        )
        return Refusal(None, "not-bundled", sentence[:1].upper() + sentence[1:])

    @cached_property
    def _tree(self) -> ConfigFilesTree:
        return ConfigFilesTree(self.facts.config_files)


def _choices(groups: tuple[str, ...]) -> dict[str, str] | None:
    """The choices of plain group overrides; None where there is any other text."""
    choices: dict[str, str] = {}
    for text in groups:
        group, equals, choice = text.partition("=")
        plain = group.replace("_", "").replace("/", "").isalnum() and choice.replace("_", "").isalnum()
        if not equals or not plain:
            return None
        choices[group] = choice
    return choices
