"""The summary comment of a pull request, and the job summary of a run."""

from __future__ import annotations

from dataclasses import dataclass, field

from reviewbot.checks.model import Finding
from reviewbot.checks.wording import plural
from reviewbot.github.assembly import Part, assemble
from reviewbot.github.links import Links
from reviewbot.github.markdown import MAX_BODY, item
from reviewbot.github.marker import SummaryMarker
from reviewbot.language import say
from reviewbot.report.inert import code, message, prose
from reviewbot.report.markdown_report import not_reviewed, table_head, table_row
from reviewbot.report.model import Review
from reviewbot.report.words import counts_in_words

MAX_JOB_SUMMARY = 900_000
"""The runner takes 1 MiB of UTF-8 a step."""

TITLE = "### reviewbot"


@dataclass(frozen=True)
class Story:
    """What a summary tells."""

    review: Review
    links: Links
    unplaced: tuple[Finding, ...] = ()
    """Findings that no inline comment tells of."""
    dismissed: int = 0
    """Findings whose threads people have resolved or answered."""
    notes: tuple[str, ...] = ()
    """Sentences: what was not reviewed, and why."""
    sections: tuple[Part, ...] = field(default=())
    paused: bool = False


def summary_body(story: Story) -> str:
    """The summary comment, its marker included; below GitHub's limit."""
    marker = SummaryMarker(
        story.links.head, story.paused, tuple(finding.fingerprint for finding in story.unplaced[:500])
    )
    parts = [
        _table(story.review),
        Part(
            say("Not on lines of this diff:\n\n"),
            tuple(item(finding, story.links) for finding in story.unplaced),
        ),
        *story.sections,
        _notes(story),
    ]
    return assemble(_head(story), parts, f"{_foot(story)}\n\n{marker}", MAX_BODY)


def job_summary(story: Story) -> str:
    """The job summary: every finding, whether it is also a comment or not."""
    findings = sorted(story.review.findings, key=lambda finding: (-finding.severity, finding.span))
    items = tuple(item(finding, story.links) for finding in findings)
    parts = [_table(story.review), Part(say("Findings:") + "\n\n", items), *story.sections, _notes(story)]
    text = assemble(_head(story), parts, _foot(story), MAX_JOB_SUMMARY)
    while len(text.encode("utf-8", "replace")) > 1_000_000:
        items = items[: len(items) // 2]
        parts[1] = Part(say("Findings (the first of them):\n\n"), items)
        text = assemble(_head(story), parts, _foot(story), MAX_JOB_SUMMARY)
    return text + "\n"


def paused_body(head: str) -> str:
    """A summary comment that only says that reviews are paused."""
    marker = SummaryMarker(head, paused=True)
    resume = say("Reviews of this pull request are paused. `/reviewbot resume` takes them up again.")
    return f"{TITLE}{say(': paused')}\n\n{resume}\n\n{marker}"


def _head(story: Story) -> str:
    review = story.review
    reviewed = sum(1 for file in review.files if file.status != "skipped")
    if not review.findings:
        return say(
            "{TITLE}: nothing found\n\n{count} reviewed; nothing to say about this change.",
            TITLE=TITLE,
            count=plural(reviewed, "recipe"),
        )
    found = plural(len(review.findings), "finding")
    dismissed = (
        say(" {dismissed} of them in threads that people have settled.", dismissed=story.dismissed)
        if story.dismissed
        else ""
    )
    return say(
        "{TITLE}: {found}\n\n{counts_in_words} in {count}.{dismissed}",
        TITLE=TITLE,
        found=found,
        counts_in_words=counts_in_words(review.findings),
        count=plural(reviewed, "changed recipe"),
        dismissed=dismissed,
    )


def _table(review: Review) -> Part:
    files = [file for file in review.files if file.findings or file.status != "reviewed"]
    return Part(table_head(), tuple(map(table_row, files)), needed=False)


def _notes(story: Story) -> Part:
    files = [not_reviewed(file) for file in story.review.files if file.status != "reviewed" and file.why]
    notes = [f"- {message(note)}" for note in story.notes]
    return Part(
        say("<details><summary>What was not reviewed</summary>\n\n"),
        tuple(files + notes),
        "</details>",
        needed=False,
    )


def _foot(story: Story) -> str:
    against = say(" against {source}", source=prose(story.review.source)) if story.review.source else ""
    return say("<sub>Reviewed {head}{against}.</sub>", head=code(story.links.head[:9]), against=against)
