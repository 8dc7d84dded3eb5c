from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.checks.model import Intent, Rewrite
from reviewbot.review.edits import apply_edits, edited, line_edits
from reviewbot.text import SourceText

CASES = yaml.safe_load((Path(__file__).parent / "edits.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    source = SourceText("x.sh", case["text"])
    word = case.get("remove") or case["rewrite"]["word"]
    start = case["text"].index(word)
    span = source.span(start, start + len(word))
    if "remove" in case:
        intent = Intent("remove", remove=(span,))
    else:
        rewrite = case["rewrite"]
        intent = Intent("rewrite", rewrite=(Rewrite(span, rewrite["old"], rewrite["new"], None),))
    after = edited(source, intent)
    assert after is not None
    assert after == case["after"]
    assert apply_edits(source, line_edits(source, after)) == after


def test_rewrite_of_what_is_not_written_there() -> None:
    source = SourceText("x.sh", "a=1\n")
    intent = Intent("rewrite", rewrite=(Rewrite(source.span(0, 3), "b=1", "c=1", None),))
    assert edited(source, intent) is None


def test_blank_lines_and_blanks_after_a_backslash() -> None:
    source = SourceText("x.sh", "run a=1 \\\n\n# why\n  b=2 \\ \n  c=3\n")
    intent = Intent("join", delete_lines=((2, 3),), strip_lines=(4,))
    assert edited(source, intent) == "run a=1 \\\n  b=2 \\\n  c=3\n"


lines = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=5), max_size=12)


@given(lines, lines, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_line_edits_give_the_new_text(
    old: list[str], new: list[str], end: str, old_ends: bool, new_ends: bool
) -> None:
    before = end.join(old) + (end if old_ends else "")
    after = end.join(new) + (end if new_ends else "")
    source = SourceText("x.sh", before)
    edits = line_edits(source, after)
    if before:
        assert apply_edits(source, edits) == after
    for first, second in pairwise(edits):
        assert first.end_line < second.start_line
    for edit in edits:
        assert 1 <= edit.start_line <= edit.end_line
