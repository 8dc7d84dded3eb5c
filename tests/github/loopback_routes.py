"""What the loopback GitHub does for each operation in use."""

from __future__ import annotations

import base64
import io
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from loopback_repository import (
    MAX_BODY,
    Comment,
    Pull,
    RefusalError,
    Repository,
    Review,
    Thread,
    blob_id,
)

_R = "/repos/{owner}/{repo}"


@dataclass(frozen=True)
class Asked:
    """A request, taken apart."""

    repository: Repository
    url: str
    actor: str
    names: list[str]
    """The parts of the path that the template leaves open, without owner and repository."""
    query: dict[str, str]
    body: Any
    bad_lines: set[tuple[str, int]]
    lose: bool

    @property
    def pull(self) -> Pull:
        number = int(self.names[0])
        if number not in self.repository.pulls:
            raise RefusalError(404, "Not Found")
        return self.repository.pulls[number]

    def page(self, items: list[Any], path: str) -> Answer:
        """One page, with a link to the next."""
        size, page = int(self.query.get("per_page", "30")), int(self.query.get("page", "1"))
        if size > 100:
            raise RefusalError(422, "per_page is too large")
        shown = items[(page - 1) * size : page * size]
        more = page * size < len(items)
        link = {"Link": f'<{self.url}{path}?per_page={size}&page={page + 1}>; rel="next"'} if more else {}
        return Answer(shown, headers=link)


@dataclass(frozen=True)
class Answer:
    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: Any = None
    """An answer that the description says nothing about."""


def get_pull(asked: Asked) -> Answer:
    return Answer(_pull(asked.repository, asked.pull))


def get_files(asked: Asked) -> Answer:
    pull, repository = asked.pull, asked.repository
    answer = asked.page(repository.changed(pull), f"/repos/{repository.name}/pulls/{pull.number}/files")
    crowded = len(answer.body) > repository.crowded_pages
    return Answer([_file(repository, pull, path, crowded) for path in answer.body], headers=answer.headers)


def get_reviews(asked: Asked) -> Answer:
    return asked.page(
        [_review(item) for item in asked.pull.reviews], f"/repos/{asked.repository.name}/pulls/1/reviews"
    )


def post_review(asked: Asked) -> Answer:
    review = asked.repository.add_review(asked.pull, asked.actor, asked.body, asked.bad_lines)
    if asked.lose:
        asked.pull.threads.pop()
    return Answer(_review(review))


def delete_review(asked: Asked) -> Answer:
    review = next((item for item in asked.pull.reviews if item.id == int(asked.names[1])), None)
    if review is None:
        raise RefusalError(404, "Not Found")
    if review.state != "PENDING" or review.author != asked.actor:
        raise RefusalError(422, "Can not delete a non-pending pull request review")
    asked.pull.reviews.remove(review)
    asked.pull.threads = [item for item in asked.pull.threads if item.comments[0].review != review.id]
    return Answer(_review(review))


def get_review_comments(asked: Asked) -> Answer:
    review = int(asked.names[1])
    found = [
        _review_comment(asked.repository, asked.pull, thread, comment)
        for thread in asked.pull.threads
        for comment in thread.comments
        if comment.review == review
    ]
    return asked.page(found, f"/repos/{asked.repository.name}/pulls/1/reviews/{review}/comments")


def patch_review_comment(asked: Asked) -> Answer:
    pull, comment = _edited(asked)
    thread = next(item for item in pull.threads if comment in item.comments)
    return Answer(_review_comment(asked.repository, pull, thread, comment))


def post_issue_comment(asked: Asked) -> Answer:
    comment = Comment(next(asked.repository.ids), asked.actor, _short_enough(asked.body["body"]))
    asked.pull.comments.append(comment)
    return Answer(_issue_comment(comment), 201)


def patch_issue_comment(asked: Asked) -> Answer:
    return Answer(_issue_comment(_edited(asked)[1]))


def post_reaction(asked: Asked) -> Answer:
    _pull_of, comment = asked.repository.comment_by_id(int(asked.names[0]))
    comment.reactions.append(asked.body["content"])
    return Answer({"content": asked.body["content"]}, 201)


def get_blob(asked: Asked) -> Answer:
    data = asked.repository.blobs.get(asked.names[0])
    if data is None:
        raise RefusalError(404, "Not Found")
    return Answer(
        {
            "sha": asked.names[0],
            "size": len(data),
            "encoding": "base64",
            "content": base64.encodebytes(data).decode(),
        }
    )


def get_contents(asked: Asked) -> Answer:
    repository, path = asked.repository, asked.names[0]
    commit = repository.branches.get(asked.query.get("ref", "main"), asked.query.get("ref", ""))
    data = repository.commits[commit].tree.get(path) if commit in repository.commits else None
    if data is None:
        raise RefusalError(404, "Not Found")
    body = {
        "type": "file",
        "encoding": "base64",
        "size": len(data),
        "name": path.rpartition("/")[2],
        "path": path,
    }
    return Answer(body | {"content": base64.encodebytes(data).decode(), "sha": blob_id(data)})


def get_compare(asked: Asked) -> Answer:
    base, _, head = asked.names[0].partition("...")
    repository = asked.repository
    pull = next(item for item in repository.pulls.values() if item.head == head and item.base == base)
    merge_base = _commit(repository, pull.merge_base)
    return Answer({"merge_base_commit": merge_base, "base_commit": merge_base, "commits": []})


def get_commit(asked: Asked) -> Answer:
    name = asked.names[0]
    sha = asked.repository.branches.get(name, name)
    if sha not in asked.repository.commits:
        raise RefusalError(422, f"No commit found for SHA: {name}")
    files = [
        {"filename": path, "patch": patch, "status": "modified"}
        for path, patch in asked.repository.patches(sha).items()
    ]
    return Answer(_commit(asked.repository, sha) | {"files": files})


def get_commits(asked: Asked) -> Answer:
    found = asked.repository.history(asked.query["sha"], asked.query["path"])
    return asked.page([_commit(asked.repository, sha) for sha in found], "/")


def get_commit_pulls(asked: Asked) -> Answer:
    pulls = [item for item in asked.repository.pulls.values() if item.head == asked.names[0]]
    return asked.page([_pull(asked.repository, pull) for pull in pulls], "/")


def get_tarball(asked: Asked) -> Answer:
    if asked.names[0] not in asked.repository.commits:
        raise RefusalError(404, "Not Found")
    return Answer(None, 302, {"Location": f"{asked.url}/archive/{asked.names[0]}"})


def get_permission(asked: Asked) -> Answer:
    permission = asked.repository.permissions.get(asked.names[0], "read")
    return Answer({"permission": permission, "role_name": permission})


def post_check_run(asked: Asked) -> Answer:
    run = next(asked.repository.ids)
    asked.repository.check_runs[run] = [asked.body]
    return Answer({"id": run, "name": asked.body["name"], "head_sha": asked.body["head_sha"]}, 201)


def patch_check_run(asked: Asked) -> Answer:
    run = int(asked.names[0])
    annotations = asked.body.get("output", {}).get("annotations", [])
    if len(annotations) > 50:
        raise RefusalError(422, "No more than 50 annotations a request")
    asked.repository.check_runs[run].append(asked.body)
    return Answer({"id": run})


ROUTES: dict[tuple[str, str], Callable[[Asked], Answer]] = {
    (f"{_R}/pulls/{{pull_number}}", "get"): get_pull,
    (f"{_R}/pulls/{{pull_number}}/files", "get"): get_files,
    (f"{_R}/pulls/{{pull_number}}/reviews", "get"): get_reviews,
    (f"{_R}/pulls/{{pull_number}}/reviews", "post"): post_review,
    (f"{_R}/pulls/{{pull_number}}/reviews/{{review_id}}", "delete"): delete_review,
    (f"{_R}/pulls/{{pull_number}}/reviews/{{review_id}}/comments", "get"): get_review_comments,
    (f"{_R}/pulls/comments/{{comment_id}}", "patch"): patch_review_comment,
    (f"{_R}/issues/{{issue_number}}/comments", "post"): post_issue_comment,
    (f"{_R}/issues/comments/{{comment_id}}", "patch"): patch_issue_comment,
    (f"{_R}/issues/comments/{{comment_id}}/reactions", "post"): post_reaction,
    (f"{_R}/git/blobs/{{file_sha}}", "get"): get_blob,
    (f"{_R}/contents/{{path}}", "get"): get_contents,
    (f"{_R}/compare/{{basehead}}", "get"): get_compare,
    (f"{_R}/commits", "get"): get_commits,
    (f"{_R}/commits/{{ref}}", "get"): get_commit,
    (f"{_R}/commits/{{commit_sha}}/pulls", "get"): get_commit_pulls,
    (f"{_R}/tarball/{{ref}}", "get"): get_tarball,
    (f"{_R}/collaborators/{{username}}/permission", "get"): get_permission,
    (f"{_R}/check-runs", "post"): post_check_run,
    (f"{_R}/check-runs/{{check_run_id}}", "patch"): patch_check_run,
}


def archive(repository: Repository, commit: str) -> bytes:
    """What GitHub packs of a commit."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w:gz") as files:
        for path, data in repository.commits[commit].tree.items():
            member = tarfile.TarInfo(f"octo-recipes-{commit[:7]}/{path}")
            member.size = len(data)
            files.addfile(member, io.BytesIO(data))
    return output.getvalue()


def _edited(asked: Asked) -> tuple[Pull, Comment]:
    pull, comment = asked.repository.comment_by_id(int(asked.names[0]))
    if comment.author != asked.actor:
        raise RefusalError(403, "Resource not accessible by integration")
    comment.body = _short_enough(asked.body["body"])
    return pull, comment


def _short_enough(body: str) -> str:
    if len(body) > MAX_BODY or not body:
        raise RefusalError(422, "Validation Failed", ["body is too long (maximum is 65536 characters)"])
    return body


def _pull(repository: Repository, pull: Pull) -> dict[str, Any]:
    repo = {"full_name": repository.name}
    return {
        "number": pull.number,
        "state": "open" if pull.open else "closed",
        "draft": pull.draft,
        "title": pull.title,
        "head": {
            "sha": pull.head,
            "ref": "topic",
            "repo": {"full_name": "fork/recipes" if pull.fork else repository.name},
        },
        "base": {"sha": repository.branches[pull.base], "ref": pull.base, "repo": repo},
        "changed_files": len(repository.changed(pull)),
        "html_url": f"https://github.com/{repository.name}/pull/{pull.number}",
    }


def _file(repository: Repository, pull: Pull, path: str, crowded: bool) -> dict[str, Any]:
    old = repository.commits[pull.merge_base].tree.get(path)
    new = repository.commits[pull.head].tree.get(path)
    patch = repository.patch(pull, path)
    lines = (patch or "").split("\n")
    added = sum(1 for line in lines if line.startswith("+"))
    removed = sum(1 for line in lines if line.startswith("-"))
    hidden = crowded or path in repository.hidden_patches
    file: dict[str, Any] = {
        "sha": blob_id(new if new is not None else old or b""),
        "filename": path,
        "status": "added" if old is None else "removed" if new is None else "modified",
        "additions": 0 if crowded else added,
        "deletions": 0 if crowded else removed,
        "changes": 0 if crowded else added + removed,
    }
    return file if patch is None or hidden else file | {"patch": patch}


def _review(review: Review) -> dict[str, Any]:
    url = f"https://github.com/octo/recipes/pull/1#pullrequestreview-{review.id}"
    return {
        "id": review.id,
        "body": review.body,
        "state": review.state,
        "commit_id": review.commit,
        "html_url": url,
        "user": {"login": review.author},
    }


def _review_comment(repository: Repository, pull: Pull, thread: Thread, comment: Comment) -> dict[str, Any]:
    position = repository.position(pull, thread)
    return {
        "id": comment.id,
        "node_id": comment.node,
        "body": comment.body,
        "path": thread.path,
        "pull_request_review_id": comment.review,
        "commit_id": pull.head,
        "original_commit_id": thread.commit,
        "user": {"login": comment.author},
        **({"line": position[1]} if position is not None else {}),
    }


def _issue_comment(comment: Comment) -> dict[str, Any]:
    return {
        "id": comment.id,
        "node_id": comment.node,
        "body": comment.body,
        "user": {"login": comment.author},
    }


def _commit(repository: Repository, sha: str) -> dict[str, Any]:
    commit = repository.commits[sha]
    return {
        "sha": sha,
        "commit": {"message": commit.message},
        "parents": [
            {"sha": parent, "url": "https://example.org", "html_url": "https://example.org"}
            for parent in commit.parents
        ],
    }
