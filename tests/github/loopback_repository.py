"""A repository on the loopback GitHub: commits, pull requests, reviews, threads, and who may do what."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count

BOT = "github-actions[bot]"
MAX_BODY = 65_536


class RefusalError(Exception):
    """An answer other than success."""

    def __init__(self, status: int, message: str, errors: list[str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors


@dataclass(frozen=True)
class Commit:
    sha: str
    tree: Mapping[str, bytes]
    parents: tuple[str, ...]
    message: str = "A commit"


@dataclass
class Comment:
    """A comment in a thread, or on the pull request as a whole."""

    id: int
    author: str
    body: str
    review: int | None = None
    hidden: str = ""
    reactions: list[str] = field(default_factory=list)

    @property
    def node(self) -> str:
        return f"NODE_{self.id}"


@dataclass
class Thread:
    path: str
    start_line: int
    line: int
    commit: str
    comments: list[Comment]
    resolved: bool = False


@dataclass
class Review:
    id: int
    author: str
    body: str
    state: str
    commit: str


@dataclass
class Pull:
    number: int
    base: str
    """A branch."""
    head: str
    merge_base: str
    title: str = "A change"
    draft: bool = False
    open: bool = True
    fork: bool = False
    threads: list[Thread] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)


@dataclass
class Repository:
    name: str = "octo/recipes"
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    permissions: dict[str, str] = field(default_factory=dict)
    check_runs: dict[int, list[dict[str, object]]] = field(default_factory=dict)
    hidden_patches: set[str] = field(default_factory=set)
    """Paths whose patch the API leaves out."""
    crowded_pages: int = 100
    """Pages longer than this leave out all patches."""
    ids: Iterator[int] = field(default_factory=lambda: count(1000))

    def commit(self, tree: Mapping[str, str | bytes], *parents: str, message: str = "A commit") -> str:
        """A new commit."""
        files = {path: text if isinstance(text, bytes) else text.encode() for path, text in tree.items()}
        for data in files.values():
            self.blobs[blob_id(data)] = data
        sha = hashlib.sha1(repr((sorted(files.items()), parents, next(self.ids))).encode()).hexdigest()
        self.commits[sha] = Commit(sha, files, parents, message)
        return sha

    def history(self, sha: str, path: str) -> Iterator[str]:
        """The commits that changed a file, newest first, along first parents."""
        while sha:
            commit = self.commits[sha]
            parent = commit.parents[0] if commit.parents else ""
            before = self.commits[parent].tree.get(path) if parent else None
            if commit.tree.get(path) != before:
                yield sha
            sha = parent

    def patches(self, sha: str) -> dict[str, str]:
        """What a commit changed, by path."""
        commit = self.commits[sha]
        old = self.commits[commit.parents[0]].tree if commit.parents else {}
        made = {path: patch_of(old.get(path, b""), data) for path, data in commit.tree.items()}
        return {path: patch for path, patch in made.items() if patch is not None}

    def open_pull(self, base_tree: Mapping[str, str | bytes], head_tree: Mapping[str, str | bytes]) -> Pull:
        """A pull request of two commits."""
        base = self.commit(base_tree)
        self.branches["main"] = base
        head = self.commit(head_tree, base)
        pull = Pull(len(self.pulls) + 1, "main", head, base)
        self.pulls[pull.number] = pull
        return pull

    def push(self, pull: Pull, tree: Mapping[str, str | bytes]) -> str:
        """A new commit on the pull request's branch."""
        pull.head = self.commit(tree, pull.head)
        return pull.head

    def rebase(
        self, pull: Pull, base_tree: Mapping[str, str | bytes], head_tree: Mapping[str, str | bytes]
    ) -> str:
        """The base branch moves on, and the pull request is put on top of it: a force push."""
        self.branches["main"] = self.commit(base_tree, self.branches["main"])
        pull.merge_base = self.branches["main"]
        pull.head = self.commit(head_tree, pull.merge_base)
        return pull.head

    def changed(self, pull: Pull) -> list[str]:
        """The paths that differ, sorted."""
        old, new = self.commits[pull.merge_base].tree, self.commits[pull.head].tree
        return sorted(path for path in {*old, *new} if old.get(path) != new.get(path))

    def patch(self, pull: Pull, path: str) -> str | None:
        """The hunks of one file as GitHub gives them."""
        old = self.commits[pull.merge_base].tree.get(path, b"")
        return patch_of(old, self.commits[pull.head].tree.get(path, b""))

    def position(self, pull: Pull, thread: Thread) -> tuple[int, int] | None:
        """The first and last line that a thread stands on now; None where it is outdated."""
        old = self.commits[thread.commit].tree.get(thread.path)
        new = self.commits[pull.head].tree.get(thread.path)
        if old is None or new is None:
            return None
        first = moved(old, new, thread.start_line)
        last = moved(old, new, thread.line)
        if first is None or last is None or last - first != thread.line - thread.start_line:
            return None
        return (first, last) if self.one_hunk(pull, thread.path, first, last) else None

    def one_hunk(self, pull: Pull, path: str, first: int, last: int) -> bool:
        """Whether the pull request's diff shows all these lines in one hunk."""
        if path in self.hidden_patches:
            return False
        return any(first in lines and last in lines for lines in shown_lines(self.patch(pull, path) or ""))

    def add_review(
        self, pull: Pull, author: str, body: dict[str, object], bad_lines: set[tuple[str, int]]
    ) -> Review:
        """Create a review with its comments, all or nothing."""
        if any(review.state == "PENDING" and review.author == author for review in pull.reviews):
            raise RefusalError(
                422, "Unprocessable Entity", ["User can only have one pending review per pull request"]
            )
        commit = str(body.get("commit_id") or pull.head)
        event = body.get("event")
        comments = body.get("comments") or []
        assert isinstance(comments, list)
        text = str(body.get("body") or "")
        if event == "COMMENT" and not text and not comments:
            raise RefusalError(422, "Unprocessable Entity", ["Review body can't be blank"])
        if commit not in self.commits:
            raise RefusalError(422, "Unprocessable Entity", ["Commit is not part of the pull request"])
        threads = [self._new_thread(pull, commit, comment, bad_lines) for comment in comments]
        if len(text) > MAX_BODY:
            raise RefusalError(
                422, "Unprocessable Entity", ["body is too long (maximum is 65536 characters)"]
            )
        review = Review(next(self.ids), author, text, "COMMENTED" if event else "PENDING", commit)
        pull.reviews.append(review)
        for thread, comment in zip(threads, comments, strict=True):
            thread.comments.append(Comment(next(self.ids), author, str(comment["body"]), review.id))
            pull.threads.append(thread)
        return review

    def _new_thread(
        self, pull: Pull, commit: str, comment: dict[str, object], bad_lines: set[tuple[str, int]]
    ) -> Thread:
        unknown = set(comment) - {"path", "body", "line", "side", "start_line", "start_side", "position"}
        if unknown:
            raise RefusalError(422, "Unprocessable Entity", [f"{sorted(unknown)} is not a permitted key"])
        path, line = str(comment["path"]), comment.get("line")
        if comment.get("side", "RIGHT") != "RIGHT" or comment.get("start_side", "RIGHT") != "RIGHT":
            raise RefusalError(422, "Unprocessable Entity", ["side is not a valid value"])
        if not isinstance(line, int):
            raise RefusalError(422, "Unprocessable Entity", ["line is missing"])
        start = comment.get("start_line", line)
        assert isinstance(start, int)
        if "start_line" in comment and start >= line:
            raise RefusalError(
                422,
                "Unprocessable Entity",
                ["Pull request review thread start line must precede the end line."],
            )
        if len(str(comment["body"])) > MAX_BODY:
            raise RefusalError(
                422, "Unprocessable Entity", ["body is too long (maximum is 65536 characters)"]
            )
        if path not in self.changed(pull):
            raise RefusalError(422, "Unprocessable Entity", ["Path could not be resolved"])
        thread = Thread(path, start, line, commit, [])
        if (path, line) in bad_lines or self.position(pull, thread) is None:
            raise RefusalError(422, "Unprocessable Entity", ["Line could not be resolved"])
        return thread

    def comment_by_id(self, number: int) -> tuple[Pull, Comment]:
        for pull in self.pulls.values():
            for comment in (*pull.comments, *(item for thread in pull.threads for item in thread.comments)):
                if comment.id == number:
                    return pull, comment
        raise RefusalError(404, "Not Found")


def blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@lru_cache(maxsize=5000)
def patch_of(old: bytes, new: bytes) -> str | None:
    """Hunks without a header; None for binary files and equal ones."""
    if b"\0" in old or b"\0" in new or old == new:
        return None
    lines = list(difflib.unified_diff(_lines(old), _lines(new), n=3))[2:]
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    ).rstrip("\n")


@lru_cache(maxsize=5000)
def shown_lines(patch: str) -> tuple[range, ...]:
    """The lines of the after side that each hunk shows."""
    found = []
    for line in patch.split("\n"):
        if line.startswith("@@"):
            start, _, length = line.split("+")[1].split(" ")[0].partition(",")
            found.append(range(int(start), int(start) + int(length or 1)))
    return tuple(found)


@lru_cache(maxsize=20000)
def moved(old: bytes, new: bytes, line: int) -> int | None:
    """Where a line went; None where it was changed or removed."""
    matcher = difflib.SequenceMatcher(None, _lines(old), _lines(new), autojunk=False)
    for old_start, new_start, length in matcher.get_matching_blocks():
        if old_start < line <= old_start + length:
            return line - old_start + new_start
    return None


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace")
    pieces = text.split("\n")
    return [piece + "\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])
