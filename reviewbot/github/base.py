"""The tree that a pull request is to be merged into, overlaid with its own changes: what its recipes would run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reviewbot.git import head_commit, repository_root
from reviewbot.github.archive import ArchiveTree
from reviewbot.github.client import Client
from reviewbot.github.errors import InvalidError, MissingError
from reviewbot.github.model import PullRequest
from reviewbot.tree import DirectoryTree, Tree


@dataclass(frozen=True)
class Base:
    """A base commit and its files."""

    commit: str
    """The commit of the base branch that permalinks name."""
    tree: Tree
    merged: bool = False
    """Whether the tree is GitHub's trial merge, which holds the pull request's changes."""


def find_base(client: Client, pull: PullRequest, checkout: Path | None, event_commit: str) -> Base:
    """The checkout where it is the base or GitHub's trial merge of both, else the base branch through the API.

    ``event_commit`` is the commit that the runner names (GITHUB_SHA).
    """
    newest, _parents = client.commit(pull.base)
    if checkout is None or repository_root(checkout) != checkout.resolve():
        return Base(newest, ArchiveTree(lambda: client.archive(newest)))
    at_hand = head_commit(checkout)
    if at_hand == newest:
        return Base(newest, DirectoryTree(checkout))
    if at_hand is not None and at_hand == event_commit:
        parents = _parents_of(client, at_hand)
        if len(parents) == 2 and parents[1] == pull.head:
            return Base(parents[0], DirectoryTree(checkout), merged=True)
    return Base(newest, ArchiveTree(lambda: client.archive(newest)))


def _parents_of(client: Client, commit: str) -> tuple[str, ...]:
    """The parents; none where GitHub does not know the commit."""
    try:
        return client.commit(commit)[1]
    except (InvalidError, MissingError):
        return ()
