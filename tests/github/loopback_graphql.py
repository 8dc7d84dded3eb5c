"""GraphQL on the loopback GitHub: the queries in use, executed against the part of the schema that they use."""

from __future__ import annotations

from functools import cache
from typing import Any

from graphql import GraphQLSchema, build_schema, graphql_sync
from loopback_repository import Comment, Pull, Repository, Thread

SCHEMA = """
interface Actor { login: String! }
type Bot implements Actor { login: String! }
type User implements Actor { login: String! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type PullRequestReviewComment {
  id: ID! databaseId: Int body: String! isMinimized: Boolean! viewerDidAuthor: Boolean! author: Actor
}
type PullRequestReviewCommentConnection { nodes: [PullRequestReviewComment] }
type PullRequestReviewThread {
  isResolved: Boolean! isOutdated: Boolean! path: String! line: Int startLine: Int
  comments(first: Int): PullRequestReviewCommentConnection!
}
type PullRequestReviewThreadConnection { nodes: [PullRequestReviewThread] pageInfo: PageInfo! }
type IssueComment {
  id: ID! databaseId: Int body: String! isMinimized: Boolean! viewerDidAuthor: Boolean! author: Actor
}
type IssueCommentConnection { nodes: [IssueComment] pageInfo: PageInfo! }
type PullRequest {
  reviewThreads(first: Int, after: String): PullRequestReviewThreadConnection!
  comments(first: Int, after: String): IssueCommentConnection!
}
type Repository { pullRequest(number: Int!): PullRequest }
type Query { viewer: User! repository(owner: String!, name: String!): Repository }
enum ReportedContentClassifiers { SPAM ABUSE OFF_TOPIC OUTDATED DUPLICATE RESOLVED }
input MinimizeCommentInput { subjectId: ID! classifier: ReportedContentClassifiers! }
interface Minimizable { isMinimized: Boolean! }
type MinimizedComment implements Minimizable { isMinimized: Boolean! }
type MinimizeCommentPayload { minimizedComment: Minimizable }
type Mutation { minimizeComment(input: MinimizeCommentInput!): MinimizeCommentPayload }
"""
"""Names and types as GitHub's own schema has them; a test validates the queries against the whole of that."""


def answer_query(repository: Repository, body: Any, actor: str, may_write: bool) -> dict[str, Any]:
    """Carry out a query or mutation."""
    if "mutation" in body["query"] and not may_write:
        return _errors("FORBIDDEN", "Resource not accessible by integration")
    try:
        done = graphql_sync(
            _schema(), body["query"], _Root(repository, actor), variable_values=body["variables"]
        )
    except KeyError:
        return _errors("NOT_FOUND", "Could not resolve to a node")
    if done.errors:
        kind = "NOT_FOUND" if isinstance(done.errors[0].original_error, KeyError) else "UNKNOWN"
        return _errors(kind, done.errors[0].message)
    return {"data": done.data}


def _errors(kind: str, message: str) -> dict[str, Any]:
    return {"data": None, "errors": [{"type": kind, "message": message}]}


@cache
def _schema() -> GraphQLSchema:
    return build_schema(SCHEMA)


class _Root:
    def __init__(self, repository: Repository, actor: str) -> None:
        self._repository = repository
        self._actor = actor

    def viewer(self, _info: Any) -> dict[str, str]:
        return {"login": self._actor}

    def repository(self, _info: Any, owner: str, name: str) -> Any:
        if f"{owner}/{name}" != self._repository.name:
            raise KeyError(name)
        return {"pullRequest": self._pull}

    def _pull(self, _info: Any, number: int) -> Any:
        pull = self._repository.pulls[number]
        return {
            "reviewThreads": lambda _info, first, after=None: _page(
                [self._thread(pull, thread) for thread in pull.threads], first, after
            ),
            "comments": lambda _info, first, after=None: _page(
                [self._comment(comment) for comment in pull.comments], first, after
            ),
        }

    def _thread(self, pull: Pull, thread: Thread) -> dict[str, Any]:
        position = self._repository.position(pull, thread)
        first, last = position or (None, None)
        return {
            "isResolved": thread.resolved,
            "isOutdated": position is None,
            "path": thread.path,
            "line": last,
            "startLine": first if first != last else None,
            "comments": lambda _info, first: {
                "nodes": [self._comment(item) for item in thread.comments[:first]]
            },
        }

    def _comment(self, comment: Comment) -> dict[str, Any]:
        bot = comment.author.endswith("[bot]")
        return {
            "id": comment.node,
            "databaseId": comment.id,
            "body": comment.body,
            "isMinimized": bool(comment.hidden),
            "viewerDidAuthor": comment.author == self._actor,
            "author": {"__typename": "Bot" if bot else "User", "login": comment.author.removesuffix("[bot]")},
        }

    def minimizeComment(self, _info: Any, input: dict[str, str]) -> Any:  # noqa: N802 - GitHub's names
        _pull, comment = self._repository.comment_by_id(int(input["subjectId"].removeprefix("NODE_")))
        comment.hidden = input["classifier"]
        return {"minimizedComment": {"__typename": "MinimizedComment", "isMinimized": True}}


def _page(nodes: list[Any], first: int, after: str | None) -> dict[str, Any]:
    start = int(after or 0)
    end = start + first
    return {"nodes": nodes[start:end], "pageInfo": {"hasNextPage": end < len(nodes), "endCursor": str(end)}}
