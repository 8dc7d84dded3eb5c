"""One repository on GitHub: what the reviewer reads there and writes there."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from reviewbot.github import queries
from reviewbot.github.errors import GitHubError, InvalidError, MissingError, UnansweredError
from reviewbot.github.marker import ReviewMarker, SummaryMarker, read_marker
from reviewbot.github.model import CreatedReview, PullFile, PullRequest, SummaryComment
from reviewbot.github.state import Post, Thread, same_text
from reviewbot.github.transport import Transport
from reviewbot.tree import MAX_FILE_BYTES

WRITERS = frozenset({"admin", "write", "maintain"})


@dataclass(frozen=True)
class Client:
    """Reads and writes; raises GitHubError and its kinds."""

    transport: Transport
    repository: str
    """``owner/name``."""

    def pull(self, number: int) -> PullRequest:
        """A pull request as it is now."""
        return _pull(self.transport.get(self._path(f"pulls/{number}")))

    def pulls_with_head(self, head: str) -> tuple[PullRequest, ...]:
        """The open pull requests of this repository whose newest commit is ``head``, oldest first."""
        found = self.transport.pages(self._path(f"commits/{head}/pulls"))
        mine = [
            item
            for item in found
            if item.get("state") == "open"
            and item["head"]["sha"] == head
            and item["base"]["repo"]["full_name"].lower() == self.repository.lower()
        ]
        return tuple(self.pull(item["number"]) for item in sorted(mine, key=lambda item: item["number"]))

    def files(self, number: int) -> tuple[PullFile, ...]:
        """The changed files; GitHub lists 3,000 at most."""
        return tuple(map(_file, self.transport.pages(self._path(f"pulls/{number}/files"))))

    def file_page(self, number: int, index: int, per_page: int) -> tuple[PullFile, ...]:
        """The page of ``per_page`` changed files that holds the one at ``index`` (from 0)."""
        parameters = {"per_page": per_page, "page": index // per_page + 1}
        return tuple(map(_file, self.transport.get(self._path(f"pulls/{number}/files"), parameters)))

    def blob(self, blob: str) -> bytes | None:
        """The content of a file by its id; None where it is too large or not to be had."""
        try:
            found = self.transport.get(self._path(f"git/blobs/{blob}"))
        except MissingError:
            return None
        return _content(found)

    def content(self, path: str, commit: str) -> bytes | None:
        """The content of a file at a commit; None where there is none."""
        quoted = quote(path.encode("utf-8", "surrogateescape"))
        try:
            found = self.transport.get(self._path(f"contents/{quoted}"), {"ref": commit})
        except MissingError:
            return None
        if not isinstance(found, dict) or found.get("type") != "file":
            return None
        return _content(found) if found.get("encoding") == "base64" else self.blob(str(found.get("sha")))

    def commit(self, name: str) -> tuple[str, tuple[str, ...]]:
        """The id of a commit, given by id or branch, and the ids of its parents."""
        found = self.transport.get(self._path(f"commits/{quote(name)}"), {"per_page": 1})
        return str(found["sha"]), tuple(str(parent["sha"]) for parent in found["parents"])

    def commits_of(self, path: str, before: str, count: int = 30) -> tuple[tuple[str, str], ...]:
        """Ids and messages of the newest commits that touched a file, up to a commit."""
        parameters = {"path": path, "sha": before, "per_page": count}
        found = self.transport.get(self._path("commits"), parameters)
        return tuple((str(item["sha"]), str(item["commit"]["message"])) for item in found)

    def commit_patch(self, commit: str, path: str) -> str:
        """What a commit changed in a file; empty where GitHub does not show it."""
        found = self.transport.get(self._path(f"commits/{commit}"), {"per_page": 100})
        files = found.get("files") or ()
        return next((str(file.get("patch") or "") for file in files if file.get("filename") == path), "")

    def merge_base(self, base: str, head: str) -> str:
        """The commit that both come from."""
        found = self.transport.get(self._path(f"compare/{base}...{head}"), {"per_page": 1})
        return str(found["merge_base_commit"]["sha"])

    def archive(self, commit: str) -> bytes:
        """A tar archive of a commit, compressed."""
        return self.transport.download(self.transport.location(self._path(f"tarball/{commit}")))

    def may_write(self, login: str) -> bool:
        """Whether a person may write to the repository."""
        try:
            found = self.transport.get(self._path(f"collaborators/{quote(login, safe='')}/permission"))
        except GitHubError:
            return False
        return found.get("permission") in WRITERS

    def threads(self, number: int) -> tuple[Thread, ...]:
        """The review threads of a pull request, in GitHub's order."""
        found: list[Thread] = []
        for viewer, node in self._nodes(queries.THREADS, number, "reviewThreads"):
            comments = [comment for comment in node["comments"]["nodes"] if comment is not None]
            if comments:
                found.append(_thread(node, comments, viewer))
        return tuple(found)

    def summaries(self, number: int) -> tuple[SummaryComment, ...]:
        """The bot's own summary comments, oldest first."""
        return tuple(
            SummaryComment(node["id"], node["databaseId"], node["body"], bool(node["isMinimized"]))
            for viewer, node in self._nodes(queries.COMMENTS, number, "comments")
            if _is_own(node, viewer) and isinstance(read_marker(node["body"]), SummaryMarker)
        )

    def create_review(self, number: int, head: str, body: str, posts: Sequence[Post]) -> CreatedReview:
        """Post one review with all its comments, or none of it."""
        found = self.transport.create(
            self._path(f"pulls/{number}/reviews"),
            {
                "commit_id": head,
                "body": body,
                "event": "COMMENT",
                "comments": [review_comment(post) for post in posts],
            },
        )
        return CreatedReview(found["id"], str(found.get("html_url", "")))

    def review_of_attempt(self, number: int, attempt: str) -> CreatedReview | None:
        """The review that an unanswered request posted after all."""
        for item in self.transport.pages(self._path(f"pulls/{number}/reviews")):
            if read_marker(item.get("body") or "") == ReviewMarker(attempt):
                return CreatedReview(item["id"], str(item.get("html_url", "")))
        return None

    def review_comments(self, number: int, review: int) -> tuple[str, ...]:
        """The bodies of a review's comments."""
        path = self._path(f"pulls/{number}/reviews/{review}/comments")
        return tuple(item["body"] for item in self.transport.pages(path))

    def drop_pending_review(self, number: int) -> bool:
        """Delete the bot's own unsubmitted review, which would block any other; whether there was one.

        GitHub shows unsubmitted reviews only to their author.
        """
        path = self._path(f"pulls/{number}/reviews")
        for item in self.transport.pages(path):
            if item.get("state") == "PENDING":
                self.transport.change("DELETE", f"{path}/{item['id']}")
                return True
        return False

    def edit_comment(self, comment: int, body: str) -> None:
        """Replace the text of an inline comment."""
        self.transport.change("PATCH", self._path(f"pulls/comments/{comment}"), {"body": body})

    def hide(self, node: str, why: str) -> None:
        """Minimise a comment: ``RESOLVED``, ``OUTDATED`` or ``DUPLICATE``."""
        self.transport.mutate(queries.MINIMIZE, {"node": node, "why": why})

    def create_issue_comment(self, number: int, body: str, tries: int = 3) -> None:
        """Comment on the pull request as a whole, once: looks whether it is there after an unanswered try."""
        try:
            self.transport.create(self._path(f"issues/{number}/comments"), {"body": body})
        except UnansweredError:
            self.transport.sleep(self.transport.pace.first_backoff)
            if any(same_text(text, body) for text in self._own_comments(number)):
                return
            if tries <= 1:
                raise
            self.create_issue_comment(number, body, tries - 1)

    def edit_issue_comment(self, comment: int, body: str) -> None:
        """Replace the text of a comment on the pull request as a whole."""
        self.transport.change("PATCH", self._path(f"issues/comments/{comment}"), {"body": body})

    def react(self, comment: int, content: str = "eyes") -> None:
        """React to a comment on the pull request as a whole."""
        try:
            self.transport.create(self._path(f"issues/comments/{comment}/reactions"), {"content": content})
        except (UnansweredError, InvalidError):
            return

    def create_check_run(self, body: Mapping[str, Any]) -> int:
        """Start a check run."""
        return int(self.transport.create(self._path("check-runs"), body)["id"])

    def edit_check_run(self, run: int, body: Mapping[str, Any]) -> None:
        """Add annotations to a check run, or finish it."""
        self.transport.change("PATCH", self._path(f"check-runs/{run}"), body)

    def _own_comments(self, number: int) -> Iterator[str]:
        for viewer, node in self._nodes(queries.COMMENTS, number, "comments"):
            if _is_own(node, viewer):
                yield node["body"]

    def _nodes(self, text: str, number: int, name: str) -> Iterator[tuple[str, Any]]:
        """The viewer's login and each node of a paginated connection of the pull request."""
        owner, _, repository = self.repository.partition("/")
        after: str | None = None
        while True:
            variables = {"owner": owner, "name": repository, "number": number, "after": after}
            data = self.transport.query(text, variables)
            pull = (data.get("repository") or {}).get("pullRequest")
            if pull is None:
                raise MissingError(
                    f"{self.repository} has no pull request {number}, or the token does not see it"
                )
            for node in pull[name]["nodes"]:
                if node is not None:
                    yield data["viewer"]["login"], node
            page = pull[name]["pageInfo"]
            if not page["hasNextPage"]:
                return
            after = page["endCursor"]

    def _path(self, rest: str) -> str:
        return f"/repos/{self.repository}/{rest}"


def _pull(item: Mapping[str, Any]) -> PullRequest:
    return PullRequest(
        number=item["number"],
        open=item["state"] == "open",
        draft=bool(item.get("draft")),
        head=item["head"]["sha"],
        base=item["base"]["ref"],
        changed_files=int(item.get("changed_files") or 0),
        url=str(item.get("html_url", "")),
    )


def _file(item: Mapping[str, Any]) -> PullFile:
    return PullFile(
        path=item["filename"],
        previous_path=item.get("previous_filename"),
        status=item["status"],
        patch=item.get("patch"),
        changes=int(item.get("changes") or 0),
        blob=str(item.get("sha") or ""),
    )


def _content(found: Mapping[str, Any]) -> bytes | None:
    if int(found.get("size") or 0) > MAX_FILE_BYTES or found.get("encoding") != "base64":
        return None
    try:
        return base64.b64decode(found["content"])
    except (binascii.Error, ValueError):
        return None


def review_comment(post: Post) -> dict[str, Any]:
    """A comment as the API takes it: ``start_line`` only where it is another line than ``line``."""
    placement = post.placement
    comment: dict[str, Any] = {
        "path": placement.path,
        "body": post.body,
        "line": placement.line,
        "side": "RIGHT",
    }
    if placement.start_line < placement.line:
        comment |= {"start_line": placement.start_line, "start_side": "RIGHT"}
    return comment


def _thread(node: Mapping[str, Any], comments: Sequence[Mapping[str, Any]], viewer: str) -> Thread:
    first = comments[0]
    return Thread(
        node=first["id"],
        id=first["databaseId"],
        own=_is_own(first, viewer),
        body=first["body"],
        path=node["path"],
        line=node["line"],
        start_line=node["startLine"],
        resolved=bool(node["isResolved"]),
        outdated=bool(node["isOutdated"]),
        hidden=bool(first["isMinimized"]),
        answered=any(not _is_own(comment, viewer) for comment in comments[1:]),
    )


def _is_own(comment: Mapping[str, Any], viewer: str) -> bool:
    """Whether the token's own user wrote a comment; GraphQL leaves ``[bot]`` off an author's login."""
    if comment.get("viewerDidAuthor"):
        return True
    author = comment.get("author") or {}
    return author.get("__typename") == "Bot" and f"{author.get('login')}[bot]" == viewer
