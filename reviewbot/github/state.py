"""What is on the pull request already, what is wanted there, and the steps from one to the other.

Only comments of the bot's own count, and only those that end in its marker; nothing else is ever touched.
A thread that a person has resolved, answered or hidden is settled: it stays as it is, and what it speaks of is not
said again.  Every other finding ends up in exactly one live comment, or in the summary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reviewbot.checks.model import Finding
from reviewbot.github.anchors import Group, Placement
from reviewbot.github.marker import FindingMarker, read_marker

_COMMIT = re.compile(r"(?<=/blob/)[0-9a-f]{40}(?=/)")


@dataclass(frozen=True)
class Thread:
    """The first comment of a review thread, and what people did with the thread."""

    node: str
    """The comment's node id."""
    id: int
    """The comment's number."""
    own: bool
    """Whether the bot itself wrote it."""
    body: str
    path: str
    line: int | None
    """The last line that it stands on in the newest diff; None where it stands on none any more."""
    start_line: int | None = None
    """The first line, where it is another one."""
    resolved: bool = False
    outdated: bool = False
    hidden: bool = False
    answered: bool = False
    """Whether anyone else wrote in the thread."""

    @property
    def marker(self) -> FindingMarker | None:
        """What it speaks of; None for comments that are none of the bot's."""
        marker = read_marker(self.body) if self.own else None
        return marker if isinstance(marker, FindingMarker) else None

    @property
    def fingerprints(self) -> frozenset[str]:
        """The findings that it speaks of as long as it has not been withdrawn."""
        marker = self.marker
        return (
            frozenset(marker.fingerprints) if marker is not None and marker.state == "live" else frozenset()
        )

    @property
    def settled(self) -> bool:
        """Whether a person has dealt with it."""
        return self.resolved or self.answered or self.hidden

    @property
    def standing(self) -> bool:
        """Whether the lines that it stands on are still there."""
        return self.line is not None and not self.outdated

    @property
    def range(self) -> tuple[str, int, int] | None:
        """Path, first and last line."""
        if self.line is None:
            return None
        return self.path, self.start_line or self.line, self.line


@dataclass(frozen=True)
class Post:
    """A comment to make."""

    group: Group
    finding: Finding
    placement: Placement
    body: str


@dataclass(frozen=True)
class Rewording:
    """A comment of the bot's own that stays and says something else."""

    thread: Thread
    group: Group
    body: str

    @property
    def added(self) -> tuple[Finding, ...]:
        """The findings that the comment did not speak of before."""
        said = self.thread.fingerprints
        return tuple(finding for finding in self.group.findings if finding.fingerprint not in said)


@dataclass(frozen=True)
class Withdrawal:
    """A comment of the bot's own that has had its day."""

    thread: Thread
    state: str
    """``gone``, ``moved`` or ``duplicate``."""


@dataclass(frozen=True)
class Plan:
    """Steps, in the order in which they are taken: what is new is there before what is old goes."""

    create: tuple[Post, ...] = ()
    edit: tuple[Rewording, ...] = ()
    withdraw: tuple[Withdrawal, ...] = ()
    hide: tuple[Thread, ...] = ()
    """Comments withdrawn by an earlier run that could not hide them."""
    keep: tuple[Thread, ...] = ()
    unplaced: tuple[Group, ...] = ()
    """What only the summary tells of."""


Render = Callable[[Group, Finding, Placement | None], str]


def settled(threads: Iterable[Thread]) -> frozenset[str]:
    """The findings that people have dealt with."""
    return frozenset(
        fingerprint for thread in threads if thread.settled for fingerprint in thread.fingerprints
    )


def make_plan(threads: Sequence[Thread], wanted: Sequence[Group], render: Render, cap: int) -> Plan:
    """The steps that bring the pull request's comments to what is wanted.

    ``wanted`` holds no settled finding, the worst first; at most ``cap`` live comments remain, but for those that
    stand there already.
    """
    live = [thread for thread in threads if thread.fingerprints and not thread.settled]
    free = list(live)
    claimed = [_claim(free, group) for group in _claims_first(wanted, live)]
    standing = {id(claim.group): claim for claim in claimed}
    room = cap - sum(1 for claim in claimed if claim.best is not None)
    create: list[Post] = []
    edit: list[Rewording] = []
    keep: list[Thread] = []
    withdraw: list[Withdrawal] = []
    unplaced: list[Group] = []
    for group in wanted:
        claim = standing[id(group)]
        if claim.best is not None:
            body = render(group, claim.finding, claim.placement)
            keep.append(claim.best)
            if not same_text(body, claim.best.body):
                edit.append(Rewording(claim.best, group, body))
            withdraw.extend(Withdrawal(thread, "duplicate") for thread in claim.others)
            continue
        if group.placed and room > 0:
            room -= 1
            finding, placement = group.placed[0]
            create.append(Post(group, finding, placement, render(group, finding, placement)))
        else:
            unplaced.append(group)
        withdraw.extend(Withdrawal(thread, "moved") for thread in claim.others)
    withdraw.extend(Withdrawal(thread, "gone") for thread in free)
    hide = tuple(thread for thread in threads if _half_withdrawn(thread))
    return Plan(tuple(create), tuple(edit), tuple(withdraw), hide, tuple(keep), tuple(unplaced))


def same_text(left: str, right: str) -> bool:
    """Whether two bodies say the same: line ends and the commits of permalinks do not count."""
    return _plain(left) == _plain(right)


@dataclass(frozen=True)
class _Claim:
    """The comments that speak of a group already."""

    group: Group
    best: Thread | None
    """The one that stays."""
    finding: Finding
    placement: Placement | None
    others: tuple[Thread, ...]


def _claims_first(wanted: Sequence[Group], live: Sequence[Thread]) -> list[Group]:
    """Groups in an order that lets those whose comment stands where they want it choose first."""
    ranges = {thread.range for thread in live if thread.standing}
    return sorted(
        wanted, key=lambda group: not any(placement.range in ranges for _finding, placement in group.placed)
    )


def _claim(free: list[Thread], group: Group) -> _Claim:
    """The group's comments, taken out of ``free``: no other group has them."""
    fingerprints = set(group.fingerprints)
    mine = [thread for thread in free if thread.fingerprints & fingerprints]
    free[:] = [thread for thread in free if not thread.fingerprints & fingerprints]
    for thread in mine:
        for finding, placement in group.placed:
            if thread.standing and thread.range == placement.range:
                return _Claim(group, thread, finding, placement, _without(mine, thread))
    if not group.placed:
        for thread in mine:
            if thread.standing:
                finding = next(item for item in group.findings if item.fingerprint in thread.fingerprints)
                return _Claim(group, thread, finding, None, _without(mine, thread))
    return _Claim(group, None, group.first, None, tuple(mine))


def _without(threads: list[Thread], one: Thread) -> tuple[Thread, ...]:
    return tuple(thread for thread in threads if thread is not one)


def _half_withdrawn(thread: Thread) -> bool:
    return thread.marker is not None and thread.marker.state != "live" and not thread.settled


def _plain(body: str) -> str:
    return _COMMIT.sub("", body.replace("\r\n", "\n").strip())
