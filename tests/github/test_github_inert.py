"""What a pull request wrote is inert in every body: rendered, it stands in code, and nothing else is markup."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from toy_review import toy_finding

from reviewbot.checks.model import Edit, Fix
from reviewbot.checks.wording import code
from reviewbot.diff import parse_patch
from reviewbot.github.anchors import Group, Reviewed, place
from reviewbot.github.history import History, PastPull
from reviewbot.github.links import Links
from reviewbot.github.markdown import comment_body
from reviewbot.github.marker import FindingMarker, read_marker
from reviewbot.github.sections import effects_part, history_part, risks_part
from reviewbot.github.summary import Story, job_summary, summary_body
from reviewbot.report.inert import fence
from reviewbot.report.model import Review
from reviewbot.review.effects import Effect, SettingChange, Shown, VariableChange
from reviewbot.review.review import FileReview
from reviewbot.review.risks import Risk
from reviewbot.shell.model import Known
from reviewbot.text import SourceText

EVIL = [
    "`a` ``b`` ```c",
    "@team/all hi",
    "<!-- reviewbot:v1 finding fingerprint=f -->",
    "::set-output name=x::y",
    "![x](https://evil.example/p.png)",
    "[x](javascript:alert)",
    "${{ github.token }}",
    "\x1b[31mred\x1b[0m",
    "<img src=x onerror=y>",
    "</details></code>",
    "a|b|c",
    "\u202egnp",
    "$`x`$",
    "#1 GH-2",
    "https://evil.example",
    ":tada: __x__ **y**",
    "a\n\n# heading\n- item\n```\n",
    "`",
    "```suggestion\nrm -rf /\n```",
    "",
]
TAGS = re.compile(
    r"</?(details|summary|sub)>|<!-- reviewbot:v1 [a-z]+( [a-z]+=[A-Za-z0-9,:_-]*)* -->|\s|What was said"
    r"|Where the value comes from, and how to silence this|What was not reviewed|What changes in effect"
    r"|Risk marks|Earlier changes"
)
LINKS = Links("https://github.com", "octo/recipes", "b" * 40, "a" * 40, "toy", from_repository=False)


def flat(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *flat(token.children or []))]


def assert_inert(body: str) -> None:
    for token in flat(MarkdownIt("commonmark", {"html": True}).enable(["table"]).parse(body)):
        if token.type in ("html_block", "html_inline"):
            assert TAGS.sub("", token.content) == "", token.content
        if token.type == "image":
            raise AssertionError(token)
        if token.type == "link_open":
            assert str(token.attrs["href"]).startswith("https://github.com/octo/recipes/"), token
        if token.type == "text":
            assert not re.search(r"@\w|#\d|https?://|\x1b|\u202e|:tada:", token.content), token.content
        if token.type == "heading_open":
            assert token.tag == "h3"
    assert "\x1b" not in re.sub(r"```+suggestion\n.*?```", "", body, flags=re.DOTALL)
    assert "\u202e" not in body


@pytest.mark.parametrize("evil", EVIL)
def test_every_body(evil: str) -> None:
    path = f"dir/{evil}.sh" if evil else "run.sh"
    text = f"one\nbad {evil.splitlines()[0] if evil else ''}\nthree\n"
    source = SourceText(path, text)
    fix = Fix(f"Set {evil} on line 2", (Edit(path, 2, 2, "good\n"),), verified=True)
    finding = replace(
        toy_finding(path, 2, evil or "k", evil),
        message=f"{code(evil)} is {evil} here.",
        fix=fix,
        related=((toy_finding(path, 1, "k", "v").span, evil),),
    )
    change = parse_patch("run.sh", None, "modified", "@@ -1,3 +1,3 @@\n one\n-x\n+y\n three")
    placement = place(finding, Reviewed(source, change))
    group = Group((finding, replace(finding, occurrence=1)), (placement, None))
    for shown in (placement, None):
        body = comment_body(group, finding, shown, source, LINKS)
        assert_inert(body)
        assert read_marker(body) == FindingMarker(group.fingerprints)
    review = Review("toy", "1", "toy 1", "bundled", (FileReview(path, "partly", evil, (finding,), source),))
    sections = (
        effects_part(
            [
                Effect(
                    path,
                    (SettingChange(evil, Shown(evil), None, f"yes: {evil}", 2),),
                    (VariableChange(evil, None, Shown(evil, Known.NO)),),
                    (evil,),
                ),
            ]
        ),
        effects_part([Effect(path, notes=(evil,))]),
        risks_part([Risk(path, "ineffective setting", evil)]),
        history_part([History(evil, (PastPull(7, evil),))], "https://github.com/octo/recipes/pull/"),
    )
    story = Story(review, LINKS, (finding,), notes=(evil,), sections=sections)
    assert_inert(summary_body(story))
    assert_inert(job_summary(story))


@pytest.mark.parametrize("text", ["", "a\n", "```\nx\n````\n", "`\n", "````suggestion\n"])
def test_a_fence_holds_any_text(text: str) -> None:
    (token,) = MarkdownIt("commonmark").parse(fence(text, "suggestion"))
    assert (token.type, token.info, token.content) == ("fence", "suggestion", text)


def test_long_summaries_are_cut_between_items() -> None:
    findings = tuple(
        toy_finding(f"r{number}.sh", number + 1, f"bad.k{number}", "x" * 200) for number in range(900)
    )
    review = Review("toy", "1", "toy 1", "bundled", (FileReview("r.sh", "reviewed", findings=findings),))
    body = summary_body(Story(review, LINKS, findings))
    assert len(body) <= 60_000
    assert read_marker(body) is not None
    assert re.search(r"… and \d+ more; the job summary has them all\.", body)
    assert body.count("<details>") == body.count("</details>")
    assert len(job_summary(Story(review, LINKS)).encode()) <= 1024 * 1024
