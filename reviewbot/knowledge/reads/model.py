"""Which config keys a framework reads: comparable facts."""

from __future__ import annotations

from dataclasses import dataclass, field

READ, CHECKED, FED, UNREAD, UNKNOWN = "read", "checked", "fed", "unread", "unknown"
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

    def verdict(self, key: str, assumed: dict[str, object]) -> str:
        """The verdict on a key in a run with some config values; ``unknown`` for a key that is not judged.

        The most telling scope that holds is taken: one in which the key is not read.
        """
        use = next((item for item in self.keys if item.key == key), None)
        if use is None:
            return UNKNOWN
        for number, verdict in use.scoped:
            if all(assumed.get(name) == value for name, value in self.scopes[number].pins):
                return verdict
        return use.verdict


@dataclass(frozen=True, slots=True)
class Usage:
    """The keys of all entry points, and a sentence for each file that could not be read."""

    entries: tuple[EntryUsage, ...] = ()
    problems: tuple[str, ...] = field(default=())
