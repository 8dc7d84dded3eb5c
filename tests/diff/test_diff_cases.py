"""Diffs of every shape, from a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from reviewbot.diff import FileDiff, parse_diff, parse_patch
from reviewbot.errors import ExitCode, InputError

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text("utf-8"))
GOOD = [case for case in CASES if "error" not in case]
BAD = [case for case in CASES if "error" in case]


def told(file: FileDiff) -> dict[str, Any]:
    return {
        "path": file.path,
        "old": file.old_path,
        "new": file.new_path,
        "status": file.status,
        "mode": file.mode,
        "whole": file.whole,
        "link": file.is_link,
        "added": sorted(file.added_lines),
        "shown": sorted(file.shown_lines),
        "removed": dict(file.removed),
        "after": file.after_text().source.text,
    }


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case["name"])
@pytest.mark.parametrize("as_bytes", [True, False], ids=["bytes", "text"])
def test_what_a_diff_says(case: dict[str, Any], as_bytes: bool) -> None:
    data = case["diff"].encode("utf-8") if as_bytes else case["diff"]
    diff = parse_diff(data, "pr.diff")
    assert [told(file)["path"] for file in diff.files] == [file["path"] for file in case["files"]]
    for file, expected in zip(diff.files, case["files"], strict=True):
        assert {key: told(file)[key] for key in expected} == expected
        assert diff.file(expected["path"]) is file
    refused = case.get("refused", [])
    assert [entry.path for entry in diff.refused] == [path for path, _ in refused]
    for entry, (_, why) in zip(diff.refused, refused, strict=True):
        assert why in entry.why


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["name"])
def test_what_cannot_be_read_is_one_sentence_with_the_line(case: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        parse_diff(case["diff"], "pr.diff")
    assert str(raised.value).startswith("pr.diff: " + case["error"])
    assert "\n" not in str(raised.value)
    assert raised.value.exit_code == ExitCode.USAGE


def test_utf_16_is_named() -> None:
    with pytest.raises(InputError, match="UTF-16"):
        parse_diff("--- a/x\n".encode("utf-16"), "pr.diff")


def test_a_huge_diff_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviewbot.diff.parse.MAX_BYTES", 10)
    with pytest.raises(InputError, match="larger than"):
        parse_diff("--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-a\n+b\n", "pr.diff")


def test_bytes_that_are_not_utf_8_are_kept_and_told() -> None:
    (file,) = parse_diff(b"--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-a\n+\xff\n", "pr.diff").files
    assert not file.is_utf8
    assert file.after_text().source.text.encode("utf-8", "surrogateescape") == b"\xff\n"
    (file,) = parse_diff("--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-a\n+é\n", "pr.diff").files
    assert file.is_utf8


PATCH = "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n\\ No newline at end of file"


@pytest.mark.parametrize(
    ("status", "previous", "expected"),
    [
        ("modified", None, ("x.sh", "x.sh", "modified")),
        ("changed", None, ("x.sh", "x.sh", "modified")),
        ("renamed", "y.sh", ("y.sh", "x.sh", "renamed")),
        ("copied", "y.sh", ("y.sh", "x.sh", "copied")),
    ],
)
def test_a_patch_of_the_api(status: str, previous: str | None, expected: tuple[str, str, str]) -> None:
    file = parse_patch("x.sh", previous, status, PATCH)
    assert (file.old_path, file.new_path, file.status) == expected
    assert file.added_lines == {2}
    assert file.after_text().source.text == "a\nc\nd"
    assert not file.whole


def test_a_patch_of_an_added_and_of_a_removed_file() -> None:
    added = parse_patch("x.sh", None, "added", "@@ -0,0 +1 @@\n+a")
    assert (added.old_path, added.whole, added.after_text().whole) == (None, True, True)
    removed = parse_patch("x.sh", None, "removed", "@@ -1 +0,0 @@\n-a")
    assert (removed.old_path, removed.new_path, removed.status) == ("x.sh", None, "deleted")


def test_no_patch() -> None:
    file = parse_patch("x.bin", None, "added", None)
    assert (file.hunks, file.whole) == ((), False)


@pytest.mark.parametrize(
    ("path", "patch", "message"),
    [
        ("../x.sh", PATCH, "line 1: the path leads out of the repository"),
        ("x.sh", "hello", "line 1: a hunk"),
        ("x.sh", PATCH + "\n\nmore", "line 8: this is neither part of a hunk nor the header of one"),
        ("x.sh", "@@ -1,9 +1 @@\n-a", "line 2: the diff is cut off"),
    ],
)
def test_a_bad_patch(path: str, patch: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_patch(path, None, "modified", patch)
    assert str(raised.value).startswith(f"patch of {path}: {message}")


def test_hunks_of_lines() -> None:
    diff = "--- a/x.sh\n+++ b/x.sh\n@@ -1 +1,2 @@\n a\n+b\n@@ -2 +3,2 @@\n c\n+d\n@@ -9,2 +11 @@\n-e\n f\n"
    (file,) = parse_diff(diff, "pr.diff").files
    assert [file.hunk_of(line) for line in (1, 2, 3, 4, 5, 11, 12)] == [0, 0, 1, 1, None, 2, None]
    assert [hunk.diff_line for hunk in file.hunks] == [3, 6, 9]
    assert file.after_text().shown == (range(1, 5), range(11, 12))
