"""git, run on small repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from reviewbot import git
from reviewbot.diff import Diff, parse_diff
from reviewbot.errors import InputError


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main")
    (folder / "a.sh").write_text("one\ntwo\nthree\n")
    (folder / "sub").mkdir()
    (folder / "sub" / "é b.sh").write_text("x\n")
    (folder / "readme.md").write_text("x\n")
    commit(folder, "first")
    return folder


def run(folder: Path, *arguments: str) -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{
            f"GIT_{who}_{what}": "a@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }
    command = ["git", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=True, text=True
    ).stdout


def commit(folder: Path, message: str) -> None:
    run(folder, "add", "-A")
    run(folder, "commit", "-q", "-m", message)


def against(folder: Path, base: str, *untracked: str) -> Diff:
    return parse_diff(git.diff_against(folder, base, untracked), "git diff")


def test_from_the_merge_base_to_the_working_tree(repo: Path) -> None:
    run(repo, "checkout", "-q", "-b", "topic")
    (repo / "a.sh").write_text("one\ntwo\n2.5\nthree\n")
    commit(repo, "topic")
    run(repo, "checkout", "-q", "main")
    (repo / "readme.md").write_text("changed on main\n")
    commit(repo, "main goes on")
    run(repo, "checkout", "-q", "topic")
    (repo / "a.sh").write_text("zero\none\ntwo\n2.5\nthree\n")
    (file,) = against(repo, "main").files
    assert (file.path, sorted(file.added_lines)) == ("a.sh", [1, 4])


def test_paths_are_those_of_the_top_folder_whatever_the_configuration(repo: Path) -> None:
    for name, value in (
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.relative", "true"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("diff.external", "false"),
        ("core.pager", "false"),
    ):
        run(repo, "config", name, value)
    (repo / "sub" / "é b.sh").write_text("y\n")
    (repo / "a.sh").write_text("one\n")
    diff = against(repo / "sub", "HEAD")
    assert [file.path for file in diff.files] == ["a.sh", "sub/é b.sh"]


def test_renames_modes_and_binary_files(repo: Path) -> None:
    run(repo, "mv", "a.sh", "b c.sh")
    (repo / "readme.md").chmod(0o755)
    (repo / "sub" / "é b.sh").write_bytes(b"\0\1")
    told = {file.path: (file.old_path, file.status) for file in against(repo, "HEAD").files}
    assert told == {
        "b c.sh": ("a.sh", "renamed"),
        "readme.md": ("readme.md", "mode"),
        "sub/é b.sh": ("sub/é b.sh", "binary"),
    }


def test_untracked_files_are_added_where_asked_for(repo: Path) -> None:
    (repo / ".gitignore").write_text("ignored.sh\n")
    commit(repo, "ignore")
    for name in ("sub/new run.sh", "ignored.sh", "new.txt", "-dash.sh"):
        (repo / name).write_text("a\nb\n")
    (repo / "empty.sh").write_text("")
    assert against(repo, "HEAD").files == ()
    files = against(repo, "HEAD", ".sh").files
    assert {file.path: (file.status, file.whole, file.after_text().source.text) for file in files} == {
        "-dash.sh": ("added", True, "a\nb\n"),
        "empty.sh": ("added", True, ""),
        "sub/new run.sh": ("added", True, "a\nb\n"),
    }


def test_nothing_of_the_environment_redirects_git(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "a.sh").write_text("one\n")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    monkeypatch.setenv("GIT_PAGER", str(trap))
    run(repo, "config", "core.fsmonitor", str(trap))
    run(repo, "config", "diff.sh.textconv", str(trap))
    run(repo, "config", "diff.sh.command", str(trap))
    (repo / ".gitattributes").write_text("*.sh diff=sh\n")
    hooks = repo / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "reference-transaction", "post-checkout"):
        (hooks / hook).write_text(trap.read_text())
        (hooks / hook).chmod(0o755)
    index = (repo / ".git" / "index").read_bytes()
    (file,) = against(repo, "HEAD").files
    assert file.path == "a.sh"
    assert not (tmp_path / "sprung").exists()
    assert (repo / ".git" / "index").read_bytes() == index, "the index is left alone"


@pytest.mark.parametrize("base", ["", "-h", "--output=x", "a\nb", "a\0b"])
def test_what_is_no_reference(repo: Path, base: str) -> None:
    with pytest.raises(InputError, match="is not the name of a git reference"):
        git.diff_against(repo, base)
    assert not (repo / "x").exists()


def test_an_unknown_reference(repo: Path) -> None:
    with pytest.raises(InputError, match=r"git knows no commit 'nope' in .*; give a branch"):
        git.diff_against(repo, "nope")


def test_a_base_without_a_common_commit(repo: Path) -> None:
    run(repo, "checkout", "-q", "--orphan", "other")
    commit(repo, "other")
    with pytest.raises(InputError, match="have no commit in common"):
        git.diff_against(repo, "main")


def test_a_shallow_clone_says_what_to_fetch(repo: Path, tmp_path: Path) -> None:
    run(repo, "checkout", "-q", "-b", "topic")
    (repo / "a.sh").write_text("1\n")
    commit(repo, "topic")
    run(repo, "checkout", "-q", "main")
    (repo / "a.sh").write_text("2\n")
    commit(repo, "main")
    clone = tmp_path / "clone"
    run(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", "-b", "topic", repo.as_uri(), str(clone))
    with pytest.raises(InputError, match=r"shallow clone .* git fetch --unshallow"):
        git.diff_against(clone, "origin/main")


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    assert git.head_commit(tmp_path) is None
    with pytest.raises(InputError, match="git knows no commit 'HEAD'"):
        git.diff_against(tmp_path, "HEAD")


def test_no_repository(tmp_path: Path) -> None:
    assert git.repository_root(tmp_path) is None
    assert git.head_commit(tmp_path) is None
    with pytest.raises(
        InputError, match=r"is not in the working tree of a git repository \(not a git repository"
    ):
        git.diff_against(tmp_path, "HEAD")
    with pytest.raises(InputError, match="does not exist, so no diff can be made"):
        git.diff_against(tmp_path / "nowhere", "HEAD")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is not a folder"):
        git.diff_against(tmp_path / "file", "HEAD")


def test_a_repository_of_another_user_says_how_to_trust_it(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = git._environment() | {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    monkeypatch.setattr(git, "_environment", lambda: environment)
    with pytest.raises(InputError, match=rf"another user; .* --add safe\.directory {repo}$"):
        git.diff_against(repo / "sub", "HEAD")
    assert git.head_commit(repo) is None


def test_git_is_missing(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo))
    with pytest.raises(InputError, match="git is not installed"):
        git.diff_against(repo, "HEAD")
    assert git.repository_root(repo) == repo
    assert git.head_commit(repo) is None


def test_the_root_the_head_and_the_tracked_files(repo: Path) -> None:
    assert git.repository_root(repo / "sub") == repo
    assert git.head_commit(repo) == run(repo, "rev-parse", "HEAD").strip()
    (repo / "new.sh").write_text("")
    assert git.tracked_files(repo, [".sh"]) == ("a.sh", "sub/é b.sh")
    assert git.tracked_files(repo, [".md", ".sh"]) == ("a.sh", "readme.md", "sub/é b.sh")
    assert git.tracked_files(repo, []) == ()
