"""Knowledge of a source tree at hand: read when asked for, and kept by content."""

from __future__ import annotations

from functools import cached_property

from reviewbot.config.model import Arguments, Base, Refusal
from reviewbot.config.search import locate, packages_of
from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.composed import cached_base
from reviewbot.knowledge.entry_points import entry_point_at, modules_of
from reviewbot.knowledge.facts import decode_trace, encode
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.interface import Knowledge
from reviewbot.knowledge.model import EntryPoint, ServerTrace
from reviewbot.knowledge.source import Sources
from reviewbot.knowledge.traces import traces_of
from reviewbot.logic import Truth
from reviewbot.tree import Tree, normal


class LiveKnowledge(Knowledge):
    """A tree that holds the framework's source."""

    origin = "source"

    def __init__(self, framework: Framework, tree: Tree, name: str, cache: Cache) -> None:
        super().__init__(framework, name)
        self._tree = tree
        self._cache = cache
        self._sources = Sources(tree)
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
        folder = self.framework.server_dir
        texts = {
            path: self._sources.text(path) or "" for path in self._tree.files(folder) if path.endswith(".py")
        }
        parts = [self.framework.name, *(part for item in texts.items() for part in item)]
        stored = self._cache.get("traces", parts)
        if isinstance(stored, dict) and self._unchanged(stored.get("also")):
            try:
                self._sources.problems += [str(problem) for problem in stored["problems"]]
                return tuple(decode_trace(item) for item in stored["traces"])
            except (TypeError, KeyError, AttributeError):
                pass
        return self._read_traces(texts, parts)

    def _read_traces(self, texts: dict[str, str], parts: list[str]) -> tuple[ServerTrace, ...]:
        before = len(self._sources.problems)
        traces = traces_of(self._sources, self.framework)
        entry = {
            "traces": [encode(trace) for trace in traces],
            "problems": self._sources.problems[before:],
            "also": {path: text for path, text in self._sources.read.items() if path not in texts},
        }
        self._cache.put("traces", parts, entry)
        return traces

    def _unchanged(self, also: object) -> bool:
        """Whether the files outside the server folder that the traces were read from are still the same."""
        return isinstance(also, dict) and all(
            self._tree.read(str(path)) == text for path, text in also.items()
        )


def _files(name: str) -> list[str]:
    if name.endswith(".py") or "/" in name:
        path = normal(name)
        return [] if path is None else [path]
    path = name.replace(".", "/")
    return [f"{path}.py", f"{path}/__main__.py"]
