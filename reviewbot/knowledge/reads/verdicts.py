"""From what is read where to a verdict on each key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reviewbot.knowledge.reads.atoms import Loose, Node
from reviewbot.knowledge.reads.flow import Event
from reviewbot.knowledge.reads.model import CHECKED, FED, READ, UNKNOWN, UNREAD, Site
from reviewbot.knowledge.reads.program import Code, Fn
from reviewbot.knowledge.reads.shape import ANY

_DEPTH = 12


@dataclass
class Feeds:
    """What the config files copy: a key's value goes to other keys."""

    keys: dict[str, set[str]] = field(default_factory=dict)
    nodes: dict[str, set[str]] = field(default_factory=dict)
    """Whole nodes."""


class Index:
    """The events of one kind and root, by path."""

    def __init__(self, events: Iterable[Event], kind: str, root: str) -> None:
        self._exact: dict[str, list[Event]] = {}
        patterns: dict[str, list[Event]] = {}
        for event in events:
            if event.kind == kind and isinstance(event.what, Node) and event.what.root == root:
                where = patterns if ANY in event.what.path else self._exact
                where.setdefault(event.what.path, []).append(event)
        self._patterns = [
            (re.compile(re.escape(path).replace(r"\*", "([^.]+)")), found)
            for path, found in sorted(patterns.items())
        ]
        self._found: dict[str, list[tuple[Event, frozenset[str]]]] = {}

    def at(self, path: str) -> list[tuple[Event, frozenset[str]]]:
        """The events at a path, each with the names that stand there for children that are not known."""
        if path not in self._found:
            found = [(event, frozenset[str]()) for event in self._exact.get(path, ())]
            for pattern, events in self._patterns:
                match = pattern.fullmatch(path)
                if match is not None:
                    found += [(event, frozenset(match.groups())) for event in events]
            self._found[path] = found
        return self._found[path]

    def below(self, node: str) -> list[Event]:
        """The events at paths below a node that are known by name."""
        prefix = f"{node}."
        return [event for path, events in self._exact.items() if path.startswith(prefix) for event in events]


class Indices:
    """The events of one root."""

    def __init__(self, events: Iterable[Event], root: str) -> None:
        self.root = root
        held = list(events)
        self.reads, self.wholes, self.copies, self.checks = (
            Index(held, kind, root) for kind in ("read", "whole", "feed", "check")
        )


@dataclass(frozen=True)
class Facts:
    """What is the same under every scope."""

    events: Indices
    keys: frozenset[str]
    """All keys and nodes of the trees."""
    feeds: Feeds
    loaded: frozenset[str]
    """Attributes that a config value is kept under and that something loads."""
    classed: frozenset[str] = frozenset()
    """Nodes that are made into an instance of a config class."""


Loosely = Mapping[str, Event]
"""Reads of an unknown owner, by the end of their path."""


@dataclass(frozen=True)
class Verdict:
    """What becomes of a key, and where."""

    kind: str
    sites: tuple[Site, ...] = ()
    """The first read or copy, or every check, sorted."""
    into: tuple[str, ...] = ()


class Judge:
    """Judges the keys of one root under one scope."""

    def __init__(
        self, facts: Facts, alive: Callable[[Event], bool], closed: frozenset[str], loose: Loosely
    ) -> None:
        self.facts = facts
        self.alive = alive
        self.closed = closed
        """Names that stand for other choices than the scope's: a child that is not known is none of them."""
        self.loose = loose
        self._memo: dict[str, Site | None] = {}
        self._entered: dict[str, bool] = {}

    def closed_nodes(self, unread: frozenset[str]) -> tuple[str, ...]:
        """The nodes that nothing gets hold of, nor of anything at or below them, the highest only, sorted.

        ``unread`` are the keys judged as such.
        """
        nodes = {
            ".".join(parts[:length])
            for parts in (key.split(".") for key in unread)
            for length in range(1, len(parts))
        }
        open_nodes = {
            ".".join(parts[:length])
            for parts in (key.split(".") for key in self.facts.keys if key not in unread | nodes)
            for length in range(1, len(parts))
        }
        found: list[str] = []
        for node in sorted(nodes - open_nodes, key=lambda item: (item.count("."), item)):
            if any(node.startswith(f"{held}.") for held in found):
                continue
            if self._read_at(node, 0) is None and not self._loaded(node) and not self._held_below(node):
                found.append(node)
        return tuple(sorted(found))

    def _held_below(self, node: str) -> bool:
        classed = any(item == node or item.startswith(f"{node}.") for item in self.facts.classed)
        events = self.facts.events
        indices = (events.reads, events.wholes, events.copies, events.checks)
        return classed or any(self.alive(event) for index in indices for event in index.below(node))

    def _at(self, index: Index, path: str) -> list[Event]:
        return [event for event, names in index.at(path) if not names & self.closed and self.alive(event)]

    def judge(self, key: str) -> Verdict:
        """The verdict on a key."""
        into = tuple(sorted(target for target in self._targets(key) if target in self.facts.keys))
        site = self._read_at(key, 0)
        if site is not None:
            return Verdict(READ, (site,), into)
        maybe = self._maybe(key)
        if maybe is not None:
            return Verdict(UNKNOWN, (_site(maybe),), into)
        checks = self._at(self.facts.events.checks, key)
        if checks:
            return Verdict(CHECKED, tuple(sorted(set(map(_site, checks)))), into)
        if into:
            copies = self._at(self.facts.events.copies, key)
            return Verdict(FED, (_first(copies),) if copies else (), into)
        stores = self._at(self.facts.events.copies, key)
        return Verdict(UNREAD, (_first(stores),) if stores else (), into)

    def _read_at(self, key: str, depth: int) -> Site | None:
        """Where a key is read, directly or through what it is copied to."""
        if key in self._memo:
            return self._memo[key]
        self._memo[key] = None
        found = self._direct(key)
        if found is None and depth < _DEPTH:
            for target in sorted(self._targets(key)):
                if target.startswith("."):
                    if target[1:] in self.facts.loaded:
                        found = _first(self._at(self.facts.events.copies, key))
                else:
                    found = self._read_at(target, depth + 1)
                if found is not None:
                    break
        self._memo[key] = found
        return found

    def _direct(self, key: str) -> Site | None:
        reads = self._at(self.facts.events.reads, key)
        if reads:
            return _first(reads)
        parts = key.split(".")
        for length in range(len(parts), 0, -1):
            wholes = self._at(self.facts.events.wholes, ".".join(parts[:length]))
            if wholes:
                return _first(wholes)
        return None

    def _targets(self, key: str) -> set[str]:
        found = set(self.facts.feeds.keys.get(key, ()))
        parts = key.split(".")
        for length in range(1, len(parts) + 1):
            head, tail = ".".join(parts[:length]), parts[length:]
            for target in self.facts.feeds.nodes.get(head, ()):
                found.add(".".join([target, *tail]))
            for event in self._at(self.facts.events.copies, head):
                found.update(self._copied(event, tail))
        return found - {key}

    def _copied(self, event: Event, tail: list[str]) -> Iterable[str]:
        if event.target.startswith("."):
            return () if tail else (event.target,)
        names = (item.partition(":") for item in event.target.split("|"))
        return [".".join([path, *tail]) for root, _, path in names if root == self.facts.events.root]

    def _maybe(self, key: str) -> Event | None:
        """A read of an unknown owner that may be of this key."""
        event = self._loosely(key)
        return event if event is not None and self._is_entered(key) else None

    def _loosely(self, key: str) -> Event | None:
        parts = key.split(".")
        for start in range(len(parts)):
            event = self.loose.get(".".join(parts[start:]))
            if event is not None:
                return event
        return None

    def _is_entered(self, key: str) -> bool:
        """Whether anything gets hold of the nodes above a key: by name, or as an instance of their class."""
        parts = key.split(".")
        for length in range(1, len(parts)):
            node = ".".join(parts[:length])
            if any(item.startswith(f"{node}.") or item == node for item in self.facts.classed):
                return True
            if not self._loaded(node):
                return False
        return True

    def _loaded(self, node: str) -> bool:
        if node not in self._entered:
            events = self.facts.events
            found = any(
                self._at(index, node) for index in (events.reads, events.wholes, events.copies, events.checks)
            )
            self._entered[node] = found or self._loosely(node) is not None
        return self._entered[node]


def loose_tails(events: Iterable[Event], tails: frozenset[str], loaded: frozenset[str]) -> dict[str, Event]:
    """Reads of an unknown owner, by the longest end of their path that ends a key."""
    found: dict[str, Event] = {}
    for event in events:
        if not isinstance(event.what, Loose) or event.kind not in ("read", "whole", "feed"):
            continue
        if event.target.startswith(".") and event.target[1:] not in loaded:
            continue
        parts = event.what.suffix.split(".")
        for start in range(len(parts)):
            tail = ".".join(parts[start:])
            if tail in tails:
                if tail not in found or _site(event) < _site(found[tail]):
                    found[tail] = event
                break
    return found


def _first(events: Sequence[Event]) -> Site:
    return min(_site(event) for event in events)


def _site(event: Event) -> Site:
    where = event.where
    if isinstance(where, Code):
        return Site(where.path, event.line, "")
    return Site(where.module.path, event.line, where.qual)


def outermost(where: Fn | Code) -> Fn | Code:
    """The function at the top of a module or class that a function lies in."""
    while isinstance(where, Fn) and where.parent is not None:
        where = where.parent
    return where
