"""From what is read where to a verdict on each key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reviewbot.knowledge.reads.atoms import Loose, Node
from reviewbot.knowledge.reads.flow import Event
from reviewbot.knowledge.reads.model import CHECKED, FED, READ, UNKNOWN, UNREAD, Site
from reviewbot.knowledge.reads.program import Code, Fn

_DEPTH = 12


@dataclass
class Feeds:
    """What the config files copy: a key's value goes to other keys."""

    keys: dict[str, set[str]] = field(default_factory=dict)
    nodes: dict[str, set[str]] = field(default_factory=dict)
    """Whole nodes."""


@dataclass
class Index:
    """Events of one root, by path."""

    exact: dict[str, list[Event]] = field(default_factory=dict)
    patterns: list[tuple[re.Pattern[str], list[Event]]] = field(default_factory=list)

    def at(self, path: str) -> list[Event]:
        """The events at a path."""
        found = list(self.exact.get(path, ()))
        for pattern, events in self.patterns:
            if pattern.fullmatch(path):
                found += events
        return found


def index_of(events: Iterable[Event], kinds: frozenset[str], root: str) -> Index:
    """The events of some kinds."""
    by_path: dict[str, list[Event]] = {}
    for event in events:
        if event.kind in kinds and isinstance(event.what, Node) and event.what.root == root:
            by_path.setdefault(event.what.path, []).append(event)
    patterns = [
        (re.compile(re.escape(path).replace(r"\*", "[^.]+")), found)
        for path, found in by_path.items()
        if "*" in path
    ]
    return Index({path: found for path, found in by_path.items() if "*" not in path}, patterns)


@dataclass(frozen=True)
class Verdict:
    """What becomes of a key, and where."""

    kind: str
    site: Site | None = None
    into: tuple[str, ...] = ()


class Judge:
    """Judges the keys of one root under one scope."""

    def __init__(
        self,
        events: Sequence[Event],
        root: str,
        feeds: Feeds,
        loaded: frozenset[str],
        loose: Mapping[str, Event],
    ) -> None:
        self.root = root
        self.feeds = feeds
        self.loaded = loaded
        self.loose = loose
        self.reads = index_of(events, frozenset({"read"}), root)
        self.wholes = index_of(events, frozenset({"whole"}), root)
        self.copies = index_of(events, frozenset({"feed"}), root)
        self.checks = index_of(events, frozenset({"check"}), root)
        self._memo: dict[str, Site | None] = {}

    def judge(self, key: str) -> Verdict:
        """The verdict on a key."""
        into = tuple(sorted(target for target in self._targets(key) if not target.startswith(".")))
        site = self._read_at(key, 0)
        if site is not None:
            return Verdict(READ, site, into)
        maybe = self._maybe(key)
        if maybe is not None:
            return Verdict(UNKNOWN, _site(maybe), into)
        checks = self.checks.at(key)
        if checks:
            return Verdict(CHECKED, _first(checks), into)
        if into:
            copies = self.copies.at(key)
            return Verdict(FED, _first(copies) if copies else None, into)
        stores = self.copies.at(key)
        return Verdict(UNREAD, _first(stores) if stores else None, into)

    def _read_at(self, key: str, depth: int) -> Site | None:
        """Where a key is read, directly or through what it is copied to."""
        if key in self._memo:
            return self._memo[key]
        self._memo[key] = None
        found = self._direct(key)
        if found is None and depth < _DEPTH:
            for target in sorted(self._targets(key)):
                if target.startswith("."):
                    if target[1:] in self.loaded:
                        found = _first(self.copies.at(key))
                else:
                    found = self._read_at(target, depth + 1)
                if found is not None:
                    break
        self._memo[key] = found
        return found

    def _direct(self, key: str) -> Site | None:
        reads = self.reads.at(key)
        if reads:
            return _first(reads)
        parts = key.split(".")
        for length in range(len(parts), 0, -1):
            wholes = self.wholes.at(".".join(parts[:length]))
            if wholes:
                return _first(wholes)
        return None

    def _targets(self, key: str) -> set[str]:
        found = set(self.feeds.keys.get(key, ()))
        parts = key.split(".")
        for length in range(1, len(parts) + 1):
            head, tail = ".".join(parts[:length]), parts[length:]
            for target in self.feeds.nodes.get(head, ()):
                found.add(".".join([target, *tail]))
            for event in self.copies.at(head):
                found.update(self._copied(event, tail))
        return found - {key}

    def _copied(self, event: Event, tail: list[str]) -> Iterable[str]:
        if event.target.startswith("."):
            return () if tail else (event.target,)
        names = (item.partition(":") for item in event.target.split("|"))
        return [".".join([path, *tail]) for root, _, path in names if root == self.root]

    def _maybe(self, key: str) -> Event | None:
        parts = key.split(".")
        for start in range(len(parts)):
            event = self.loose.get(".".join(parts[start:]))
            if event is not None:
                return event
        return None


def loose_tails(events: Iterable[Event], tails: frozenset[str]) -> dict[str, Event]:
    """Reads of an unknown owner, by the longest end of their path that ends a key."""
    found: dict[str, Event] = {}
    for event in events:
        if not isinstance(event.what, Loose) or event.kind not in ("read", "whole", "feed"):
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
