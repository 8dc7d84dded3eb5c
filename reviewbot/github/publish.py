"""A review → the pull request: inline comments, the summary comment, what is withdrawn."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from reviewbot.checks.model import Finding
from reviewbot.github.anchors import Group, Placement, Reviewed, groups
from reviewbot.github.client import Client, review_comment
from reviewbot.github.errors import GitHubError, LimitedError, MissingError, RefusedError
from reviewbot.github.markdown import comment_body, review_body, withdrawn_body
from reviewbot.github.marker import FindingMarker, ReviewMarker, SummaryMarker, read_marker, with_marker
from reviewbot.github.model import PullRequest, SummaryComment
from reviewbot.github.posting import MovedError, Posted, Poster
from reviewbot.github.state import Plan, Withdrawal, make_plan, settled
from reviewbot.github.summary import Story, summary_body
from reviewbot.language import later

LOG = logging.getLogger("reviewbot.github")

_WITHDRAWN = {
    "gone": ("RESOLVED", later("This no longer holds.")),
    "moved": ("OUTDATED", later("This has moved: it is said again where it is now, or in the summary.")),
    "duplicate": ("DUPLICATE", later("This is said in another comment.")),
}


@dataclass(frozen=True)
class Options:
    """What a run may post."""

    cap: int = 30
    """Inline comments at most."""
    speak_when_clean: bool = False
    """Whether a summary is posted where nothing was ever found."""
    forced: bool = False
    """Post although reviews are paused."""


@dataclass(frozen=True)
class Outcome:
    """What a run did."""

    posted: tuple[Finding, ...] = ()
    """Findings of new comments."""
    kept: int = 0
    """Findings of comments that stand there from before."""
    dismissed: int = 0
    """Findings that people have settled."""
    in_summary: tuple[Finding, ...] = ()
    url: str = ""
    """The page of the review."""
    untold: tuple[Finding, ...] = ()
    """Findings that stand nowhere on the pull request: they must be told some other way."""
    quiet: str = ""
    """Why nothing was posted although nothing failed."""
    trouble: tuple[str, ...] = ()
    """Sentences: what GitHub did not let the run do."""


def publish(
    client: Client,
    pull: PullRequest,
    story: Story,
    files: Mapping[str, Reviewed],
    refresh: Callable[[], Mapping[str, Reviewed]],
    options: Options,
) -> Outcome:
    """Bring the pull request's comments to what the review says.  What GitHub refuses is in the outcome."""
    try:
        wanted = prepare(client, pull, story, files, options)
        if wanted is None:
            return Outcome(quiet="reviews of this pull request are paused")
        total = len(wanted.plan.create) + len(wanted.plan.unplaced)
        posted = Poster(client, pull, total, refresh).post(wanted.plan.create)
    except MovedError:
        return Outcome(quiet="the pull request has a newer commit, which a newer run reviews")
    except GitHubError as error:
        return Outcome(untold=story.review.findings, trouble=(str(error),))
    return _finished(client, pull, wanted, posted, options)


@dataclass(frozen=True)
class Prepared:
    """What is to be done, before anything is done."""

    plan: Plan
    story: Story
    summaries: tuple[SummaryComment, ...]

    def payload(self, pull: PullRequest, options: Options) -> dict[str, object]:
        """What would be sent, as plain values."""
        body = review_body(len(self.plan.create), len(self.plan.create), ReviewMarker("dry-run"))
        comments = [review_comment(post) for post in self.plan.create]
        review = {"commit_id": pull.head, "body": body, "event": "COMMENT", "comments": comments}
        speaks = self.summaries or self.story.review.findings or options.speak_when_clean
        return {
            "review": review if comments else None,
            "edits": [{"comment": item.thread.id, "body": item.body} for item in self.plan.edit],
            "withdrawals": [{"comment": item.thread.id, "why": item.state} for item in self.plan.withdraw],
            "summary": summary_body(self.story) if speaks else None,
        }


def prepare(
    client: Client, pull: PullRequest, story: Story, files: Mapping[str, Reviewed], options: Options
) -> Prepared | None:
    """Read what stands on the pull request and plan; None where reviews are paused.  Raises GitHubError."""
    threads = client.threads(pull.number)
    summaries = client.summaries(pull.number)
    paused = any(_marker(summary).paused for summary in summaries)
    if paused and not options.forced:
        return None
    done = settled(threads)
    findings = [finding for finding in story.review.findings if finding.fingerprint not in done]
    plan = make_plan(threads, groups(findings, files), _renderer(story, files), options.cap)
    dismissed = len(story.review.findings) - len(findings)
    told = replace(story, dismissed=dismissed, paused=paused, unplaced=_unplaced(plan.unplaced))
    return Prepared(plan, told, summaries)


def _finished(
    client: Client, pull: PullRequest, wanted: Prepared, posted: Posted, options: Options
) -> Outcome:
    """The steps after the review: edits, the summary, withdrawals."""
    plan = wanted.plan
    left = (*plan.unplaced, *(post.group for post in (*posted.unplaced, *posted.rest)))
    steps = _Steps([] if posted.error is None else [str(posted.error)])
    steps.stopped = isinstance(posted.error, (LimitedError, RefusedError))
    unsaid = tuple(_edited(client, plan, steps))
    story = replace(wanted.story, unplaced=_unplaced(left, unsaid))
    summarised = _summarise(client, pull, story, wanted.summaries, options, steps)
    untold = () if summarised else story.unplaced
    steps.run(_withdrawals(client, plan))
    return Outcome(
        posted=tuple(finding for post in posted.posted for finding in post.group.findings),
        kept=sum(len(thread.fingerprints) for thread in plan.keep),
        dismissed=story.dismissed,
        in_summary=tuple(finding for finding in story.unplaced if finding not in untold),
        url=posted.url,
        untold=untold,
        trouble=tuple(dict.fromkeys(steps.trouble)),
    )


@dataclass
class _Steps:
    """Steps of which none is worth losing the others for."""

    trouble: list[str]
    stopped: bool = False
    """A limit or a refusal: more of the same is of no use."""

    def run(self, steps: Iterable[Callable[[], None]], *, missing_ok: bool = True) -> bool:
        """Take the steps; whether all went well.  Raises MissingError where that is not taken as done."""
        well = True
        for step in steps:
            well = not self.stopped and self._take(step, missing_ok) and well
        return well

    def _take(self, step: Callable[[], None], missing_ok: bool) -> bool:
        try:
            step()
        except MissingError as error:
            if not missing_ok:
                raise
            LOG.info("%s", error)
        except GitHubError as error:
            self.trouble.append(str(error))
            self.stopped = isinstance(error, (LimitedError, RefusedError))
            return False
        return True


def _edited(client: Client, plan: Plan, steps: _Steps) -> Iterable[Finding]:
    """Reword comments; the findings that an edit should have added and did not."""
    for item in plan.edit:
        try:
            well = steps.run([_bound(client.edit_comment, item.thread.id, item.body)], missing_ok=False)
        except MissingError:
            yield from item.group.findings
            continue
        if not well:
            yield from item.added


def _withdrawals(client: Client, plan: Plan) -> Iterable[Callable[[], None]]:
    """The words first: they count even where the token may not hide comments."""
    for withdrawal in plan.withdraw:
        words = _WITHDRAWN[withdrawal.state][1]
        yield _bound(client.edit_comment, withdrawal.thread.id, _withdrawn(withdrawal, words))
    for withdrawal in plan.withdraw:
        yield _bound(client.hide, withdrawal.thread.node, _WITHDRAWN[withdrawal.state][0])
    for thread in plan.hide:
        state = thread.marker.state if thread.marker is not None else "gone"
        yield _bound(client.hide, thread.node, _WITHDRAWN.get(state, ("OUTDATED", ""))[0])


def _withdrawn(withdrawal: Withdrawal, words: str) -> str:
    """The marker changes with the text: from now on the comment speaks of nothing, hidden or not."""
    said = withdrawal.thread.body.rstrip().rpartition("\n")[0]
    fingerprints = tuple(sorted(withdrawal.thread.fingerprints))
    return with_marker(withdrawn_body(said, words), FindingMarker(fingerprints, withdrawal.state))


def _summarise(
    client: Client,
    pull: PullRequest,
    story: Story,
    summaries: tuple[SummaryComment, ...],
    options: Options,
    steps: _Steps,
) -> bool:
    """Write the one summary comment; whether it says what it should.

    A newer commit in the meantime: its run writes the summary.
    """
    body = summary_body(story)
    extra = summaries[1:]

    def write() -> None:
        if client.pull(pull.number).head != pull.head:
            return
        if summaries:
            client.edit_issue_comment(summaries[0].id, body)
        elif story.review.findings or options.speak_when_clean:
            client.create_issue_comment(pull.number, body)

    well = steps.run([write])
    for summary in extra:
        if not summary.hidden:
            steps.run([_bound(client.hide, summary.node, "DUPLICATE")])
    return well


def _unplaced(left: Iterable[Group], more: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """Findings for the summary, the worst first."""
    findings = [*(finding for group in left for finding in group.findings), *more]
    return tuple(sorted(findings, key=lambda finding: (-finding.severity, finding.span)))


def _renderer(
    story: Story, files: Mapping[str, Reviewed]
) -> Callable[[Group, Finding, Placement | None], str]:
    def render(group: Group, finding: Finding, placement: Placement | None) -> str:
        reviewed = files.get(finding.span.path)
        return comment_body(
            group, finding, placement, reviewed.source if reviewed is not None else None, story.links
        )

    return render


def _marker(summary: SummaryComment) -> SummaryMarker:
    marker = read_marker(summary.body)
    return marker if isinstance(marker, SummaryMarker) else SummaryMarker()


def _bound(function: Callable[..., None], *arguments: object) -> Callable[[], None]:
    return lambda: function(*arguments)
