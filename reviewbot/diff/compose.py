"""Diffs in a row (the commits of a pull request, one after the other) made into one change a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reviewbot.diff.model import DiffLine, FileDiff, Hunk, Status
from reviewbot.errors import InputError


@dataclass(frozen=True, slots=True)
class Part:
    """One file's part of a diff."""

    file: FileDiff
    batch: int
    """Parts of one commit have the same number."""


def compose_parts(parts: Iterable[Part], name: str) -> tuple[FileDiff, ...]:
    """One change a path, in the order in which the files first appear.

    Raises InputError where a file appears twice and its second part does not follow from the first.
    """
    series = _Series(name)
    for _, commit in groupby(parts, key=lambda part: part.batch):
        series.go_on([part.file for part in commit])
    return tuple(file for file in series.files if file is not None)


def compose(first: FileDiff, second: FileDiff, name: str = "diff") -> FileDiff | None:
    """The change that ``first`` and then ``second`` make; None where the file is added and deleted again.

    Raises InputError where ``second`` does not start from what ``first`` leaves.
    """
    if (line := _break(first, second)) is not None:
        raise InputError(
            f"{name}: line {line}: {second.path} appears twice, and this part does not follow from the "
            f"one of line {first.diff_line}; give one diff from the base to the head (git diff BASE...HEAD)"
        )
    if first.old_path is None and second.new_path is None:
        return None
    return FileDiff(
        old_path=first.old_path,
        new_path=second.new_path,
        status=_status(first, second),
        hunks=_composed_hunks(first, second),
        whole=second.new_path is not None and (first.whole or second.whole),
        mode=second.mode or first.mode,
        diff_line=first.diff_line,
    )


class _Series:
    """The changes of the commits so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.files: list[FileDiff | None] = []
        self.places: dict[str, int] = {}
        """Where in ``files`` the change to a path is."""

    def go_on(self, commit: Sequence[FileDiff]) -> None:
        """Take in the changes of one commit; their old paths are those that the commits before it leave."""
        files = self._one_a_path(commit)
        order = {"copied": 0, "added": 2}
        claimed = {
            file.path: self._claim(file) for file in sorted(files, key=lambda file: order.get(file.status, 1))
        }
        composed: list[tuple[int | None, FileDiff | None]] = []
        for file in files:
            place = claimed[file.path]
            earlier = None if place is None else self.files[place]
            result = file if earlier is None else compose(earlier, file, self.name)
            composed.append((None if file.status == "copied" else place, result))
        for place, change in composed:
            self._put(place, change)

    def _claim(self, file: FileDiff) -> int | None:
        """The place of the change that a file goes on from.  A copy leaves it there."""
        path = file.old_path or file.path
        return self.places.get(path) if file.status == "copied" else self.places.pop(path, None)

    def _one_a_path(self, commit: Sequence[FileDiff]) -> list[FileDiff]:
        """One change a path: a file that becomes a link is deleted and added; two diffs may be joined."""
        files: dict[str, FileDiff] = {}
        for file in commit:
            earlier = files.get(file.path)
            result = file if earlier is None else compose(earlier, file, self.name)
            if result is None:
                del files[file.path]
            else:
                files[file.path] = result
        return list(files.values())

    def _put(self, place: int | None, file: FileDiff | None) -> None:
        if place is not None:
            self.files[place] = None
        if file is None:
            return
        other = self.places.get(file.path)
        at_path = None if other is None else self.files[other]
        if other is not None and at_path is not None:
            if file.new_path is None and at_path.old_path is None:
                self.files[other] = compose(file, at_path, self.name)
            if file.new_path is None:
                return
            if file.old_path is None and at_path.new_path is None:
                file = compose(at_path, file, self.name) or file
            self.files[other] = None
        if place is None:
            place = len(self.files)
            self.files.append(None)
        self.files[place] = file
        self.places[file.path] = place


def _break(first: FileDiff, second: FileDiff) -> int | None:
    """The line of the diff at which ``second`` contradicts ``first``."""
    if (first.new_path is None) != (second.old_path is None):
        return second.diff_line
    after = {line.new_line: line for line in first.lines if line.new_line}
    for hunk in second.hunks:
        for line in hunk.lines:
            if line.old_line is None:
                continue
            known = after.get(line.old_line)
            if known is None:
                if first.whole:
                    return hunk.diff_line
            elif known.raw != line.raw:
                return hunk.diff_line
    return None


def _status(first: FileDiff, second: FileDiff) -> Status:
    if "binary" in (first.status, second.status):
        return "binary"
    if first.old_path is None:
        return "added"
    if second.new_path is None:
        return "deleted"
    if first.old_path != second.new_path:
        return "copied" if "copied" in (first.status, second.status) else "renamed"
    return "mode" if first.status == second.status == "mode" else "modified"


class _Side:
    """One of two diffs as seen from the text between them: line numbers are those of that text."""

    def __init__(self) -> None:
        self.lines: dict[int, DiffLine] = {}
        """The lines shown of the text between."""
        self.others: dict[int, list[DiffLine]] = defaultdict(list)
        """The lines that the text between does not have, by the line in front of which they stand."""


def _seen(file: FileDiff, new_side: bool) -> _Side:
    side = _Side()
    for hunk in file.hunks:
        start, length = (hunk.new_start, hunk.new_length) if new_side else (hunk.old_start, hunk.old_length)
        cursor = start if length else start + 1
        for line in hunk.lines:
            number = line.new_line if new_side else line.old_line
            if number is None:
                side.others[cursor].append(line)
            else:
                side.lines[number] = line
                cursor = number + 1
    return side


def _composed_hunks(first: FileDiff, second: FileDiff) -> tuple[Hunk, ...]:
    one, two = _seen(first, new_side=True), _seen(second, new_side=False)
    diff_line = (first.hunks or second.hunks or (None,))[0]
    building = _Hunks(diff_line.diff_line if diff_line else first.diff_line)
    for line in sorted({*one.lines, *one.others, *two.lines, *two.others}):
        building.go_to(line)
        for removed in one.others.get(line, ()):
            building.remove(removed)
        for added in two.others.get(line, ()):
            building.add(added)
        shown, after = one.lines.get(line), two.lines.get(line)
        building.step(shown, after)
    return building.finish()


class _Hunks:
    """Builds hunks by walking down the text between two diffs."""

    def __init__(self, diff_line: int) -> None:
        self.diff_line = diff_line
        self.old = self.new = self.line = 1
        """The next line of either side, and of the text between."""
        self.open: list[DiffLine] = []
        self.start = (1, 1)
        self.hunks: list[Hunk] = []

    def go_to(self, line: int) -> None:
        skipped = line - self.line
        if skipped:
            self.close()
            self.old, self.new, self.line = self.old + skipped, self.new + skipped, line
            self.start = (self.old, self.new)

    def remove(self, line: DiffLine) -> None:
        self.open.append(replace(line, kind="removed", old_line=self.old, new_line=None))
        self.old += 1

    def add(self, line: DiffLine) -> None:
        self.open.append(replace(line, kind="added", old_line=None, new_line=self.new))
        self.new += 1

    def step(self, before: DiffLine | None, after: DiffLine | None) -> None:
        """Over a line of the text between: added by the first diff, removed by the second, both, neither."""
        if before is None and after is None:
            return
        shown = before or after
        added = before is not None and before.kind == "added"
        removed = after is not None and after.kind == "removed"
        self.line += 1
        if shown is None or (added and removed):
            return
        if added:
            self.add(shown)
        elif removed:
            self.remove(shown)
        else:
            self.open.append(replace(shown, kind="context", old_line=self.old, new_line=self.new))
            self.old, self.new = self.old + 1, self.new + 1

    def close(self) -> None:
        if self.open:
            old = sum(line.old_line is not None for line in self.open)
            new = sum(line.new_line is not None for line in self.open)
            old_start, new_start = self.start
            self.hunks.append(
                Hunk(old_start - (not old), old, new_start - (not new), new, tuple(self.open), self.diff_line)
            )
        self.open = []
        self.start = (self.old, self.new)

    def finish(self) -> tuple[Hunk, ...]:
        self.close()
        return tuple(self.hunks)
