"""The hidden last line of what the bot writes.

A marker counts only as the last line of a comment, and only under the bot's own login: a pull request can put the
same text into the middle of a comment that quotes it, or into a comment of its author's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

VERSION = "v1"

_MARKER = re.compile(r"<!-- reviewbot:v1 (finding|summary|review)((?: [a-z]+=[A-Za-z0-9,:_-]*)*) -->")


@dataclass(frozen=True)
class FindingMarker:
    """What an inline comment speaks of."""

    fingerprints: tuple[str, ...]
    state: str = "live"
    """``live``; or why the bot has withdrawn it: ``gone``, ``moved``, ``duplicate``."""

    def __str__(self) -> str:
        state = "" if self.state == "live" else f" state={self.state}"
        return f"<!-- reviewbot:{VERSION} finding{state} fingerprint={','.join(self.fingerprints)} -->"


@dataclass(frozen=True)
class SummaryMarker:
    """What the summary comment remembers."""

    head: str = ""
    paused: bool = False
    fingerprints: tuple[str, ...] = ()
    """The findings that only the summary tells of."""

    def __str__(self) -> str:
        paused = " paused=yes" if self.paused else ""
        told = f" fingerprint={','.join(self.fingerprints)}" if self.fingerprints else ""
        return f"<!-- reviewbot:{VERSION} summary head={self.head}{paused}{told} -->"


@dataclass(frozen=True)
class ReviewMarker:
    """One attempt to post a review: tells whether an unanswered request was carried out."""

    attempt: str

    def __str__(self) -> str:
        return f"<!-- reviewbot:{VERSION} review attempt={self.attempt} -->"


Marker = FindingMarker | SummaryMarker | ReviewMarker


def read_marker(body: str) -> Marker | None:
    """The marker that ends a comment; None where it has none."""
    last = body.rstrip().rpartition("\n")[2].strip()
    found = _MARKER.fullmatch(last)
    if found is None:
        return None
    fields = dict(pair.partition("=")[::2] for pair in found[2].split())
    fingerprints = tuple(filter(None, fields.get("fingerprint", "").split(",")))
    if found[1] == "finding":
        return FindingMarker(fingerprints, fields.get("state", "live"))
    if found[1] == "summary":
        return SummaryMarker(fields.get("head", ""), fields.get("paused") == "yes", fingerprints)
    return ReviewMarker(fields.get("attempt", ""))


def with_marker(body: str, marker: Marker) -> str:
    """The body with its marker replaced, or added where it has none."""
    stripped = body.rstrip()
    if read_marker(stripped) is not None:
        stripped = stripped.rpartition("\n")[0].rstrip()
    return f"{stripped}\n\n{marker}"
