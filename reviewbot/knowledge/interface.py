"""The questions that checks and reports ask."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property

from reviewbot.config.model import UNKNOWN, Base, Plain, Refusal
from reviewbot.knowledge.cache import Cache, default_folder
from reviewbot.knowledge.conditions import truth
from reviewbot.knowledge.environment.in_use import Engines
from reviewbot.knowledge.environment.model import EnvironmentFacts
from reviewbot.knowledge.environment.requirements import Requirement
from reviewbot.knowledge.evaluation import Get
from reviewbot.knowledge.expressions import readable
from reviewbot.knowledge.framework import Framework, NodeUse
from reviewbot.knowledge.model import (
    ConfigClass,
    ConfigWrite,
    Constraint,
    EntryPoint,
    Evidence,
    ServerTrace,
    ServerWrite,
    Validator,
)
from reviewbot.knowledge.paths import rules_folder
from reviewbot.knowledge.placing import Placed, node_at, place, shape_of
from reviewbot.knowledge.reads.model import EntryUsage
from reviewbot.knowledge.rules import Rule, load_rules
from reviewbot.logic import Truth

_KEY = re.compile(r"[A-Za-z_][\w]*(\.[A-Za-z_]\w*)+")


class Knowledge(ABC):
    """What is known about one framework at one version."""

    def __init__(self, framework: Framework, version: str) -> None:
        self.framework = framework
        self.version = version
        """A release (``0.9.1``), or the label of the source that was read."""
        self.engine_versions: Mapping[str, str] = {}
        """The releases of engines that the user named."""
        self.more_rules: tuple[Rule, ...] = ()
        """Rules of the user, beside the curated ones."""
        self.named_at = ""
        """The line of the repository that the release was taken from: ``uv.lock:12``."""
        self.notice = ""
        """A sentence, where that line asks for another release."""
        self.submodule = False
        """Whether the source is a submodule of the reviewed repository: its paths are not the repository's."""
        self._places: dict[tuple[str, frozenset[tuple[str, str]]], Placed] = {}
        self._shape: tuple[Mapping[str, Plain], frozenset[tuple[str, str]]] = ({}, frozenset())
        """The tree that was asked about last: a launch is asked about many times."""

    @property
    @abstractmethod
    def origin(self) -> str:
        """``bundled`` or ``source``."""

    @property
    @abstractmethod
    def source(self) -> str:
        """For reports: ``verl 0.9.1 (bundled)``, ``verl at d43594c54 (read from source)``."""

    @property
    @abstractmethod
    def release(self) -> str:
        """The release that rules are chosen by, the coming one for a source in between; else the version."""

    @property
    @abstractmethod
    def problems(self) -> tuple[str, ...]:
        """Sentences: what of the source could not be read so far."""

    @property
    @abstractmethod
    def entry_points(self) -> tuple[EntryPoint, ...]:
        """The entry points of the framework's package, sorted by module."""

    @abstractmethod
    def entry_point(self, name: str) -> EntryPoint | None:
        """The entry point of a module (``verl.trainer.main_ppo``) or file (``verl/trainer/main_ppo.py``)."""

    @abstractmethod
    def has_module(self, module: str) -> Truth:
        """Whether there is such a module; UNKNOWN for packages other than the framework's."""

    @abstractmethod
    def base(
        self,
        entry_point: EntryPoint,
        config_path: str | None,
        config_name: str | None,
        groups: tuple[str, ...],
    ) -> Base | Refusal:
        """The composed config before plain overrides.

        ``config_path`` and ``config_name`` as on the command line, None where not given; ``groups`` are texts
        of group overrides.  A Refusal says why there is none; kinds ``outside-tree``, ``unknown`` and
        ``not-bundled`` make no claim about the command.
        """

    @property
    @abstractmethod
    def traces(self) -> tuple[ServerTrace, ...]:
        """Every server trace, sorted by backend; a backend may have one for each mode."""

    @property
    def backends(self) -> tuple[str, ...]:
        """The backends with a trace, sorted."""
        return tuple(sorted({trace.backend for trace in self.traces}))

    def trace(self, backend: str, get: Get | None = None) -> ServerTrace | None:
        """How the backend's engine gets its arguments.

        With ``get``, which gives effective values by key: the one trace whose condition (the mode) holds, or None.
        Without it, of several modes the asynchronous server, whose ``condition`` is then still to be judged.
        """
        found = [trace for trace in self.traces if trace.backend == backend]
        if get is not None:
            used = [trace for trace in found if truth(trace.condition, get) is Truth.TRUE]
            return used[0] if len(used) == 1 else None
        servers = [trace for trace in found if "'sync'" not in trace.condition]
        return next(iter(servers or found), None)

    def evidence(self, path: str, line: int, symbol: str) -> Evidence:
        """A place in the source that was used."""
        return Evidence(path, line, symbol, self.version)

    @property
    @abstractmethod
    def validators(self) -> tuple[Validator, ...]:
        """What entry points check and change before they make anything."""

    @property
    @abstractmethod
    def environment(self) -> EnvironmentFacts:
        """What the framework's source does with environment variables."""

    @property
    @abstractmethod
    def requirements(self) -> tuple[Requirement, ...]:
        """The engines that the framework's package asks for."""

    @cached_property
    def engines(self) -> Engines:
        """What the engines know that a launch may run with."""
        return Engines(rules_folder() / "engines", self.requirements, self.engine_versions)

    @abstractmethod
    def usage(self, entry_point: EntryPoint) -> EntryUsage | None:
        """Which config keys some run of an entry point does not read; None where that is not known."""

    @abstractmethod
    def config_classes(self, tree: Mapping[str, Plain]) -> Mapping[str, ConfigClass]:
        """The classes that ``_target_`` names in a config tree, by target; those that can be read."""

    def config_class(self, target: str) -> ConfigClass | None:
        """The class that a ``_target_`` names; None where it cannot be read."""
        return self.config_classes({"_target_": target}).get(target)

    def node_class(self, tree: Mapping[str, Plain], key: str) -> ConfigClass | None:
        """The class that the node at a key is made into; None where it is made into none that is known.

        ``tree`` is a composed config, overrides applied or not.
        """
        for use in self.framework.uses:
            if key == use.key or key.startswith(f"{use.key}."):
                node = node_at(tree, key)
                target = node.get("_target_") if isinstance(node, Mapping) else None
                return self.config_class(target) if isinstance(target, str) else None
        return None

    def class_has_field(self, tree: Mapping[str, Plain], key: str) -> bool:
        """Whether the class of the key's node in a composed config declares the last part of the key."""
        node, _, name = key.rpartition(".")
        klass = self.node_class(tree, node)
        return klass is not None and any(field.name == name for field in klass.fields)

    def node_condition(self, entry_point: EntryPoint, key: str) -> str:
        """When a run of the entry point makes the node at a key into its class; empty: always."""
        for use in self._uses if self.framework.is_usual(entry_point.module) else ():
            if key == use.key or key.startswith(f"{use.key}."):
                never = any(fnmatchcase(entry_point.module, pattern) for pattern in use.never)
                return "False" if never else use.when
        return "False"

    def constraints(self, entry_point: EntryPoint, tree: Mapping[str, Plain]) -> tuple[Constraint, ...]:
        """What must hold for a config of an entry point, else it is refused at start.

        ``tree`` is composed, overrides applied or not: it says which classes its nodes are made into.
        """
        return self._placed(entry_point, tree).constraints

    def config_writes(self, entry_point: EntryPoint, tree: Mapping[str, Plain]) -> tuple[ConfigWrite, ...]:
        """The config keys that the framework's own code assigns, for a config of an entry point."""
        return self._placed(entry_point, tree).writes

    @cached_property
    def _uses(self) -> tuple[NodeUse, ...]:
        """The nodes that this version makes into their classes."""
        return tuple(
            use
            for use in self.framework.uses
            if not use.without or self.has_module(use.without) is not Truth.TRUE
        )

    def _placed(self, entry_point: EntryPoint, tree: Mapping[str, Plain]) -> Placed:
        if self._shape[0] is not tree:
            self._shape = (tree, shape_of(tree))
        key = (entry_point.module, self._shape[1])
        if key not in self._places:
            classes = self.config_classes(tree)
            self._places[key] = place(
                replace(self.framework, uses=self._uses),
                entry_point,
                tree,
                classes,
                self.validators,
                self.traces,
            )
        return self._places[key]

    def readable(self, expression: str) -> str:
        """An expression for people: the longest prefix that its keys share is left out."""
        return readable(expression)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules of the framework; each says which versions it speaks of."""
        curated = load_rules(rules_folder() / self.framework.name, Cache(default_folder()))
        return curated + self.more_rules

    def rules_on(self, key: str, *effects: str) -> Iterator[Rule]:
        """The rules with one of these effects that speak of a key at this version, in their order."""
        for rule in self.rules:
            if rule.effect in effects and rule.matches(key) and rule.covers(self.release):
                yield rule

    def rule_evidence(self, rule: Rule) -> Evidence | None:
        """Where the evidence of a rule stands in this version; None where it is gone: then nothing is claimed."""
        line = self.rule_line(rule)
        path = rule.evidence.get("path", "")
        return None if line is None else self.evidence(path, line, rule.evidence.get("symbol", ""))

    @abstractmethod
    def rule_line(self, rule: Rule) -> int | None:
        """The line of the rule's evidence, 1-based; None where the source has it no more."""

    def renamed(self, key: str) -> str | None:
        """The new name of a key, or of the part of it that was renamed."""
        for rule in self.rules_on(key, "renamed"):
            new = rule.renamed(key)
            if new is not None and (rule.basis == "facts" or self.rule_line(rule) is not None):
                return new
        return None

    def renamed_module(self, module: str) -> str | None:
        """The new name of a module."""
        return self.renamed(module)

    def replacement(self, key: str, value: Plain, write: ServerWrite) -> tuple[str, str] | None:
        """What to set instead of an overwritten engine argument: a key, and an expression for its value."""
        for rule in self.rules_on(key, "overwritten"):
            if rule.set:
                holds = truth(rule.when, lambda name: value if name == "value" else UNKNOWN)
                if holds is not Truth.FALSE:
                    return next(iter(rule.set.items()))
        if _KEY.fullmatch(write.value) and isinstance(value, (bool, int, float, str)):
            return write.value, repr(value)
        return None
