"""Which config keys a framework reads: comparable facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

READ, CHECKED, FED, UNREAD, UNKNOWN = "read", "checked", "fed", "unread", "unknown"
_STRENGTH = (UNREAD, FED, CHECKED, UNKNOWN, READ)
VERDICTS = (READ, CHECKED, FED, UNREAD, UNKNOWN)


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
class KeyUse:
    """What becomes of one config key of one entry point."""

    key: str
    verdict: str
    """In any run: ``read``; ``checked`` (only tested, asserted or reported); ``fed`` (only copied to keys that are
    themselves not read); ``unread``; ``unknown`` (something of that name is read, whose owner is not known)."""
    site: Site | None = None
    """The read; else the check or copy; for ``unknown``: the read that may be of this key."""
    into: tuple[str, ...] = ()
    """Config keys that it is copied to, sorted."""
    scoped: tuple[tuple[int, str], ...] = ()
    """Numbers of the entry point's scopes, and the verdict there where it is another."""


@dataclass(frozen=True, slots=True)
class EntryUsage:
    """The keys of one entry point."""

    module: str
    scopes: tuple[Scope, ...] = ()
    keys: tuple[KeyUse, ...] = ()
    """Sorted by key."""

    def verdict(self, key: str, assumed: Mapping[str, object]) -> str:
        """The verdict on a key in a run with some config values; ``unknown`` for a key that is not judged.

        Of the scopes that hold the one that claims most is taken: a key that is not read under a weaker
        assumption is not read under a stronger one.
        """
        use = next((item for item in self.keys if item.key == key), None)
        if use is None:
            return UNKNOWN
        held = [
            verdict
            for number, verdict in use.scoped
            if all(assumed.get(name) == value for name, value in self.scopes[number].pins)
        ]
        return min((use.verdict, *held), key=_STRENGTH.index)


@dataclass(frozen=True, slots=True)
class Usage:
    """The keys of all entry points, and a sentence for each file that could not be read."""

    entries: tuple[EntryUsage, ...] = ()
    problems: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values, sorted."""
        return {"entries": [_entry_to_json(entry) for entry in self.entries], "problems": list(self.problems)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Usage:
        """From the JSON form.  Raises KeyError, TypeError or ValueError where it is none."""
        return cls(tuple(_entry_from_json(entry) for entry in data["entries"]), tuple(data["problems"]))


def _entry_to_json(entry: EntryUsage) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    for use in entry.keys:
        site = None if use.site is None else [use.site.path, use.site.line, use.site.symbol]
        row = {
            "verdict": use.verdict,
            "site": site,
            "into": list(use.into),
            "scoped": [list(s) for s in use.scoped],
        }
        keys[use.key] = {name: value for name, value in row.items() if value}
    scopes = [
        {"pins": [list(pin) for pin in scope.pins], "covers": list(scope.covers)} for scope in entry.scopes
    ]
    return {"module": entry.module, "scopes": scopes, "keys": keys}


def _entry_from_json(data: Mapping[str, Any]) -> EntryUsage:
    scopes = tuple(
        Scope(tuple((key, value) for key, value in scope["pins"]), tuple(scope["covers"]))
        for scope in data["scopes"]
    )
    uses = tuple(
        KeyUse(
            key,
            row["verdict"],
            Site(*row["site"]) if "site" in row else None,
            tuple(row.get("into", ())),
            tuple((number, verdict) for number, verdict in row.get("scoped", ())),
        )
        for key, row in data["keys"].items()
    )
    return EntryUsage(data["module"], scopes, uses)
