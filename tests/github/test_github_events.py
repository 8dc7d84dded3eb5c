"""The table of events."""

from __future__ import annotations

from typing import Any

import pytest

from reviewbot.errors import InputError
from reviewbot.github.events import Command, Job, Nothing, Obey, Review, command_in, job_of

SHA = "a" * 40
PULL = {"number": 7, "head": {"sha": SHA}}
COMMENT = {"id": 5, "body": "/reviewbot explain a.b", "author_association": "OWNER", "user": {"login": "al"}}
ISSUE = {"number": 7, "pull_request": {}}
RUN = {"event": "pull_request", "head_sha": SHA, "pull_requests": []}

JOBS: list[tuple[str, dict[str, Any], Job | type[Nothing]]] = [
    *(
        (event, {"action": action, "pull_request": PULL}, Review(7, SHA))
        for event in ("pull_request", "pull_request_target")
        for action in ("opened", "synchronize", "reopened", "ready_for_review")
    ),
    ("pull_request", {"action": "edited", "pull_request": PULL, "changes": {"base": {}}}, Review(7, SHA)),
    ("pull_request", {"action": "edited", "pull_request": PULL, "changes": {"title": {}}}, Nothing),
    ("pull_request", {"action": "closed", "pull_request": PULL}, Nothing),
    ("pull_request", {"action": "labeled", "pull_request": PULL}, Nothing),
    (
        "issue_comment",
        {"action": "created", "issue": ISSUE, "comment": COMMENT},
        Obey(7, Command("explain", "a.b", 5, "al")),
    ),
    ("issue_comment", {"action": "edited", "issue": ISSUE, "comment": COMMENT}, Nothing),
    ("issue_comment", {"action": "created", "issue": {"number": 7}, "comment": COMMENT}, Nothing),
    (
        "issue_comment",
        {"action": "created", "issue": ISSUE, "comment": {**COMMENT, "author_association": "NONE"}},
        Nothing,
    ),
    ("issue_comment", {"action": "created", "issue": ISSUE, "comment": {**COMMENT, "body": "hi"}}, Nothing),
    ("workflow_run", {"action": "completed", "workflow_run": RUN}, Review(None, SHA)),
    ("workflow_run", {"action": "requested", "workflow_run": RUN}, Nothing),
    ("workflow_run", {"action": "completed", "workflow_run": {**RUN, "event": "push"}}, Nothing),
    ("workflow_dispatch", {"inputs": {"pr": "7"}}, Review(7)),
    ("push", {"ref": "main"}, Nothing),
    ("schedule", {}, Nothing),
    ("", {}, Nothing),
]


@pytest.mark.parametrize(("event", "payload", "job"), JOBS)
def test_jobs(event: str, payload: dict[str, Any], job: Job | type[Nothing]) -> None:
    found = job_of(event, payload)
    assert isinstance(found, Nothing) and found.why if job is Nothing else found == job


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("pull_request", {"action": "opened"}),
        ("pull_request", {"action": "opened", "pull_request": {"number": 7, "head": {"sha": "main"}}}),
        ("workflow_dispatch", {"inputs": {"pr": "7; rm"}}),
        ("workflow_dispatch", {"inputs": {"pr": "0"}}),
        ("workflow_dispatch", {}),
        ("workflow_run", {"action": "completed", "workflow_run": {"event": "pull_request"}}),
    ],
)
def test_payloads_that_github_never_sends(event: str, payload: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        job_of(event, payload)


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ("/reviewbot review", ("review", "")),
        ("hello\r\n/reviewbot pause  \r\nbye", ("pause", "")),
        ("/reviewbot explain a.b=c", ("explain", "a.b=c")),
        ("/reviewbot", ("help", "")),
        ("please /reviewbot review", None),
        ("/reviewbot review now please", None),
        ("> /reviewbot review", None),
        ("    /reviewbot review", None),
        ("```\n/reviewbot review\n```", None),
        ("~~~~\n```\n/reviewbot review\n~~~~\n/reviewbot help", ("help", "")),
        ("/reviewbotreview", None),
    ],
)
def test_commands_stand_alone_on_a_line(body: str, command: tuple[str, str] | None) -> None:
    assert command_in(body) == command
