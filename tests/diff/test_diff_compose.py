"""Commits in a row, made by git, against the one diff from base to head."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewbot.diff import FileDiff, parse_diff
from reviewbot.errors import InputError
from reviewbot.text import SourceText

Files = dict[str, str]

LINES = [f"line {number}\n" for number in range(12)]
NAMES = ["a.sh", "b.sh", "c d.sh"]
TEXT = st.lists(st.sampled_from(LINES), min_size=1, max_size=8).map("".join)
STEP = st.tuples(
    st.sampled_from(["write", "edit", "move", "delete"]), st.sampled_from(NAMES), st.sampled_from(NAMES), TEXT
)


def git(folder: Path, *arguments: str) -> bytes:
    people = {
        f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **people}
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, check=True
    ).stdout


def after(files: Files, step: tuple[str, str, str, str]) -> Files:
    action, name, other, text = step
    files = dict(files)
    match action:
        case "write":
            files[name] = text
        case "edit" if name in files:
            files[name] = files[name] + text.partition("\n")[0] + "\n"
        case "move" if name in files:
            files[other] = files.pop(name)
        case "delete":
            files.pop(name, None)
    return files


def history(folder: Path, states: list[Files]) -> None:
    git(folder, "init", "-q", "-b", "main")
    for files in states:
        for name in NAMES:
            (folder / name).unlink(missing_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "--allow-empty", "-m", "A commit\n\n- of one\n+ step")
    git(folder, "tag", "base", f"HEAD~{len(states) - 1}")


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(first=st.dictionaries(st.sampled_from(NAMES), TEXT), steps=st.lists(STEP, min_size=2, max_size=4))
def test_a_series_of_mails_is_the_change_from_base_to_head(
    first: Files, steps: list[tuple[str, str, str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("history")
    states = [first]
    for step in steps:
        states.append(after(states[-1], step))
    history(folder, states)
    diff = parse_diff(git(folder, "format-patch", "--stdout", "-M", "base..HEAD"), "series")
    told = {file.path: file for file in diff.files}
    assert len(told) == len(diff.files)
    for file in diff.files:
        check(file, states[0], states[-1])
    unchanged = {name for name, text in states[0].items() if states[-1].get(name) == text}
    assert set(states[-1]) <= set(told) | unchanged, "each file that is there in the end and changed is told"


def check(file: FileDiff, base: Files, head: Files) -> None:
    if file.new_path is None:
        assert file.path not in head
    text = SourceText(file.path, head[file.new_path] if file.new_path else "")
    assert file.mismatch(text) is None
    assert file.before(text).text == (base[file.old_path] if file.old_path else "")
    if file.whole:
        assert file.after_text().source.text == text.text


def test_commits_in_the_wrong_order_are_refused(tmp_path: Path) -> None:
    history(tmp_path, [{"a.sh": "1\n"}, {"a.sh": "2\n"}, {"a.sh": "3\n"}])
    with pytest.raises(InputError, match=r"a\.sh appears twice.*give one diff from the base to the head"):
        parse_diff(git(tmp_path, "log", "-p", "base..HEAD"), "log")
    (file,) = parse_diff(git(tmp_path, "log", "-p", "--reverse", "base..HEAD"), "log").files
    check(file, {"a.sh": "1\n"}, {"a.sh": "3\n"})


def test_a_file_added_over_one_that_is_there_is_refused() -> None:
    added = "--- /dev/null\n+++ b/a.sh\n@@ -0,0 +1 @@\n+a\n"
    with pytest.raises(InputError, match=r"line 5: a\.sh appears twice"):
        parse_diff(added + added, "twice")
