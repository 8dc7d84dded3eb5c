"""A check run with the findings as annotations: what teams use that gate merges on checks."""

from __future__ import annotations

from reviewbot.checks.wording import plural
from reviewbot.github.client import Client
from reviewbot.language import say
from reviewbot.report.annotations import check_annotations
from reviewbot.report.model import Review
from reviewbot.report.words import counts_in_words

PER_REQUEST = 50
"""GitHub takes 50 annotations a request; more are added by further ones."""

MAX_TEXT = 60_000


def post_check_run(client: Client, head: str, review: Review, summary: str, failed: bool) -> None:
    """Post a completed check run, also where there is nothing to annotate.  Raises GitHubError."""
    annotations = check_annotations(review.findings)
    title = plural(len(annotations), "finding") if annotations else say("Nothing found")
    if annotations:
        title += f" ({counts_in_words(review.findings)})"
    output = {"title": title, "summary": summary[:MAX_TEXT], "annotations": annotations[:PER_REQUEST]}
    conclusion = "failure" if failed else "neutral" if annotations else "success"
    run = client.create_check_run(
        {"name": "reviewbot", "head_sha": head, "status": "in_progress", "output": output}
    )
    for start in range(PER_REQUEST, len(annotations), PER_REQUEST):
        batch = {**output, "annotations": annotations[start : start + PER_REQUEST]}
        client.edit_check_run(run, {"output": batch})
    client.edit_check_run(run, {"status": "completed", "conclusion": conclusion})
