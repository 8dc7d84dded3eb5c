"""One review with its inline comments, posted once and rightly, whatever GitHub answers."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from reviewbot.github.anchors import Reviewed, place
from reviewbot.github.client import Client
from reviewbot.github.errors import GitHubError, InvalidError, UnansweredError
from reviewbot.github.markdown import review_body
from reviewbot.github.marker import FindingMarker, ReviewMarker, read_marker
from reviewbot.github.model import CreatedReview, PullRequest
from reviewbot.github.state import Post

LOG = logging.getLogger("reviewbot.github")

MAX_TRIES = 3
"""Tries of one request that GitHub leaves unanswered."""


class MovedError(Exception):
    """The pull request has a newer commit: a newer run reviews it."""


@dataclass
class Posted:
    """What became of the comments."""

    url: str = ""
    """The page of the review; of the first one where GitHub made it necessary to split it."""
    posted: list[Post] = field(default_factory=list)
    unplaced: list[Post] = field(default_factory=list)
    """Comments that GitHub does not take where they belong."""
    error: GitHubError | None = None
    """Why the rest was not tried."""
    rest: list[Post] = field(default_factory=list)


@dataclass
class Poster:
    """Posts the comments of one run."""

    client: Client
    pull: PullRequest
    total: int
    """How many things there are to say, inline and in the summary."""
    refresh: Callable[[], Mapping[str, Reviewed]]
    """Reads the pull request's diff again."""

    def __post_init__(self) -> None:
        self._refreshed: Mapping[str, Reviewed] | None = None
        self._dropped_pending = False

    def post(self, posts: Sequence[Post]) -> Posted:
        """Post them as one review.

        Where GitHub refuses it, comments on lines that the diff does not show are taken out, and the rest is
        halved until the culprits are alone.  Raises MovedError.
        """
        result = Posted()
        waiting = [list(posts)] if posts else []
        while waiting:
            batch = waiting.pop(0)
            try:
                review = self._create(batch)
            except InvalidError as error:
                waiting[:0] = self._narrowed(batch, error, result)
            except GitHubError as error:
                result.error = error
                result.rest = [post for left in (batch, *waiting) for post in left]
                return result
            else:
                result.url = result.url or review.url
                self._verify(review, batch, result)
        return result

    def _create(self, batch: list[Post]) -> CreatedReview:
        attempt = secrets.token_hex(8)
        body = review_body(len(batch), self.total, ReviewMarker(attempt))
        for tried in range(1, MAX_TRIES + 1):
            self._check_head()
            review = self._tried(batch, body, attempt, last=tried == MAX_TRIES)
            if review is not None:
                return review
        raise UnansweredError("GitHub did not say whether it took the review")

    def _tried(self, batch: list[Post], body: str, attempt: str, *, last: bool) -> CreatedReview | None:
        """One try; None where it certainly was not carried out and another is left."""
        number = self.pull.number
        try:
            return self.client.create_review(number, self.pull.head, body, batch)
        except UnansweredError as error:
            LOG.info("%s; looking whether the review is there", error)
            self.client.transport.sleep(self.client.transport.pace.first_backoff)
            review = self.client.review_of_attempt(number, attempt)
            if review is None and last:
                raise
            return review

    def _narrowed(self, batch: list[Post], error: InvalidError, result: Posted) -> list[list[Post]]:
        """What is left to be posted after a refusal; what has no place goes to ``result.unplaced``."""
        LOG.info("%s: %s", error, "; ".join(error.reasons))
        if "pending review" in " ".join((str(error), *error.reasons)).lower() and not self._dropped_pending:
            self._dropped_pending = True
            if self.client.drop_pending_review(self.pull.number):
                return [batch]
        self._check_head()
        if self._refreshed is None:
            self._refreshed = self.refresh()
            valid = [post for post in batch if self._is_valid(post)]
            if len(valid) < len(batch):
                result.unplaced.extend(post for post in batch if post not in valid)
                return [valid] if valid else []
        if len(batch) == 1:
            result.unplaced.extend(batch)
            return []
        middle = len(batch) // 2
        return [batch[:middle], batch[middle:]]

    def _is_valid(self, post: Post) -> bool:
        reviewed = (self._refreshed or {}).get(post.placement.path)
        now = place(post.finding, reviewed)
        return now is not None and now.range == post.placement.range

    def _verify(self, review: CreatedReview, batch: list[Post], result: Posted) -> None:
        """Read the review back: a comment that GitHub took and lost is one without a place."""
        try:
            bodies = self.client.review_comments(self.pull.number, review.id)
        except GitHubError as error:
            LOG.info("%s; the review was posted but could not be read back", error)
            result.posted.extend(batch)
            return
        markers = [read_marker(body) for body in bodies]
        there = {marker.fingerprints for marker in markers if isinstance(marker, FindingMarker)}
        for post in batch:
            (result.posted if post.group.fingerprints in there else result.unplaced).append(post)

    def _check_head(self) -> None:
        if self.client.pull(self.pull.number).head != self.pull.head:
            raise MovedError
