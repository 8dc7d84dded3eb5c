"""A review that is quick to make: every added line with ``bad.KEY=VALUE`` is a finding whose fix deletes the line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from loopback_repository import BOT, Pull, Repository

from reviewbot.checks.model import Edit, Finding, Fix, Severity
from reviewbot.diff import parse_patch
from reviewbot.github.anchors import Reviewed
from reviewbot.github.client import Client
from reviewbot.github.links import Links
from reviewbot.github.marker import FindingMarker, SummaryMarker, read_marker
from reviewbot.github.model import PullRequest
from reviewbot.github.publish import Options, Outcome, publish
from reviewbot.github.summary import Story
from reviewbot.knowledge.model import Evidence
from reviewbot.report.model import Review
from reviewbot.review.review import FileReview
from reviewbot.text import SourceText, Span

_BAD = re.compile(r"\+?(bad\.[a-z0-9]+)=(\S*)")


def toy_finding(
    path: str, line: int, key: str, value: str, occurrence: int = 0, *, fix: bool = True
) -> Finding:
    severity = Severity.HIGH if key.endswith("h") else Severity.LOW if key.endswith("l") else Severity.MEDIUM
    return Finding(
        check="overwritten",
        severity=severity,
        span=Span(path, line, 1, line, 5),
        key=key,
        value=value,
        message=f"`{key}={value}` has no effect: the server writes it again. Delete it.",
        evidence=(Evidence("src/server.py", 12, "Server.launch", "1.0"),),
        fix=Fix(f"Delete line {line}", (Edit(path, line, line, ""),), verified=True) if fix else None,
        in_diff=True,
        occurrence=occurrence,
    )


def toy_review(repository: Repository, pull: Pull) -> tuple[Review, dict[str, Reviewed]]:
    """What is to be said about the pull request's head, and the files that it is about."""
    files: dict[str, Reviewed] = {}
    reviews = []
    for path in repository.changed(pull):
        data = repository.commits[pull.head].tree.get(path)
        if data is None or not path.endswith(".sh"):
            continue
        source = SourceText(path, data.decode())
        change = parse_patch(path, None, "modified", repository.patch(pull, path))
        files[path] = Reviewed(source, None if path in repository.hidden_patches else change)
        reviews.append(
            FileReview(path, "reviewed", findings=_findings(source, change.added_lines), source=source)
        )
    return Review("toy", "1.0", "toy 1.0 (bundled)", "bundled", tuple(reviews)), files


def toy_links(pull: Pull) -> Links:
    return Links(
        "https://github.com", "octo/recipes", pull.merge_base, pull.head, "toy", from_repository=True
    )


def run_bot(
    client: Client, repository: Repository, number: int = 1, options: Options | None = None
) -> Outcome:
    """One run of the bot, from what it would review to what it posts."""
    pull = repository.pulls[number]
    review, files = toy_review(repository, pull)
    seen = PullRequest(number, True, False, pull.head, pull.base, len(files), "")

    def refresh() -> Mapping[str, Reviewed]:
        return toy_review(repository, pull)[1]

    return publish(client, seen, Story(review, toy_links(pull)), files, refresh, options or Options())


def wanted_now(repository: Repository, number: int = 1) -> list[str]:
    review, _files = toy_review(repository, repository.pulls[number])
    return sorted(finding.fingerprint for finding in review.findings)


def said_now(repository: Repository, number: int = 1) -> list[str]:
    """Fingerprints in live comments and in the summary, each as often as it is said."""
    pull = repository.pulls[number]
    said: list[str] = []
    for thread in pull.threads:
        comment = thread.comments[0]
        marker = read_marker(comment.body)
        if comment.author == BOT and isinstance(marker, FindingMarker) and marker.state == "live":
            said.extend(marker.fingerprints)
    for comment in pull.comments:
        marker = read_marker(comment.body)
        if comment.author == BOT and isinstance(marker, SummaryMarker) and not comment.hidden:
            said.extend(marker.fingerprints)
    return sorted(said)


def _findings(source: SourceText, added: frozenset[int]) -> tuple[Finding, ...]:
    seen: dict[tuple[str, str], int] = {}
    found = []
    for number, line in enumerate(source.lines, 1):
        match = _BAD.search(line)
        if match is None or number not in added:
            continue
        occurrence = seen.get((match[1], match[2]), 0)
        seen[match[1], match[2]] = occurrence + 1
        found.append(toy_finding(source.path, number, match[1], match[2], occurrence))
    return tuple(found)
