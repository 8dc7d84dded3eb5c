"""What GitHub may answer instead of what was asked for."""

from __future__ import annotations

from reviewbot.errors import ExitCode, ReviewbotError


class GitHubError(ReviewbotError):
    """A failure of GitHub or of the way there.  ``str(error)`` is one sentence without any secret."""

    exit_code = ExitCode.INTERNAL


class RefusedError(GitHubError):
    """401 or 403: the token may not do this."""


class MissingError(GitHubError):
    """404 or 410: not there, or not for this token."""


class InvalidError(GitHubError):
    """422: GitHub does not take the content; nothing was changed."""

    def __init__(self, sentence: str, reasons: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.reasons = reasons
        """GitHub's own words."""


class LimitedError(GitHubError):
    """A rate limit that would take longer to lift than a run waits."""


class UnansweredError(GitHubError):
    """5xx or no answer: whether a write was carried out is not known."""
