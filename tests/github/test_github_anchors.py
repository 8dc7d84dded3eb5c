"""Where comments and suggestions can stand, and that a suggestion does what its fix does."""

from __future__ import annotations

import difflib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.checks.model import Edit, Finding, Fix, Severity
from reviewbot.diff import parse_patch
from reviewbot.github.anchors import MAX_SUGGESTION_LINES, Placement, Reviewed, groups, place
from reviewbot.github.links import Links
from reviewbot.github.markdown import comment_body
from reviewbot.review.edits import apply_edits
from reviewbot.text import SourceText, Span

LINKS = Links("https://github.com", "o/r", "b" * 40, "h" * 40, "verl", True)
_SUGGESTION = re.compile(r"^(`{3,})suggestion\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def finding(first: int, last: int, *edits: Edit, verified: bool = True) -> Finding:
    return Finding(
        check="overwritten",
        severity=Severity.HIGH,
        span=Span("run.sh", first, 1, last, 2),
        key="a.b",
        value="1",
        message="It has no effect.",
        evidence=(),
        fix=Fix("Change it", edits, verified=verified) if edits else None,
        in_diff=True,
    )


def reviewed(before: str, after: str) -> Reviewed:
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), n=3)
    patch = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in list(lines)[2:]
    )
    return Reviewed(SourceText("run.sh", after), parse_patch("run.sh", None, "modified", patch))


def numbered(count: int, **changed: str) -> str:
    return "".join(changed.get(f"line{number}", f"line{number}") + "\n" for number in range(1, count + 1))


def edit(first: int, last: int, text: str) -> Edit:
    return Edit("run.sh", first, last, text)


FILE = reviewed(numbered(40), numbered(40, line5="new5", line30="new30"))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(finding(5, 5), ("run.sh", 5, 5), id="an added line"),
        pytest.param(finding(7, 7), ("run.sh", 7, 7), id="a context line"),
        pytest.param(finding(12, 12), None, id="no line of the diff"),
        pytest.param(finding(5, 30), ("run.sh", 5, 8), id="cut at the end of its hunk"),
        pytest.param(finding(5, 5, edit(3, 5, "x\n")), ("run.sh", 3, 5), id="as far as the fix goes"),
        pytest.param(finding(5, 5, edit(30, 30, "x\n")), ("run.sh", 5, 5), id="a fix in another hunk"),
    ],
)
def test_places(found: Finding, expected: tuple[str, int, int] | None) -> None:
    placed = place(found, FILE)
    assert (placed.range if placed else None) == expected


@pytest.mark.parametrize(
    ("found", "text"),
    [
        pytest.param(finding(5, 5, edit(5, 5, "x\n")), "x\n", id="replaced"),
        pytest.param(finding(5, 5, edit(5, 5, "")), "", id="deleted"),
        pytest.param(finding(5, 5, edit(4, 5, "line4\n")), "line4\n", id="with the backslash before it"),
        pytest.param(finding(5, 5, edit(7, 7, "")), "new5\nline6\n", id="lines between stay"),
        pytest.param(finding(5, 5, edit(5, 5, "x\n"), verified=False), None, id="not proved"),
        pytest.param(finding(5, 5, edit(30, 30, "x\n")), None, id="in another hunk"),
        pytest.param(finding(5, 5, Edit("other.sh", 5, 5, "")), None, id="in another file"),
        pytest.param(finding(5, 5, edit(5, 5, "\x1b[31m\n")), None, id="what would not be seen"),
    ],
)
def test_suggestions(found: Finding, text: str | None) -> None:
    placed = place(found, FILE)
    assert placed is not None
    assert placed.suggestion == text


def test_no_suggestion_for_windows_line_ends() -> None:
    file = reviewed("a\r\n", "b\r\n")
    found = finding(1, 1, edit(1, 1, "c\r\n"))
    placed = place(found, file)
    assert placed == Placement("run.sh", 1, 1)
    (group,) = groups([found], {"run.sh": file})
    assert "Windows line ends" in comment_body(group, found, placed, file.source, LINKS)


def test_no_suggestion_through_a_last_line_without_an_end() -> None:
    assert place(finding(2, 2, edit(2, 2, "c")), reviewed("a\nb", "a\nB")) == Placement("run.sh", 2, 2)


def test_no_suggestion_that_is_too_long_to_judge() -> None:
    count = MAX_SUGGESTION_LINES + 1
    file = reviewed("", numbered(count))
    assert place(finding(1, 1, edit(1, count, "x\n")), file) == Placement("run.sh", 1, 1)


def test_nothing_stands_where_github_shows_no_diff() -> None:
    assert place(finding(1, 1), Reviewed(FILE.source, None)) is None
    assert place(finding(1, 1), None) is None


LINE = st.text(st.sampled_from("ab `\\~#=\t"), max_size=8)


@given(st.lists(LINE, min_size=1, max_size=12), st.data())
def test_a_suggestion_as_github_applies_it_is_the_fix(lines: list[str], data: st.DataObject) -> None:
    """The block is taken out of the comment's text, and replaces the comment's lines."""
    source = "".join(line + "\n" for line in lines)
    file = reviewed("", source)
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    replacement = "".join(line + "\n" for line in data.draw(st.lists(LINE, max_size=3)))
    found = finding(first, first, edit(first, last, replacement))
    placed = place(found, file)
    assert placed is not None
    assert placed.suggestion is not None
    assert file.source is not None
    assert found.fix is not None
    (group,) = groups([found], {"run.sh": file})
    ((_, block),) = _SUGGESTION.findall(comment_body(group, found, placed, file.source, LINKS))
    after = source.splitlines(keepends=True)
    after[placed.start_line - 1 : placed.line] = [block]
    assert "".join(after) == apply_edits(file.source, found.fix.edits)
