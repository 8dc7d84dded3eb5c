"""Which config keys a framework reads: comparable facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

READ, CHECKED, FED, UNREAD, UNKNOWN = "read", "checked", "fed", "unread", "unknown"
_STRENGTH = (UNREAD, FED, CHECKED, UNKNOWN, READ)
VERDICTS = (READ, CHECKED, FED, UNREAD, UNKNOWN)
DEAD = (UNREAD, FED, CHECKED)
"""The verdicts that say that nothing works with the value."""


@dataclass(frozen=True, order=True, slots=True)
class Site:
    """Where a key is read, checked or copied."""

    path: str
    line: int
    """1-based."""
    symbol: str
    """``vLLMHttpServer.launch_server``; empty: the module's own statements."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a verdict assumes about a run."""

    pins: tuple[tuple[str, str | bool], ...] = ()
    """Config keys and the values that they are taken to have, sorted; empty: any run."""
    covers: tuple[str, ...] = ()
    """Config nodes whose keys are judged; empty: all."""

    @property
    def condition(self) -> str:
        """The assumption as a condition over config keys; empty: always."""
        return " and ".join(f"{key} == {value!r}" for key, value in self.pins)


@dataclass(frozen=True, slots=True)
class Scoped:
    """The verdict on a key under one scope."""

    number: int
    """Of the entry point's scopes."""
    verdict: str
    sites: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyUse:
    """What becomes of one config key of one entry point."""

    key: str
    verdict: str
    """In any run: ``read``; ``checked`` (only tested, asserted or reported); ``fed`` (only copied to keys that are
    themselves not read); ``unread``; ``unknown`` (something of that name is read, whose owner is not known)."""
    sites: tuple[Site, ...] = ()
    """The first read or copy, or every check, sorted; for ``unknown``: a read that may be of this key."""
    into: tuple[str, ...] = ()
    """Config keys that it is copied to, sorted."""
    scoped: tuple[Scoped, ...] = ()
    """Where the verdict is another; sorted by number."""
    declared: Site | None = None
    """Where the key is declared, for a key that some run does not read: a field of a config class, or a line of
    a config file."""

    @property
    def may_be_dead(self) -> bool:
        """Whether there is a run in which nothing works with the value."""
        return self.verdict in DEAD or any(item.verdict in DEAD for item in self.scoped)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a key in one run."""

    verdict: str
    use: KeyUse | None = None
    sites: tuple[Site, ...] = ()
    scope: Scope | None = None
    """What it assumes; None: any run."""
    declared: Site | None = None
    """Where the key, or the node above it that nothing reads, is declared."""


@dataclass(frozen=True)
class EntryUsage:
    """The keys of one entry point."""

    module: str
    scopes: tuple[Scope, ...] = ()
    keys: tuple[KeyUse, ...] = ()
    """Sorted by key."""
    closed: tuple[tuple[str, Site | None], ...] = ()
    """Config nodes that nothing gets hold of, nor of anything below them, in any run, and where each is declared;
    sorted."""

    @cached_property
    def _by_key(self) -> Mapping[str, KeyUse]:
        return {use.key: use for use in self.keys}

    def judged(self, key: str, get: Callable[[str], object]) -> Judged:
        """The verdict on a key in a run with the config values that ``get`` gives by key.

        Of the scopes that hold the one that claims most is taken, the weakest of equals: a key that is not read
        under a weaker assumption is not read under a stronger one.  ``unknown`` for a key that is not judged.
        """
        use = self._by_key.get(key)
        if use is None:
            for node, declared in self.closed:
                if key.startswith(f"{node}."):
                    return Judged(UNREAD, declared=declared)
            return Judged(UNKNOWN)
        best = Judged(use.verdict, use, use.sites, declared=use.declared)
        for item in use.scoped:
            scope = self.scopes[item.number]
            if not _claims_more(item.verdict, best.verdict):
                continue
            if all(get(name) == value for name, value in scope.pins):
                best = Judged(item.verdict, use, item.sites, scope, use.declared)
        return best

    def verdict(self, key: str, assumed: Mapping[str, object]) -> str:
        """The verdict on a key in a run with some config values; see :meth:`judged`."""
        return self.judged(key, assumed.get).verdict

    def notable(self) -> EntryUsage:
        """Only the keys that some run does not read, and the scopes that matter for them."""
        kept = tuple(use for use in self.keys if use.may_be_dead)
        numbers = sorted({item.number for use in kept for item in use.scoped})
        new = {number: place for place, number in enumerate(numbers)}
        uses = tuple(
            replace(use, scoped=tuple(replace(item, number=new[item.number]) for item in use.scoped))
            for use in kept
        )
        return replace(self, scopes=tuple(self.scopes[number] for number in numbers), keys=uses)


def _claims_more(verdict: str, than: str) -> bool:
    return _STRENGTH.index(verdict) < _STRENGTH.index(than)


@dataclass(frozen=True)
class Usage:
    """The keys of all entry points, and a sentence for each file that could not be read."""

    entries: tuple[EntryUsage, ...] = ()
    problems: tuple[str, ...] = ()

    def of(self, module: str) -> EntryUsage | None:
        """The usage of an entry point by its module."""
        return next((entry for entry in self.entries if entry.module == module), None)

    def notable(self) -> Usage:
        """Only what some run does not read."""
        return replace(self, entries=tuple(entry.notable() for entry in self.entries))

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values: scopes once, a row for each key and use that entry points share."""
        scopes = _Numbers()
        sites = _Numbers()
        rows = _Numbers()
        shared: dict[int, list[int]] = {}
        entries = []
        for place, entry in enumerate(self.entries):
            numbers = [scopes.of(_scope_to_json(scope)) for scope in entry.scopes]
            closed = [[node, sites.of_site(site)] for node, site in entry.closed]
            entries.append({"module": entry.module, "scopes": numbers, "closed": closed})
            for use in entry.keys:
                shared.setdefault(rows.of(_use_to_json(use, numbers, sites)), []).append(place)
        uses = [[shared[number], *row] for number, row in enumerate(rows.values)]
        return {
            "entries": entries,
            "scopes": scopes.values,
            "sites": sites.values,
            "uses": sorted(uses, key=lambda row: (row[1], row[0])),
            "problems": list(self.problems),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Usage:
        """From the JSON form.  Raises KeyError, TypeError, IndexError or ValueError where it is none."""
        reader = _Reader(data)
        entries = (reader.entry(place) for place in range(len(data["entries"])))
        return cls(tuple(entries), tuple(data["problems"]))


def entry_from_json(data: Mapping[str, Any], module: str) -> EntryUsage | None:
    """The usage of one entry point, from the JSON form of a Usage; the others are not decoded.

    Raises as :meth:`Usage.from_json`.
    """
    for place, entry in enumerate(data["entries"]):
        if entry["module"] == module:
            return _Reader(data).entry(place)
    return None


class _Reader:
    """Decodes the JSON form of a Usage."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.sites = [Site(*row) for row in data["sites"]]

    def entry(self, place: int) -> EntryUsage:
        """The usage of the entry point at a place in the list."""
        entry = self.data["entries"][place]
        numbers = {number: position for position, number in enumerate(entry["scopes"])}
        rows = (self.data["scopes"][number] for number in entry["scopes"])
        return EntryUsage(
            entry["module"],
            tuple(Scope(tuple((key, value) for key, value in row[0]), tuple(row[1])) for row in rows),
            tuple(self._use(row[1:], numbers) for row in self.data["uses"] if place in row[0]),
            tuple((node, self._site(number)) for node, number in entry["closed"]),
        )

    def _use(self, row: list[Any], places: Mapping[int, int]) -> KeyUse:
        key, verdict, declared = row[:3]
        rest: list[Any] = [*row[3:], (), (), ()]
        own, into, scoped = rest[0], rest[1], rest[2]
        held = (
            Scoped(places[number], name, tuple(self.sites[place] for place in found))
            for name, found, *numbers in scoped
            for number in numbers
        )
        return KeyUse(
            key,
            verdict,
            tuple(self.sites[place] for place in own),
            tuple(into),
            tuple(sorted(held, key=lambda item: item.number)),
            self._site(declared),
        )

    def _site(self, number: int) -> Site | None:
        """-1 stands for none."""
        return None if number < 0 else self.sites[number]


@dataclass
class _Numbers:
    """Numbers JSON values in the order in which they come."""

    values: list[Any] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)

    def of(self, value: Any) -> int:
        number = self._known.setdefault(repr(value), len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number

    def of_site(self, site: Site | None) -> int:
        """-1 stands for none."""
        return -1 if site is None else self.of([site.path, site.line, site.symbol])


def _scope_to_json(scope: Scope) -> list[Any]:
    return [[list(pin) for pin in scope.pins], list(scope.covers)]


def _use_to_json(use: KeyUse, numbers: list[int], sites: _Numbers) -> list[Any]:
    by_outcome: dict[tuple[str, tuple[Site, ...]], list[int]] = {}
    for item in use.scoped:
        by_outcome.setdefault((item.verdict, item.sites), []).append(numbers[item.number])
    scoped = [
        [verdict, [sites.of_site(site) for site in places], *held]
        for (verdict, places), held in by_outcome.items()
    ]
    declared = sites.of_site(use.declared)
    row = [
        use.key,
        use.verdict,
        declared,
        [sites.of_site(site) for site in use.sites],
        list(use.into),
        scoped,
    ]
    while len(row) > 3 and not row[-1]:
        row.pop()
    return row
