"""Values of GitHub's that pass between the modules of this package."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PullRequest:
    """A pull request as it was when it was read."""

    number: int
    open: bool
    draft: bool
    head: str
    """The commit under review."""
    base: str
    """The branch that it is to be merged into."""
    changed_files: int
    url: str
    """Its page."""


@dataclass(frozen=True)
class PullFile:
    """One changed file as the API lists it."""

    path: str
    previous_path: str | None
    status: str
    """added, removed, modified, renamed, copied, changed or unchanged."""
    patch: str | None
    """None for binary files, renames without changes, and diffs that GitHub does not show."""
    changes: int
    """Lines added and removed; GitHub says 0 where it left the file's patch out of a full page."""
    blob: str
    """The id of the file's content after the change."""


@dataclass(frozen=True)
class SummaryComment:
    """A comment on the pull request as a whole, the bot's own."""

    node: str
    id: int
    body: str
    hidden: bool = False


@dataclass(frozen=True)
class CreatedReview:
    """A review that was posted."""

    id: int
    url: str
