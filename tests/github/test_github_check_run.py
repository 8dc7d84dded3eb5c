"""Check runs: fifty annotations a request, and one also where there is nothing to say."""

from __future__ import annotations

import pytest
from loopback_github import LoopbackGitHub
from toy_review import toy_finding

from reviewbot.github.check_run import post_check_run
from reviewbot.github.client import Client
from reviewbot.report.model import Review
from reviewbot.review.review import FileReview


@pytest.mark.parametrize(
    ("count", "batches", "conclusion"),
    [(0, [0], "success"), (50, [50], "neutral"), (51, [50, 1], "neutral"), (120, [50, 50, 20], "neutral")],
)
def test_annotations_come_in_batches(
    github: LoopbackGitHub, client: Client, count: int, batches: list[int], conclusion: str
) -> None:
    github.repository.open_pull({"run.sh": "a\n"}, {"run.sh": "b\n"})
    findings = tuple(toy_finding("run.sh", number + 1, f"bad.k{number}", "1") for number in range(count))
    review = Review("toy", "1", "toy 1", "bundled", (FileReview("run.sh", "reviewed", findings=findings),))
    post_check_run(client, github.pull().head, review, "summary", failed=False)
    ((*posted, end),) = github.repository.check_runs.values()
    assert [len(body["output"]["annotations"]) for body in posted] == batches  # type: ignore[index]
    assert end == {"status": "completed", "conclusion": conclusion}
    lines = [item["start_line"] for body in posted for item in body["output"]["annotations"]]  # type: ignore[index]
    assert lines == list(range(1, count + 1))
