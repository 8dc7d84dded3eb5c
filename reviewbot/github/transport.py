"""Requests to GitHub: paced, repeated only where that is safe, with bounded waits.

A GET, an edit or a deletion may be repeated at will.  A POST is repeated only after a rate limit, which GitHub
reports before it does anything; after a 5xx or no answer nobody knows, so the caller has to look first.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from reviewbot.github.errors import (
    GitHubError,
    InvalidError,
    LimitedError,
    MissingError,
    RefusedError,
    UnansweredError,
)

if TYPE_CHECKING:
    from github import Github
    from github.GithubException import GithubException

LOG = logging.getLogger("reviewbot.github")

MAX_DOWNLOAD = 300 * 1024 * 1024

_LIMIT_WORDS = ("rate limit", "please retry your request again later", "please wait a few minutes", "abuse")


@dataclass(frozen=True)
class Pace:
    """How long to wait for what, in seconds."""

    between_writes: float = 1.0
    attempts: int = 4
    first_backoff: float = 1.0
    secondary_limit: float = 60.0
    """The wait after a secondary limit that names none; doubled each time."""
    longest_wait: float = 120.0
    all_waits: float = 300.0
    timeout: int = 20


@dataclass
class Transport:
    """The way to one GitHub."""

    token: str
    api_url: str
    pace: Pace = field(default_factory=Pace)
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        self._github: Github | None = None
        self._last_write = 0.0
        self._waited = 0.0

    def get(self, path: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """The JSON of a GET."""
        return self._repeated("GET", path, parameters, None)[1]

    def pages(
        self, path: str, parameters: Mapping[str, Any] | None = None, per_page: int = 100
    ) -> Iterator[Any]:
        """The items of all pages of a list."""
        page = 1
        while True:
            asked = {**(parameters or {}), "per_page": per_page, "page": page}
            headers, items = self._repeated("GET", path, asked, None)
            yield from items
            if 'rel="next"' not in str(headers.get("link", "")):
                return
            page += 1

    def location(self, path: str) -> str:
        """Where a GET is redirected to."""
        headers, _none = self._repeated("GET", path, None, None)
        return str(headers.get("location", ""))

    def download(self, url: str) -> bytes:
        """The bytes behind an address that GitHub named; the token is not sent there."""
        import requests

        if not url.startswith(("https://", "http://")):
            raise GitHubError("GitHub named no address for the archive of the base commit")
        try:
            with requests.get(url, stream=True, timeout=self.pace.timeout) as answer:
                answer.raise_for_status()
                data = bytearray()
                for piece in answer.iter_content(1 << 20):
                    data += piece
                    if len(data) > MAX_DOWNLOAD:
                        raise GitHubError("the archive of the base commit is too large; check it out instead")
                return bytes(data)
        except requests.exceptions.RequestException as error:
            raise UnansweredError(
                f"the archive of the base commit could not be read ({type(error).__name__})"
            ) from None

    def change(self, verb: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """A PATCH, PUT or DELETE: the same once or twice."""
        self._pause_before_write()
        return self._repeated(verb, path, None, body)[1]

    def create(self, path: str, body: Mapping[str, Any]) -> Any:
        """A POST.  Raises UnansweredError where it may or may not have been carried out."""
        self._pause_before_write()
        return self._repeated("POST", path, None, body, once=True)[1]

    def query(self, text: str, variables: Mapping[str, Any]) -> Mapping[str, Any]:
        """The data of a GraphQL query."""
        return self._graphql(text, variables)

    def mutate(self, text: str, variables: Mapping[str, Any]) -> Mapping[str, Any]:
        """A GraphQL mutation that is the same once or twice."""
        self._pause_before_write()
        return self._graphql(text, variables)

    def _graphql(self, text: str, variables: Mapping[str, Any]) -> Mapping[str, Any]:
        body = {"query": text, "variables": dict(variables)}
        answer = self._repeated("POST", self._requester().graphql_url, None, body)[1]
        errors = answer.get("errors") or []
        kinds = {str(error.get("type", "")) for error in errors}
        said = "; ".join(str(error.get("message", "")) for error in errors)[:300]
        if kinds & {"FORBIDDEN", "INSUFFICIENT_SCOPES"} or "not accessible by integration" in said.lower():
            raise RefusedError(f"GitHub does not allow this token to do it ({said})")
        if "NOT_FOUND" in kinds:
            raise MissingError(f"GitHub knows no such thing ({said})")
        if errors:
            raise GitHubError(f"GitHub's GraphQL interface refused the query ({said})")
        data: Mapping[str, Any] = answer.get("data") or {}
        return data

    def _repeated(
        self,
        verb: str,
        path: str,
        parameters: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        *,
        once: bool = False,
    ) -> tuple[Mapping[str, Any], Any]:
        """Headers and JSON; limits are waited for, unanswered requests repeated unless ``once``."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._once(verb, path, parameters, body)
            except _LimitError as limit:
                wait = (
                    limit.wait if limit.wait is not None else self.pace.secondary_limit * 2 ** (attempt - 1)
                )
                self._wait(wait, attempt, limit.sentence)
            except UnansweredError as error:
                if once or attempt >= self.pace.attempts:
                    raise
                self._wait(self.pace.first_backoff * 2 ** (attempt - 1), attempt, str(error))

    def _wait(self, seconds: float, attempt: int, why: str) -> None:
        over = self._waited + seconds > self.pace.all_waits
        if seconds > self.pace.longest_wait or over or attempt >= self.pace.attempts:
            raise LimitedError(f"{why}; that would take longer than this run waits")
        LOG.info("%s; waiting %.0f s", why, seconds)
        self._waited += seconds
        self.sleep(seconds)

    def _pause_before_write(self) -> None:
        missing = self._last_write + self.pace.between_writes - self.clock()
        if missing > 0:
            self.sleep(min(missing, self.pace.between_writes))

    def _once(
        self, verb: str, path: str, parameters: Mapping[str, Any] | None, body: Mapping[str, Any] | None
    ) -> tuple[Mapping[str, Any], Any]:
        from github.GithubException import GithubException
        from requests.exceptions import RequestException

        LOG.debug("%s %s", verb, path)
        try:
            headers, data = self._requester().requestJsonAndCheck(
                verb,
                path,
                parameters=dict(parameters) if parameters is not None else None,
                input=dict(body) if body is not None else None,
            )
        except GithubException as error:
            self._fail(f"{verb} {path}", error)
        except RequestException as error:
            raise UnansweredError(f"{verb} {path}: GitHub did not answer ({type(error).__name__})") from None
        finally:
            if verb != "GET":
                self._last_write = self.clock()
        return headers, data

    def _fail(self, what: str, error: GithubException) -> NoReturn:
        status = error.status
        data = error.data if isinstance(error.data, dict) else {}
        said = str(data.get("message", ""))[:300]
        headers = {str(name).lower(): str(value) for name, value in (error.headers or {}).items()}
        sentence = f"{what}: GitHub answered {status}" + (f" ({said})" if said else "")
        if status == 429 or (status == 403 and _is_limit(said, headers)):
            raise _LimitError(sentence, self._named_wait(headers)) from None
        if status >= 500:
            raise UnansweredError(sentence) from None
        if status in (401, 403):
            raise RefusedError(sentence) from None
        if status in (404, 410):
            raise MissingError(sentence) from None
        if status == 422:
            raise InvalidError(sentence, _reasons(data)) from None
        raise GitHubError(sentence) from None

    def _named_wait(self, headers: Mapping[str, str]) -> float | None:
        """The seconds that an answer asks to wait; None where it names none."""
        after = headers.get("retry-after", "")
        if after.isdigit():
            return float(max(1, int(after)))
        reset = headers.get("x-ratelimit-reset", "")
        if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
            return max(1.0, int(reset) - self.clock() + 1)
        return None

    def _requester(self) -> Any:
        if self._github is None:
            from github import Auth, Github

            self._github = Github(
                auth=Auth.Token(self.token) if self.token else None,
                base_url=self.api_url.rstrip("/"),
                timeout=self.pace.timeout,
                retry=None,
                seconds_between_requests=0,
                seconds_between_writes=0,
                lazy=True,
            )
        return self._github.requester


class _LimitError(Exception):
    """A rate limit: nothing was done."""

    def __init__(self, sentence: str, wait: float | None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.wait = wait


def _is_limit(said: str, headers: Mapping[str, str]) -> bool:
    lowered = said.lower()
    return "retry-after" in headers or any(words in lowered for words in _LIMIT_WORDS)


def _reasons(data: Mapping[str, Any]) -> tuple[str, ...]:
    """GitHub's reasons, whether texts (reviews) or mappings (most others)."""
    errors = data.get("errors")
    if not isinstance(errors, list):
        return (str(errors),) if errors else ()
    return tuple(
        str(error.get("message") or error.get("code") or error) if isinstance(error, dict) else str(error)
        for error in errors
    )
