"""Events of GitHub Actions → what there is to do.

===================== ========================================================== ==================================
event                 actions                                                    job
===================== ========================================================== ==================================
pull_request          opened, synchronize, reopened, ready_for_review, edited    review (edited: only a new base)
pull_request_target   the same                                                   review; nothing of it is checked out
issue_comment         created, on a pull request, by people who may              the command in it
workflow_run          completed                                                  review of the run's head commit
workflow_dispatch     –                                                          review of ``inputs.pr``
anything else         –                                                          nothing, with the reason
===================== ========================================================== ==================================

Closed pull requests are never reviewed, drafts by option.  The payload is data: every field is checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reviewbot.errors import InputError

REVIEWED_ACTIONS = frozenset({"opened", "synchronize", "reopened", "ready_for_review", "edited"})
ASSOCIATIONS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
"""Who may give commands at all; write access is asked of GitHub on top."""
COMMANDS = ("review", "explain", "pause", "resume", "help")

_COMMAND = re.compile(r"/reviewbot(?:[ \t]+([a-z]+))?(?:[ \t]+(\S{1,200}))?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SHA = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Command:
    """A command that somebody wrote."""

    name: str
    argument: str
    comment: int
    """The number of the comment."""
    author: str


@dataclass(frozen=True)
class Review:
    """Review a pull request."""

    number: int | None
    """None: it has to be found by ``head``."""
    head: str | None = None
    """The commit that the event speaks of; None: the newest."""


@dataclass(frozen=True)
class Obey:
    """Carry out a command."""

    number: int
    command: Command


@dataclass(frozen=True)
class Nothing:
    """Nothing to do."""

    why: str


Job = Review | Obey | Nothing


def job_of(event: str, payload: Mapping[str, Any]) -> Job:
    """What an event asks for.  Raises InputError for a payload that is not what GitHub sends."""
    if event in ("pull_request", "pull_request_target"):
        return _pull_request(payload)
    if event == "issue_comment":
        return _issue_comment(payload)
    if event == "workflow_run":
        return _workflow_run(payload)
    if event == "workflow_dispatch":
        return Review(_number(_mapping(payload, "inputs").get("pr"), "inputs.pr"))
    return Nothing(f"the event {event or '(none)'} asks for no review")


def command_in(body: str) -> tuple[str, str] | None:
    """Name and argument of the first command that stands alone on its line, outside of fences and quotes."""
    fence = ""
    for line in body.replace("\r\n", "\n").split("\n"):
        mark = _FENCE.match(line)
        if mark is not None and not fence:
            fence = mark[1]
            continue
        if fence:
            if mark is not None and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
            continue
        found = _COMMAND.fullmatch(line)
        if found is not None:
            return found[1] or "help", found[2] or ""
    return None


def _pull_request(payload: Mapping[str, Any]) -> Job:
    action = payload.get("action")
    if action not in REVIEWED_ACTIONS:
        return Nothing(f"the pull request was {action}, which changes nothing to review")
    if action == "edited" and "base" not in _mapping(payload, "changes"):
        return Nothing("only the words of the pull request were edited")
    pull = _mapping(payload, "pull_request")
    head = _mapping(pull, "head").get("sha")
    if not isinstance(head, str) or not _SHA.fullmatch(head):
        raise InputError("the event names no head commit (pull_request.head.sha)")
    return Review(_number(pull.get("number"), "pull_request.number"), head)


def _issue_comment(payload: Mapping[str, Any]) -> Job:
    issue, comment = _mapping(payload, "issue"), _mapping(payload, "comment")
    if payload.get("action") != "created":
        return Nothing("only new comments are read for commands")
    if not isinstance(issue.get("pull_request"), Mapping):
        return Nothing("the comment is not on a pull request")
    found = command_in(str(comment.get("body") or ""))
    if found is None:
        return Nothing("the comment holds no command")
    if comment.get("author_association") not in ASSOCIATIONS:
        return Nothing("the author of the comment may not give commands here")
    author = _mapping(comment, "user").get("login")
    command = Command(*found, _number(comment.get("id"), "comment.id"), str(author or ""))
    return Obey(_number(issue.get("number"), "issue.number"), command)


def _workflow_run(payload: Mapping[str, Any]) -> Job:
    run = _mapping(payload, "workflow_run")
    if payload.get("action") != "completed":
        return Nothing("the other workflow has not come to its end")
    if run.get("event") not in ("pull_request", "pull_request_target"):
        return Nothing("the other workflow did not run for a pull request")
    head = run.get("head_sha")
    if not isinstance(head, str) or not _SHA.fullmatch(head):
        raise InputError("the event names no head commit (workflow_run.head_sha)")
    return Review(None, head)


def _mapping(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = payload.get(name)
    return value if isinstance(value, Mapping) else {}


def _number(value: object, name: str) -> int:
    if isinstance(value, str) and re.fullmatch(r"\s*#?\d{1,9}\s*", value):
        value = int(value.strip().removeprefix("#"))
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"the event names no number of a pull request or comment ({name})")
    return value
