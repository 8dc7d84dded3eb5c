"""Publishing to the loopback GitHub: each comment once and rightly, whatever goes wrong."""

from __future__ import annotations

import pytest
from loopback_client import client_of
from loopback_github import Fault, LoopbackGitHub
from loopback_repository import BOT, Comment, Review, Thread
from toy_review import run_bot, said_now, wanted_now

from reviewbot.github.client import Client
from reviewbot.github.marker import FindingMarker, SummaryMarker, read_marker
from reviewbot.github.publish import Options, Outcome

BASE = "".join(f"line {number}\n" for number in range(1, 41))


def edited(*inserts: tuple[int, str]) -> str:
    """The base with lines put in after the given ones."""
    lines = BASE.splitlines(keepends=True)
    for after, text in sorted(inserts, reverse=True):
        lines.insert(after, text + "\n")
    return "".join(lines)


HEAD = edited((5, "bad.ah=1"), (20, "bad.b=2"), (35, "bad.c=3"))


def open_pull(github: LoopbackGitHub, head: str = HEAD) -> None:
    github.repository.open_pull({"run.sh": BASE}, {"run.sh": head})


def exactly_once(github: LoopbackGitHub) -> None:
    assert said_now(github.repository) == wanted_now(github.repository)


def test_one_review_and_one_summary(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    outcome = run_bot(client, github.repository)
    assert len(outcome.posted) == 3
    assert outcome.url.startswith("https://github.com/octo/recipes/pull/1#")
    assert len(github.requests("POST", "/reviews$")) == 1
    assert [thread.line for thread in github.pull().threads] == [6, 22, 38]
    assert len(github.pull().comments) == 1
    assert "3 findings" in github.pull().comments[0].body
    exactly_once(github)


def test_a_second_run_posts_nothing(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    run_bot(client, github.repository)
    before = len(github.log)
    outcome = run_bot(client, github.repository)
    assert outcome.posted == ()
    assert outcome.kept == 3
    writes = [item for item in github.log[before:] if item.verb != "GET" and item.path != "/graphql"]
    assert [item.verb for item in writes] == ["PATCH"], "only the summary is written again"
    exactly_once(github)


def test_a_push_that_mends_moves_and_adds(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    run_bot(client, github.repository)
    old = {thread.line: thread.comments[0] for thread in github.pull().threads}
    github.repository.push(
        github.pull(), {"run.sh": edited((1, "new"), (20, "bad.b=2"), (30, "bad.c=3"), (38, "bad.d=4"))}
    )
    run_bot(client, github.repository)
    exactly_once(github)
    assert old[6].hidden == "RESOLVED"
    assert old[6].body.startswith("This no longer holds.")
    assert "```suggestion" not in old[6].body
    assert old[22].hidden == ""
    assert old[38].hidden == "OUTDATED"
    assert [thread.line for thread in github.pull().threads] == [6, 22, 38, 33, 42]


def test_a_rebase_makes_no_duplicates(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    run_bot(client, github.repository)
    base = "moved on\n" + BASE
    github.repository.rebase(github.pull(), {"run.sh": base}, {"run.sh": "moved on\n" + HEAD})
    outcome = run_bot(client, github.repository)
    assert outcome.posted == ()
    exactly_once(github)


@pytest.mark.parametrize("how", ["resolved", "answered", "hidden"])
def test_what_people_settled_stays_settled(github: LoopbackGitHub, client: Client, how: str) -> None:
    open_pull(github)
    run_bot(client, github.repository)
    thread = github.pull().threads[0]
    if how == "resolved":
        thread.resolved = True
    elif how == "answered":
        thread.comments.append(Comment(1, "alice", "on purpose"))
    else:
        thread.comments[0].hidden = "OFF_TOPIC"
    body = thread.comments[0].body
    for head in (HEAD, edited((20, "bad.b=2"), (22, "bad.ah=1")), edited((20, "bad.b=2"))):
        github.repository.push(github.pull(), {"run.sh": head})
        outcome = run_bot(client, github.repository)
        assert thread.comments[0].body == body
        assert thread.comments[0].hidden in ("", "OFF_TOPIC")
        assert all(finding.key != "bad.ah" for finding in outcome.posted)
    assert "settled" not in github.pull().comments[0].body


def test_a_finding_that_comes_back_is_said_again(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    run_bot(client, github.repository)
    github.repository.push(github.pull(), {"run.sh": BASE + "good\n"})
    run_bot(client, github.repository)
    assert said_now(github.repository) == []
    assert "nothing found" in github.pull().comments[0].body
    github.repository.push(github.pull(), {"run.sh": HEAD})
    assert len(run_bot(client, github.repository).posted) == 3
    exactly_once(github)


def test_a_clean_pull_request_gets_no_comment(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github, BASE + "good\n")
    run_bot(client, github.repository)
    assert github.pull().comments == []
    run_bot(client, github.repository, options=Options(speak_when_clean=True))
    assert "nothing found" in github.pull().comments[0].body


def test_forged_markers_and_other_peoples_comments_are_left_alone(
    github: LoopbackGitHub, client: Client
) -> None:
    open_pull(github)
    forged = [f"ha\n\n{FindingMarker((fingerprint,))}" for fingerprint in wanted_now(github.repository)]
    pull = github.pull()
    pull.threads.append(Thread("run.sh", 6, 6, pull.head, [Comment(1, "mallory", forged[0])]))
    pull.comments.append(Comment(2, "mallory", f"no\n\n{SummaryMarker(paused=True)}"))
    pull.comments.append(Comment(3, "alice", "looks good"))
    before = [comment.body for comment in (*pull.comments, pull.threads[0].comments[0])]
    run_bot(client, github.repository)
    run_bot(client, github.repository)
    assert [comment.body for comment in (*pull.comments[:2], pull.threads[0].comments[0])] == [
        before[0],
        before[1],
        before[2],
    ]
    assert not pull.threads[0].comments[0].hidden
    exactly_once(github)


def test_a_marker_quoted_in_the_middle_of_the_bots_own_comment_does_not_count(
    github: LoopbackGitHub, client: Client
) -> None:
    open_pull(github)
    quoted = "\n".join(str(FindingMarker((fingerprint,))) for fingerprint in wanted_now(github.repository))
    pull = github.pull()
    pull.comments.append(Comment(2, BOT, f"{quoted}\nend"))
    pull.threads.append(Thread("run.sh", 6, 6, pull.head, [Comment(1, BOT, f"{quoted}\nend")]))
    assert len(run_bot(client, github.repository).posted) == 3


def test_the_same_finding_at_many_places_is_one_comment(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github, edited((5, "bad.a=1"), (20, "bad.a=1"), (35, "bad.a=1")))
    run_bot(client, github.repository)
    assert len(github.pull().threads) == 1
    body = github.pull().threads[0].comments[0].body
    assert body.count("/blob/") >= 3
    assert "run.sh:22" in body
    assert "run.sh:38" in body
    exactly_once(github)


def test_the_cap_keeps_the_worst_inline(github: LoopbackGitHub, client: Client) -> None:
    head = edited(*((number * 4, f"bad.x{number}{'h' if number == 9 else ''}=1") for number in range(1, 10)))
    open_pull(github, head)
    outcome = run_bot(client, github.repository, options=Options(cap=3))
    assert len(outcome.posted) == 3
    assert outcome.posted[0].key == "bad.x9h"
    assert len(outcome.in_summary) == 6
    exactly_once(github)


def test_what_github_shows_no_diff_of_goes_to_the_summary(github: LoopbackGitHub, client: Client) -> None:
    github.repository.hidden_patches.add("run.sh")
    open_pull(github)
    outcome = run_bot(client, github.repository)
    assert outcome.posted == ()
    assert len(outcome.in_summary) == 3
    assert f"/blob/{github.pull().head}/run.sh#L6" in github.pull().comments[0].body
    exactly_once(github)


def test_paused_reviews(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    github.pull().comments.append(Comment(1, BOT, f"paused\n\n{SummaryMarker(paused=True)}"))
    assert run_bot(client, github.repository).quiet == "reviews of this pull request are paused"
    assert github.pull().threads == []
    run_bot(client, github.repository, options=Options(forced=True))
    exactly_once(github)
    assert run_bot(client, github.repository).quiet, "a forced review does not end the pause"


def test_more_threads_than_a_page(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    pull = github.pull()
    for number in range(130):
        pull.threads.append(Thread("run.sh", 6, 6, pull.head, [Comment(number + 1, "alice", "hm")]))
        pull.comments.append(Comment(number + 200, "alice", "hm"))
    run_bot(client, github.repository)
    assert run_bot(client, github.repository).posted == ()
    exactly_once(github)


REPEATED = {
    "an answer lost after the review was posted": Fault("after"),
    "a connection closed after the review was posted": Fault("drop"),
    "a 502 before anything was done": Fault("before"),
    "two of them": Fault("before", times=2),
    "a 503 on reading": Fault("before", "GET", "/pulls/1$", 503),
    "a 500 on editing": Fault("before", "PATCH", "/issues/comments/", 500),
    "an answer lost after the summary was posted": Fault("after", path="/issues/1/comments$"),
    "a summary that was not posted": Fault("before", path="/issues/1/comments$"),
    "a 502 on reading the threads": Fault("before", path="/graphql$"),
    "a secondary limit that names its end": Fault(
        "before", status=403, message="You have exceeded a secondary rate limit", headers={"Retry-After": "7"}
    ),
    "a secondary limit that names none": Fault(
        "before", status=403, message="You have exceeded a secondary rate limit"
    ),
    "429 without Retry-After": Fault("before", status=429, message="Too Many Requests"),
    "a slow answer": Fault("slow"),
    "a pending review of our own": Fault("act"),
    "a comment that gets lost": Fault("lose"),
}


@pytest.mark.parametrize("name", REPEATED)
def test_faults_end_in_every_comment_once(github: LoopbackGitHub, client: Client, name: str) -> None:
    open_pull(github)
    fault = Fault(**vars(REPEATED[name]))
    if fault.kind == "act":
        fault.action = lambda: github.pull().reviews.append(Review(5, BOT, "", "PENDING", github.pull().head))
    github.faults.append(fault)
    outcome = run_bot(client, github.repository)
    if "editing" in name:
        outcome = run_bot(client, github.repository)
    assert fault.times == 0
    assert outcome.untold == ()
    exactly_once(github)
    assert len({thread.line for thread in github.pull().threads}) == len(github.pull().threads)
    assert (
        sum(isinstance(read_marker(comment.body), SummaryMarker) for comment in github.pull().comments) == 1
    )
    github.faults.clear()
    run_bot(client, github.repository)
    exactly_once(github)


def test_one_anchor_that_github_refuses(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    github.bad_lines.add(("run.sh", 22))
    outcome = run_bot(client, github.repository)
    assert [finding.span.line for finding in outcome.posted] == [6, 38]
    assert [finding.span.line for finding in outcome.in_summary] == [22]
    exactly_once(github)


def test_a_diff_that_changed_under_our_hands(github: LoopbackGitHub, client: Client) -> None:
    """The base branch moved: lines that were in the diff are not any more; the refusal is understood at once."""
    open_pull(github)
    pull = github.pull()

    def base_moves() -> None:
        lines = HEAD.splitlines(keepends=True)
        pull.merge_base = github.repository.commit(
            {"run.sh": "".join(lines[:30]) + "".join(BASE.splitlines(True)[28:])}
        )

    github.faults.append(Fault("act", action=base_moves))
    outcome = run_bot(client, github.repository)
    assert [finding.key for finding in outcome.posted] == ["bad.c"]
    assert {finding.key for finding in outcome.in_summary} == {"bad.ah", "bad.b"}
    assert len(github.requests("POST", "/reviews$")) == 2


def test_a_moved_head_stops_quietly(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)

    def push() -> None:
        github.repository.push(github.pull(), {"run.sh": BASE + "x\n"})

    github.faults.append(Fault("act", "GET", "/pulls/1$", action=push))
    outcome = run_bot(client, github.repository)
    assert "newer commit" in outcome.quiet
    assert github.pull().threads == []
    assert github.pull().comments == []


def refused(outcome: Outcome, github: LoopbackGitHub) -> None:
    assert len(outcome.untold) == 3
    assert outcome.trouble
    assert github.pull().threads == []
    assert github.pull().comments == []


def test_a_token_that_may_not_write(github: LoopbackGitHub) -> None:
    open_pull(github)
    github.pull().fork = True
    refused(run_bot(client_of(github, "read-only-token"), github.repository), github)


def test_a_token_that_may_not_even_read_the_threads(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    github.faults.append(
        Fault("before", path="/graphql$", status=403, message="Resource not accessible by integration")
    )
    refused(run_bot(client, github.repository), github)


def test_a_limit_that_lasts_too_long(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    github.faults.append(
        Fault(
            "before",
            status=403,
            message="You have exceeded a secondary rate limit",
            headers={"Retry-After": "3600"},
        )
    )
    refused(run_bot(client, github.repository), github)


def test_no_post_is_repeated_blindly(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    github.faults.append(Fault("before", times=9))
    outcome = run_bot(client, github.repository)
    posts = github.requests("POST", "/reviews$")
    assert len(posts) == 3
    between = [item for item in github.log if item.verb == "GET" and item.path.endswith("/reviews")]
    assert len(between) == 3, "after each unanswered POST the bot looks before it posts again"
    assert len(outcome.in_summary) == 3, "what could not be posted inline is told in the summary"
    exactly_once(github)


def test_hiding_that_is_not_allowed_is_made_up_for(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    run_bot(client, github.repository)
    github.repository.push(github.pull(), {"run.sh": edited((5, "bad.ah=1"))})
    github.faults.append(
        Fault(
            "act",
            "PATCH",
            "/pulls/comments/",
            action=lambda: github.faults.append(
                Fault(
                    "before", path="/graphql$", status=403, message="Resource not accessible by integration"
                )
            ),
        )
    )
    outcome = run_bot(client, github.repository)
    assert outcome.trouble
    exactly_once(github)
    comments = [thread.comments[0] for thread in github.pull().threads]
    assert [comment.hidden for comment in comments] == ["", "", ""]
    assert [comment.body.startswith("This no longer holds") for comment in comments] == [False, True, True]
    run_bot(client, github.repository)
    assert [comment.hidden for comment in comments] == ["", "RESOLVED", "RESOLVED"]


def test_start_line_is_left_out_for_one_line(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github)
    run_bot(client, github.repository)
    (post,) = github.requests("POST", "/reviews$")
    assert post.body["event"] == "COMMENT"
    assert post.body["commit_id"] == github.pull().head
    for comment in post.body["comments"]:
        assert set(comment) == {"path", "body", "line", "side"}
        assert comment["side"] == "RIGHT"


def test_a_place_that_an_edit_could_not_add_is_told_elsewhere(github: LoopbackGitHub, client: Client) -> None:
    open_pull(github, edited((5, "bad.a=1")))
    run_bot(client, github.repository)
    github.repository.push(github.pull(), {"run.sh": edited((5, "bad.a=1"), (20, "bad.a=1"))})
    github.faults.append(Fault("before", "PATCH", "/pulls/comments/", 500, times=9))
    assert len(run_bot(client, github.repository).in_summary) == 1
    exactly_once(github)
    github.faults.clear()
    assert run_bot(client, github.repository).in_summary == ()
    exactly_once(github)


def test_a_comment_that_was_deleted_meanwhile_is_told_in_the_summary(
    github: LoopbackGitHub, client: Client
) -> None:
    open_pull(github, edited((5, "bad.a=1")))
    run_bot(client, github.repository)
    github.repository.push(github.pull(), {"run.sh": edited((5, "bad.a=1"), (20, "bad.a=1"))})
    github.faults.append(Fault("act", "PATCH", "/pulls/comments/", action=github.pull().threads.clear))
    assert len(run_bot(client, github.repository).in_summary) == 2
    exactly_once(github)
