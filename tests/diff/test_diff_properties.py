"""Random texts: git and difflib make the diff, which then gives both texts back."""

from __future__ import annotations

import difflib
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from reviewbot.diff import FileDiff, parse_diff
from reviewbot.errors import InputError
from reviewbot.text import SourceText

LINE = st.one_of(
    st.sampled_from(
        ["", "a", "b", "a \\", "-- ", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "\\ No newline", "é中", "\t"]
    ),
    st.text(st.sampled_from("ab é中\x0c\x0b\x1c\x85\u2028\r\\+-@"), max_size=4),
)
END = st.sampled_from(["\n", "\n", "\n", "\r\n"])
EDIT = st.one_of(st.none(), st.none(), st.none(), st.tuples(LINE, END), st.just(("", "")))
COMMON = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
git_runs = settings(COMMON, max_examples=120)


@st.composite
def text_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts that share most lines."""
    rows = draw(st.lists(st.tuples(LINE, END, EDIT, EDIT), max_size=25))
    before = [line + end for line, end, _, _ in rows]
    after: list[str] = []
    for line, end, replacement, insertion in rows:
        after.append(line + end if replacement is None else "".join(replacement))
        after.append("" if insertion is None else "".join(insertion))
    texts = ["".join(before), "".join(after)]
    for index in range(2):
        if draw(st.booleans()):
            texts[index] = texts[index].removesuffix("\n")
    return texts[0], texts[1]


def git_diff(folder: Path, before: str, after: str, context: int) -> bytes:
    for name, text in (("before", before), ("after", after)):
        (folder / name).write_bytes(text.encode("utf-8"))
    command = ["git", "diff", "--no-index", "--text", "--no-color", f"-U{context}", "before", "after"]
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


def check(file: FileDiff, before: str, after: str) -> None:
    source = SourceText(file.path, after)
    assert file.mismatch(source) is None
    assert file.before(source).text == before
    excerpt = file.after_text()
    for shown in excerpt.shown:
        for line in shown:
            assert excerpt.source.lines[line - 1] == source.lines[line - 1]
    assert {line for shown in excerpt.shown for line in shown} == file.shown_lines
    assert all(
        line in file.shown_lines or text == "\n" for line, text in enumerate(excerpt.source.lines, 1)
    ), "what is not shown is empty"
    old = SourceText("before", before)
    assert all(old.line(line) == text for line, text in file.removed.items())


@git_runs
@given(pair=text_pairs(), context=st.integers(0, 4))
def test_diffs_of_git(pair: tuple[str, str], context: int, tmp_path: Path) -> None:
    before, after = pair
    assume(before != after)
    (file,) = parse_diff(git_diff(tmp_path, before, after, context), "git").files
    check(file, before, after)


@settings(COMMON, max_examples=300)
@given(pair=text_pairs(), context=st.integers(0, 4))
def test_diffs_of_difflib(pair: tuple[str, str], context: int) -> None:
    before, after = pair
    assume(before != after)
    (file,) = parse_diff(difflib_diff(before, after, context), "difflib").files
    check(file, before, after)


def difflib_diff(before: str, after: str, context: int = 3) -> str:
    old, new = (list(SourceText("", text).lines) for text in (before, after))
    lines = difflib.unified_diff(old, new, "a/x.sh", "b/x.sh", n=context)
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
    )


@settings(COMMON, max_examples=300)
@given(pair=text_pairs(), data=st.data())
def test_a_changed_line_is_noticed(pair: tuple[str, str], data: st.DataObject) -> None:
    before, after = pair
    assume(before != after)
    (file,) = parse_diff(difflib_diff(before, after), "difflib").files
    assume(file.shown_lines)
    number = data.draw(st.sampled_from(sorted(file.shown_lines)))
    lines = list(SourceText("", after).lines)
    lines[number - 1] = data.draw(st.sampled_from(["!", "x"])) + lines[number - 1]
    changed = SourceText("x.sh", "".join(lines))
    assert file.mismatch(changed) == number
    with pytest.raises(InputError, match=f"line {number} is not what the diff says"):
        file.before(changed)


@settings(COMMON, max_examples=200)
@given(pair=text_pairs())
def test_a_file_cut_short_is_noticed(pair: tuple[str, str]) -> None:
    before, after = pair
    assume(before != after)
    (file,) = parse_diff(difflib_diff(before, after), "difflib").files
    assume(file.shown_lines)
    last = max(file.shown_lines)
    short = SourceText("x.sh", "".join(SourceText("", after).lines[: last - 1]))
    assert file.mismatch(short) == last


@git_runs
@given(first=text_pairs(), data=st.data())
def test_two_diffs_in_a_row_are_one(first: tuple[str, str], data: st.DataObject, tmp_path: Path) -> None:
    base, middle = first
    lines = list(SourceText("", middle).lines)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines)))
        lines[at : at + data.draw(st.integers(0, 2))] = data.draw(
            st.lists(LINE.map(lambda line: line + "\n"), max_size=2)
        )
    head = "".join(lines)
    context = data.draw(st.integers(0, 3))
    diffs = [difflib_diff(*pair, context) for pair in ((base, middle), (middle, head))]
    assume(all(diffs))
    for separator in ("", "\nFrom 1111111 here\n"):
        (file,) = parse_diff(separator.join(diffs), "two").files
        check(file, base, head)
        assert file.shown_lines <= set(range(1, len(SourceText("", head).lines) + 1))


@git_runs
@given(pair=text_pairs())
def test_counts_equal_those_of_git(pair: tuple[str, str], tmp_path: Path) -> None:
    before, after = pair
    assume(before != after)
    data = git_diff(tmp_path, before, after, 3)
    command = ["git", "apply", "--numstat", "-"]
    result = subprocess.run(command, input=data, cwd=tmp_path, capture_output=True, check=True)
    added, removed = result.stdout.split()[:2]
    (file,) = parse_diff(data, "git").files
    assert (len(file.added_lines), len(file.removed)) == (int(added), int(removed))


def test_carriage_returns_that_git_took_off() -> None:
    (file,) = parse_diff("--- a/x.sh\n+++ b/x.sh\n@@ -1,3 +1,2 @@\n a\n-b\n-c\n+d\n", "pr.diff").files
    after = SourceText("x.sh", "a\r\nd\r\ne\r\n")
    assert file.mismatch(after) is None
    assert file.before(after).text == "a\r\nb\r\nc\r\ne\r\n"


def test_carriage_returns_that_the_diff_shows_count() -> None:
    (file,) = parse_diff("--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-a\r\n+a\n", "pr.diff").files
    assert file.mismatch(SourceText("x.sh", "a\n")) is None
    assert file.mismatch(SourceText("x.sh", "a\r\n")) == 1


def test_what_a_whole_or_deleted_file_must_be() -> None:
    (added,) = parse_diff("--- /dev/null\n+++ b/x.sh\n@@ -0,0 +1 @@\n+a\n", "pr.diff").files
    assert added.mismatch(SourceText("x.sh", "a\n")) is None
    assert added.mismatch(SourceText("x.sh", "a\nb\n")) == 2
    assert added.before(SourceText("x.sh", "a\n")).text == ""
    (deleted,) = parse_diff("--- a/x.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "pr.diff").files
    assert deleted.mismatch(SourceText("x.sh", "")) is None
    assert deleted.mismatch(SourceText("x.sh", "a\n")) == 1
    assert deleted.before(SourceText("x.sh", "")).text == "a\n"


def test_a_missing_newline_counts() -> None:
    (file,) = parse_diff(
        "--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "pr.diff"
    ).files
    assert file.mismatch(SourceText("x.sh", "b")) is None
    assert file.mismatch(SourceText("x.sh", "b\n")) == 1
    assert file.mismatch(SourceText("x.sh", "b\nc\n")) == 1


SEED = (
    "From 1111111 Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n x.sh | 2 +-\n\n"
    "diff --git a/x.sh b/x.sh\nindex 1111111..2222222 100644\n--- a/x.sh\n+++ b/x.sh\n@@ -1,4 +1,5 @@ f() {\n"
    " a\n-b\n+c\n+d\n \n e\n\\ No newline at end of file\n"
    'diff --git "a/\\303\\251.sh" "b/\\303\\251 b.sh"\nsimilarity index 90%\nrename from "\\303\\251.sh"\n'
    'rename to "\\303\\251 b.sh"\nindex 1111111..2222222\n--- "a/\\303\\251.sh"\n+++ "b/\\303\\251 b.sh"\n'
    "@@ -3 +3,0 @@\n-x\n@@ -9,0 +9 @@\n+y\n"
    "diff --git a/n.bin b/n.bin\nnew file mode 100755\nindex 0000000..1111111\nGIT binary patch\n"
    "literal 2\nJc${NkU|;\n\nliteral 0\nHc$@<O00001\n\n-- \n2.39.5\n\n"
)


@settings(COMMON, max_examples=1000)
@given(data=st.data())
def test_a_damaged_diff_is_read_or_refused_with_its_line(data: st.DataObject) -> None:
    lines = SEED.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["cut", "drop", "double", "swap", "write", "character"])):
            case "cut":
                lines = lines[: at + 1]
            case "drop":
                lines[at : at + 1] = []
            case "double":
                lines.insert(at, lines[at])
            case "swap":
                other = data.draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case "write":
                lines[at] = data.draw(
                    st.one_of(LINE, st.sampled_from(["diff --git ", '--- "', "+++ ", "@@ -1,0 +1 @@"]))
                )
            case _:
                position = data.draw(st.integers(0, len(lines[at])))
                character = data.draw(st.sampled_from('0"\\ \t\r+-@\0\x1b'))
                lines[at] = lines[at][:position] + character + lines[at][position + 1 :]
        lines = lines or [""]
    refuses_well("\n".join(lines))


@settings(COMMON, max_examples=300)
@given(text=st.text(), binary=st.binary())
def test_anything_at_all_is_read_or_refused_with_its_line(text: str, binary: bytes) -> None:
    refuses_well(text)
    refuses_well(binary)
    refuses_well(b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n" + binary)


@pytest.mark.parametrize("length", range(0, len(SEED), 3))
def test_a_diff_cut_off_anywhere(length: int) -> None:
    refuses_well(SEED[:length])


def refuses_well(data: str | bytes) -> None:
    try:
        diff = parse_diff(data, "pr.diff")
    except InputError as error:
        message = str(error)
        assert message.startswith("pr.diff: line ")
        assert message.removeprefix("pr.diff: line ").partition(":")[0].isdigit()
        assert "\n" not in message
        return
    for file in diff.files:
        excerpt = file.after_text()
        assert not file.hunks or file.mismatch(excerpt.source) is None
