"""The faults that random runs meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from loopback_github import Fault, LoopbackGitHub
from loopback_repository import BOT, Review

_LIMIT = "You have exceeded a secondary rate limit"

FAULTS: Mapping[str, Fault] = {
    "422 on one anchor": Fault("act"),
    "502 after committing": Fault("after"),
    "502 before committing": Fault("before"),
    "502 three times": Fault("before", times=3),
    "connection closed after committing": Fault("drop"),
    "502 after committing the summary": Fault("after", path="/issues/1/comments$"),
    "500 on an edit": Fault("before", "PATCH", "/comments/", 500),
    "503 on a read": Fault("before", "GET", "/pulls/1$", 503),
    "403 secondary limit with Retry-After": Fault(
        "before", status=403, message=_LIMIT, headers={"Retry-After": "3"}
    ),
    "403 secondary limit without Retry-After": Fault("before", status=403, message=_LIMIT),
    "429 without Retry-After": Fault("before", status=429, message="Too Many Requests"),
    "403 limit that lasts": Fault("before", status=403, message=_LIMIT, headers={"Retry-After": "9999"}),
    "the head moves": Fault("act", "GET", "/pulls/1$"),
    "403 on a fork": Fault("before", status=403, message="Resource not accessible by integration"),
    "403 on hiding": Fault(
        "before", path="/graphql$", status=403, message="Resource not accessible by integration"
    ),
    "a stale pending review": Fault("act"),
    "a comment gets lost": Fault("lose"),
}


def set_fault(name: str, github: LoopbackGitHub, head: Mapping[str, str]) -> Fault:
    """Let the fault happen in the next run."""
    fault = replace(FAULTS[name], headers=dict(FAULTS[name].headers))
    pull = github.pull()
    if name == "422 on one anchor":

        def refuse_one() -> None:
            lines = github.repository.commits[pull.head].tree["a.sh"].decode().split("\n")
            bad = [number for number, line in enumerate(lines, 1) if line.startswith("bad.")]
            github.bad_lines.update(("a.sh", number) for number in bad[:1])

        fault.action = refuse_one
    elif name == "the head moves":
        fault.action = lambda: _push(github, head)
    elif name == "a stale pending review":
        fault.action = lambda: pull.reviews.append(Review(5, BOT, "", "PENDING", pull.head))
    github.faults.append(fault)
    return fault


def _push(github: LoopbackGitHub, head: Mapping[str, str]) -> None:
    github.repository.push(github.pull(), head)
