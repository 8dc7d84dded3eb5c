"""Which files a PATH and an ``--include`` mean: from a subfolder, with a diff, with a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import BAD, Done, reviewbot

CHANGED = "".join(
    f"--- a/{name}\n+++ b/{name}\n@@ -1,3 +1,3 @@\n python3 -m verl.trainer.main_ppo \\\n"
    "     actor_rollout_ref.rollout.name=vllm \\\n-    trainer.nnodes=1\n+    +trainer.nnodes=2\n"
    for name in ("ex/a.sh", "ex/deep/b.sh", "other/c.sh")
)


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name in ("ex/a.sh", "ex/deep/b.sh", "other/c.sh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(BAD)
    (tmp_path / "change.diff").write_text(CHANGED)
    return tmp_path


def reviewed(done: Done) -> list[str]:
    return [file["path"] for file in json.loads(done.out)["files"]]


CASES = [
    ("", ".", ["ex/a.sh", "ex/deep/b.sh", "other/c.sh"]),
    ("", "ex", ["ex/a.sh", "ex/deep/b.sh"]),
    ("", "./ex/", ["ex/a.sh", "ex/deep/b.sh"]),
    ("ex", "a.sh", ["ex/a.sh"]),
    ("ex", ".", ["ex/a.sh", "ex/deep/b.sh"]),
    ("ex", "../other/c.sh", ["other/c.sh"]),
    ("ex/deep", "../..", ["ex/a.sh", "ex/deep/b.sh", "other/c.sh"]),
]


@pytest.mark.parametrize("options", [(), ("--diff", "change.diff")], ids=["files", "diff"])
@pytest.mark.parametrize(("folder", "path", "expected"), CASES)
def test_paths_are_relative_to_the_current_folder(
    repo: Path, options: tuple[str, ...], folder: str, path: str, expected: list[str]
) -> None:
    given = [str(repo / option) if option.endswith(".diff") else option for option in options]
    done = reviewbot(repo / folder, "check", "--format", "json", *given, "--", path)
    assert reviewed(done) == expected
    assert not done.err


def test_a_path_that_the_diff_does_not_touch_is_told(repo: Path) -> None:
    done = reviewbot(repo, "check", "--diff", "change.diff", "missing", "ex/a.sh", "--format", "json")
    assert reviewed(done) == ["ex/a.sh"]
    assert done.err == "reviewbot: missing: the diff touches no recipe there\n"


@pytest.mark.parametrize("options", [(), ("--diff", "change.diff")], ids=["files", "diff"])
def test_globs_see_the_path_in_the_repository(repo: Path, options: tuple[str, ...]) -> None:
    done = reviewbot(repo, "check", "--format", "json", "--include", "ex/*.sh", *options)
    assert reviewed(done) == ["ex/a.sh", "ex/deep/b.sh"]
