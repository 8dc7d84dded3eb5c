"""A recipe, read through all stages: what each launch of a script would run, with which config."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from reviewbot.config.arguments import sort_arguments
from reviewbot.config.launch import BaseFor, Configured, configure
from reviewbot.config.model import UNKNOWN, Base, Override, Plain, Refusal
from reviewbot.knowledge.model import EntryPoint, ServerTrace
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth
from reviewbot.shell.model import Known, Launch, ShellResult, Word
from reviewbot.shell.script import read_script
from reviewbot.text import SourceText, Span


@dataclass(frozen=True)
class Plan:
    """One launch of an entry point that the knowledge knows, with its effective config."""

    launch: Launch
    entry_point: EntryPoint
    configured: Configured
    backend: str | None
    """The rollout backend; None where it is not known."""
    backend_known: Known
    trace: ServerTrace | None
    base_for: BaseFor

    def sets_any(self, keys: Iterable[str]) -> bool:
        """Whether an override of the launch decides the value of any of the keys."""
        applied, effective = self.configured.applied, self.configured.effective
        if applied is None or effective is None:
            return False
        for key in keys:
            if key in applied.set_by:
                return True
            if _is_plain(applied.tree, key):
                continue
            setting = effective.get(key)
            if setting is not None and setting.set_by is not None:
                return True
        return False

    def all_plain(self, keys: Iterable[str]) -> bool:
        """Whether each key is a value of its own or absent, so that no other key decides it."""
        applied = self.configured.applied
        return applied is not None and all(_is_plain(applied.tree, key) for key in keys)

    def without(self, replaced: Mapping[int, Override]) -> Configured:
        """The launch configured anew with some overrides (by ``id``) replaced by others."""
        arguments = self.configured.arguments
        overrides = tuple(replaced.get(id(override), override) for override in arguments.overrides)
        return configure(replace(arguments, overrides=overrides), self.base_for)

    @cached_property
    def overrides_at(self) -> Mapping[Span, tuple[Override, ...]]:
        """The overrides by the place where they are written."""
        found: dict[Span, tuple[Override, ...]] = {}
        for override in self.configured.arguments.overrides:
            found[override.word.span] = (*found.get(override.word.span, ()), override)
        return found

    def shown(self, override: Override) -> str:
        """The override as text for people: its value resolved where it is known."""
        return override.word.text or f"{override.op}{override.key}=…"


@dataclass(frozen=True)
class MissingModule:
    """A launch whose entry point is a module of the framework that the reviewed version does not have."""

    launch: Launch
    module: str


@dataclass(frozen=True)
class Recipe:
    """A script and all that is known about it."""

    source: SourceText
    shell: ShellResult
    plans: tuple[Plan, ...]
    missing: tuple[MissingModule, ...] = ()
    notes: tuple[str, ...] = ()
    """Why something of it was not reviewed, one sentence each."""
    launches_seen: int = field(default=0)

    @cached_property
    def runs(self) -> tuple[Plan, ...]:
        """The plans of launches that run something: ``--cfg job`` only prints the config, and of one whose command
        ends early nobody knows what it would be with the words that it lost.
        """
        return tuple(
            plan
            for plan in self.plans
            if not plan.configured.arguments.prints and not self._is_cut(plan.launch)
        )

    def _is_cut(self, launch: Launch) -> bool:
        ends = (problem.span for problem in self.shell.problems if problem.lost)
        return any(
            end.path == launch.span.path and launch.span.line <= end.line <= launch.span.end_line
            for end in ends
        )

    @property
    def partly(self) -> str:
        """One sentence; empty where all of it was reviewed."""
        return "; ".join(dict.fromkeys((*((self.shell.partly,) if self.shell.partly else ()), *self.notes)))


def read_recipe(
    source: SourceText,
    knowledge: Knowledge,
    *,
    env: Mapping[str, str] | None = None,
    read: Callable[[str], str | None] = lambda _path: None,
) -> Recipe:
    """Read a script through shell, config and knowledge.

    ``env`` declares environment variables; ``read`` gives other scripts of the repository by path.
    """
    shell = read_script(source, env=env or {}, read=read)
    plans: list[Plan] = []
    missing: list[MissingModule] = []
    notes: list[str] = []
    for launch in shell.launches:
        entry = launch.entry_point.text
        if entry is None:
            continue
        entry_point = knowledge.entry_point(entry)
        if entry_point is not None:
            plans.append(_plan(launch, entry_point, knowledge))
            continue
        if not launch.is_module:
            continue
        present = knowledge.has_module(entry)
        if present is Truth.FALSE:
            missing.append(MissingModule(launch, entry))
        elif present is Truth.UNKNOWN and any("=" in word.prefix for word in launch.arguments):
            package = entry.split(".")[0]
            notes.append(
                say(
                    "line {line} launches {entry}, and the source of {package} is not in the reviewed tree",
                    line=launch.span.line,
                    entry=entry,
                    package=package,
                )
            )
    for plan in plans:
        notes.extend(_not_reviewable(plan))
    return Recipe(
        source, shell, tuple(plans), tuple(missing), tuple(dict.fromkeys(notes)), len(shell.launches)
    )


def _plan(launch: Launch, entry_point: EntryPoint, knowledge: Knowledge) -> Plan:
    def base_for(path: str | None, name: str | None, groups: tuple[str, ...]) -> Base | Refusal:
        return knowledge.base(entry_point, path, name, groups)

    configured = configure(sort_arguments(launch.arguments), base_for)
    backend: str | None = None
    known = Known.NO
    setting = configured.effective.get(knowledge.framework.backend_key) if configured.effective else None
    if setting is not None and isinstance(setting.value, str):
        backend, known = setting.value, setting.known
    trace = knowledge.trace(backend, _values(configured)) if backend else None
    if trace is not None and trace.condition and entry_point.module in knowledge.framework.only_servers:
        trace = None
    return Plan(launch, entry_point, configured, backend, known, trace, base_for)


def _is_plain(tree: Mapping[str, Plain], key: str) -> bool:
    """Whether a key is a value of its own, or absent: no interpolation and no node, so that only its name sets it."""
    node: Plain = tree
    for part in key.split("."):
        if not isinstance(node, dict):
            return False
        if part not in node:
            return True
        node = node[part]
    return not (node is UNKNOWN or isinstance(node, (dict, list)) or (isinstance(node, str) and "${" in node))


def _values(configured: Configured) -> Callable[[str], Plain]:
    def get(key: str) -> Plain:
        setting = configured.effective.get(key) if configured.effective is not None else None
        return setting.value if setting is not None else UNKNOWN

    return get


NO_CLAIM = ("outside-tree", "unknown", "not-bundled", "compose")
"""Refusals that are none of Hydra's: nothing can be said about the launch."""


def _not_reviewable(plan: Plan) -> list[str]:
    """Why the launch that the defaults lead to is not judged; other branches may stay open."""
    if not plan.launch.on_default_path:
        return []
    line = plan.launch.span.line
    return [
        say("line {line}: {message}", line=line, message=refusal.message)
        for refusal in plan.configured.refusals
        if refusal.kind in NO_CLAIM
    ]


def touched(word: Word) -> tuple[Span, ...]:
    """Every place that feeds a word: where it is written, and the assignments behind it."""
    return (word.span, *(origin.span for origin in word.origins))
