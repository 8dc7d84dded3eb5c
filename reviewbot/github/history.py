"""The last merged pull requests that touched a recipe or a key, from git where it is at hand, else from the API."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reviewbot.git import commits_touching
from reviewbot.github.client import Client
from reviewbot.github.errors import GitHubError

PULLS = 3
"""Pull requests told of each subject."""
MAX_SUBJECTS = 10
SECONDS = 20.0
"""For all of it: history is worth a short wait only."""
MAX_REQUESTS = 20
_SQUASHED = re.compile(r"(.*\S)\s*\(#(\d{1,9})\)\s*")
_MERGED = re.compile(r"Merge pull request #(\d{1,9}) from \S+")


@dataclass(frozen=True)
class PastPull:
    """A merged pull request that touched the same key or file."""

    number: int
    title: str


@dataclass(frozen=True)
class History:
    """The last merged pull requests that touched a key or a recipe, newest first."""

    subject: str
    pulls: tuple[PastPull, ...]


def merged_pull(message: str) -> PastPull | None:
    """The pull request that a commit's message speaks of: a squashed one's subject, or a merge's."""
    lines = message.split("\n")
    squashed = _SQUASHED.fullmatch(lines[0])
    if squashed is not None:
        return PastPull(int(squashed[2]), squashed[1])
    merged = _MERGED.fullmatch(lines[0].strip())
    if merged is None:
        return None
    return PastPull(int(merged[1]), next((line.strip() for line in lines[1:] if line.strip()), ""))


@dataclass
class Historian:
    """Asks for the history before one commit of the base branch; gives up quietly when time is up."""

    client: Client
    commit: str
    checkout: Path | None
    """The checkout, where it holds the base branch's history."""
    number: int
    """The pull request under review, which is no history of its own."""
    clock: Callable[[], float] = time.monotonic
    requests: int = field(default=0, init=False)
    _known: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict, init=False)
    _patches: dict[tuple[str, str], str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._end = self.clock() + SECONDS

    def tell(self, recipes: Sequence[str], keys: Sequence[tuple[str, str]]) -> tuple[History, ...]:
        """Histories of recipes, and of keys with the recipe that each was flagged in; none where nothing is known."""
        told = [History(path, self._of_recipe(path)) for path in dict.fromkeys(recipes[:MAX_SUBJECTS])]
        for key, path in list(dict(reversed(keys)).items())[::-1][:MAX_SUBJECTS]:
            told.append(History(key, self._of_key(key, path)))
        return tuple(history for history in told if history.pulls)

    def _of_recipe(self, path: str) -> tuple[PastPull, ...]:
        local = self._local(f":(top,literal){path}", None)
        if local is not None:
            return self._pulls(local)
        return self._pulls(message for _commit, message in self._remote(path))

    def _of_key(self, key: str, path: str) -> tuple[PastPull, ...]:
        local = self._local(":(top)*.sh", key)
        if local is not None:
            return self._pulls(local)
        found: list[PastPull] = []
        for commit, message in self._remote(path):
            pull = merged_pull(message)
            if pull is None or not self._touches(commit, path, key):
                continue
            found.append(pull)
            if len(found) == PULLS:
                break
        return tuple(found)

    def _pulls(self, messages: Iterable[str]) -> tuple[PastPull, ...]:
        found = dict.fromkeys(
            pull
            for message in messages
            if (pull := merged_pull(message)) is not None and pull.number != self.number
        )
        return tuple(found)[:PULLS]

    def _local(self, pathspec: str, key: str | None) -> tuple[str, ...] | None:
        """Messages from git; None where the checkout does not reach back."""
        left = self._end - self.clock()
        if self.checkout is None or left <= 0:
            return None
        return commits_touching(self.checkout, self.commit, pathspec, key, left)

    def _remote(self, path: str) -> tuple[tuple[str, str], ...]:
        if path not in self._known and self._may_ask():
            self._known[path] = ()
            try:
                self._known[path] = self.client.commits_of(path, self.commit)
            except GitHubError:
                self.requests = MAX_REQUESTS
        return self._known.get(path, ())

    def _touches(self, commit: str, path: str, key: str) -> bool:
        """Whether a commit's changes to a file hold the key."""
        if (commit, path) not in self._patches:
            if not self._may_ask():
                return False
            try:
                self._patches[commit, path] = self.client.commit_patch(commit, path)
            except GitHubError:
                self.requests = MAX_REQUESTS
                return False
        lines = self._patches[commit, path].split("\n")
        return any(line[:1] in ("+", "-") and key in line for line in lines)

    def _may_ask(self) -> bool:
        self.requests += 1
        return self.requests <= MAX_REQUESTS and self.clock() < self._end
