"""The pace of requests: writes a second apart, waits that GitHub names, and an end to all waiting."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from loopback_github import Fault, LoopbackGitHub

from reviewbot.github.errors import LimitedError, UnansweredError
from reviewbot.github.transport import Pace, Transport

PULL = "/repos/octo/recipes/pulls/1"
COMMENTS = "/repos/octo/recipes/issues/1/comments"


@dataclass
class Clock:
    """A clock that only sleeping moves."""

    now: float = 1_800_000_000.0
    waits: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def opened(github: LoopbackGitHub, *faults: Fault) -> tuple[Transport, Clock]:
    github.repository.open_pull({"run.sh": "a\n"}, {"run.sh": "b\n"})
    github.faults.extend(faults)
    clock = Clock()
    return Transport("bot-token", github.url, Pace(), sleep=clock.sleep, clock=lambda: clock.now), clock


def test_writes_are_a_second_apart_and_reads_are_not(github: LoopbackGitHub) -> None:
    transport, clock = opened(github)
    for number in range(3):
        transport.get(PULL)
        transport.create(COMMENTS, {"body": f"{number}"})
    assert clock.waits == [1.0, 1.0]


def limit(
    status: int = 403, message: str = "You have exceeded a secondary rate limit", **headers: str
) -> Fault:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fault("before", "GET", "/pulls/1$", status, message, named)


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        pytest.param(limit(Retry_After="7"), [7], id="named in seconds"),
        pytest.param(limit(Retry_After="0"), [1], id="no seconds at all"),
        pytest.param(limit(), [60], id="not named"),
        pytest.param(limit(429, "Too Many Requests"), [60], id="429"),
        pytest.param(
            limit(
                message="API rate limit exceeded", x_ratelimit_remaining="0", x_ratelimit_reset="1800000030"
            ),
            [31],
            id="until the primary limit ends",
        ),
        pytest.param(Fault("before", "GET", "/pulls/1$", 502, times=2), [1, 2], id="no answer"),
    ],
)
def test_waits(github: LoopbackGitHub, fault: Fault, waits: list[float]) -> None:
    transport, clock = opened(github, fault)
    assert transport.get(PULL)["number"] == 1
    assert clock.waits == waits


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(limit(Retry_After="121"), id="one that is too long"),
        pytest.param(
            limit(
                message="API rate limit exceeded", x_ratelimit_remaining="0", x_ratelimit_reset="1800003000"
            ),
            id="most of an hour",
        ),
    ],
)
def test_a_wait_that_is_too_long_is_not_begun(github: LoopbackGitHub, fault: Fault) -> None:
    transport, clock = opened(github, fault)
    with pytest.raises(LimitedError, match="longer than this run waits"):
        transport.get(PULL)
    assert clock.waits == []


def test_all_waits_together_are_bounded(github: LoopbackGitHub) -> None:
    transport, clock = opened(github)
    with pytest.raises(LimitedError):  # noqa: PT012 (any of the requests may be the one)
        for _ in range(9):
            github.faults.append(limit(Retry_After="100"))
            transport.get(PULL)
    assert clock.waits == [100, 100, 100]


def test_a_post_without_an_answer_is_not_repeated_but_one_that_was_limited_is(github: LoopbackGitHub) -> None:
    transport, clock = opened(github, Fault("after", path="/comments$"))
    with pytest.raises(UnansweredError):
        transport.create(COMMENTS, {"body": "once"})
    assert len(github.requests("POST", "/comments$")) == 1
    github.faults.append(
        Fault(
            "before",
            "POST",
            "/comments$",
            403,
            "You have exceeded a secondary rate limit",
            {"Retry-After": "3"},
        )
    )
    transport.create(COMMENTS, {"body": "twice"})
    assert [comment.body for comment in github.pull().comments] == ["once", "twice"]
    assert clock.waits == [1, 3]
