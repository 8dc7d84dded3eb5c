"""``check --fix`` from outside: what it writes, what it leaves alone, what it says."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import pytest
from program import BAD, GOOD, reviewbot

SEVERAL = """\
#!/usr/bin/env bash
rollout=(
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel=True
)
python3 -m verl.trainer.main_ppo \\
    "${rollout[@]}" \\
    actor_rollout_ref.rollout.expert_parallel_size=2 \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=2 \\
    +trainer.nnodes=2 trainer.nnodes=2 \\
    trainer.logger=console
"""


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-b", "main")
    (tmp_path / "run.sh").write_text(BAD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "one")
    return tmp_path


def test_a_fix_is_written_and_shown(repo: Path) -> None:
    done = reviewbot(repo, "check", "--fix")
    assert (done.code, done.err) == (0, "")
    assert (repo / "run.sh").read_text() == GOOD
    assert "run.sh:3: fixed wrong-prefix: Drop the + on line 3\n" in done.out
    assert "--- a/run.sh\n+++ b/run.sh\n@@ -1,3 +1,3 @@\n" in done.out
    assert "-    +trainer.nnodes=2\n+    trainer.nnodes=2\n" in done.out
    assert "Fixed 1 finding in 1 file.\n" in done.out
    assert "No findings: 1 recipe reviewed" in done.out
    assert git(repo, "status", "--porcelain") == " M run.sh\n"


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(SEVERAL)
    first = reviewbot(tmp_path, "check", "--fix", "--min-severity", "low", "run.sh", "--verl", "0.9.1")
    once = (tmp_path / "run.sh").read_text()
    before = (tmp_path / "run.sh").stat()
    assert "Fixed 0" not in first.out
    assert once != SEVERAL
    assert "enable_expert_parallel" not in once
    second = reviewbot(tmp_path, "check", "--fix", "--min-severity", "low", "run.sh", "--verl", "0.9.1")
    assert "Nothing to fix." in second.out
    assert (tmp_path / "run.sh").read_text() == once
    after = (tmp_path / "run.sh").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_what_cannot_be_fixed_is_still_reported(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD.replace("+trainer.nnodes", "trainer.zzzzzz=1 +trainer.nnodes"))
    done = reviewbot(tmp_path, "check", "--fix")
    assert done.code == 1
    assert "Fixed 1 finding in 1 file." in done.out
    assert "1 finding (1 high)" in done.out
    assert "unknown-key" in done.out
    assert "trainer.zzzzzz=1 trainer.nnodes=2" in (tmp_path / "run.sh").read_text()


@pytest.mark.parametrize("staged", [False, True])
def test_a_hunk_with_uncommitted_changes_is_left_alone(repo: Path, staged: bool) -> None:
    text = BAD.replace("vllm", "sglang")
    (repo / "run.sh").write_text(text)
    if staged:
        git(repo, "add", "run.sh")
    done = reviewbot(repo, "check", "--fix")
    assert done.code == 1
    assert (repo / "run.sh").read_text() == text
    assert "run.sh: not fixed: it has uncommitted changes around line 3; commit them first" in done.out
    assert "Fixed 0 findings in 0 files, 1 file left alone." in done.out
    assert "wrong-prefix" in done.out
    asked = reviewbot(repo, "check", "--fix-dirty")
    assert asked.code == 0
    assert (repo / "run.sh").read_text() == text.replace("+trainer", "trainer")


def test_uncommitted_changes_elsewhere_in_the_file_do_not_matter(repo: Path) -> None:
    far = "# one\n" * 8
    (repo / "run.sh").write_text(far + BAD)
    git(repo, "commit", "-am", "two")
    (repo / "run.sh").write_text("# other\n" + far + BAD)
    done = reviewbot(repo, "check", "--fix")
    assert done.code == 0
    assert (repo / "run.sh").read_text() == "# other\n" + far + GOOD


def test_an_untracked_file_is_left_alone(repo: Path) -> None:
    (repo / "new.sh").write_text(BAD)
    done = reviewbot(repo, "check", "--fix", "new.sh")
    assert done.code == 1
    assert "new.sh: not fixed: it is not committed" in done.out
    assert (repo / "new.sh").read_text() == BAD


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_missing_newline_at_the_end_stays_missing(tmp_path: Path, end: str) -> None:
    text = GOOD.removesuffix("\n") + " \\\n    trainer.nnodes=2" + end
    (tmp_path / "run.sh").write_text(text)
    done = reviewbot(tmp_path, "check", "--fix", "--min-severity", "low")
    assert "Fixed 1 finding" in done.out
    after = (tmp_path / "run.sh").read_text()
    assert after.count("trainer.nnodes") == 1
    assert after.endswith("\n") == bool(end)
    assert ("\\ No newline at end of file" in done.out) == (not end)


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    args = "args=(\n    actor_rollout_ref.rollout.name=vllm\n    +trainer.nnodes=2\n)\n"
    script = args + "python3 -m verl.trainer.main_ppo ${args[@]} # x\n"
    (tmp_path / "run.sh").write_bytes(script.replace("\n", "\r\n").encode())
    done = reviewbot(tmp_path, "check", "--fix")
    assert "Fixed 1 finding" in done.out
    assert "\r" not in done.out
    expected = script.replace("+trainer", "trainer").replace("\n", "\r\n")
    assert (tmp_path / "run.sh").read_bytes() == expected.encode()


def test_mode_and_byte_order_mark_stay(tmp_path: Path) -> None:
    file = tmp_path / "run.sh"
    file.write_text("\ufeff# first\n" + BAD, encoding="utf-8")
    file.chmod(0o751)
    assert "Fixed 1 finding" in reviewbot(tmp_path, "check", "--fix").out
    assert stat.S_IMODE(file.stat().st_mode) == 0o751
    assert file.read_text(encoding="utf-8") == "\ufeff# first\n" + GOOD
    assert [path.name for path in tmp_path.iterdir()] == ["run.sh"]


def test_a_link_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    (tmp_path / "real").write_text(BAD)
    (tmp_path / "run.sh").symlink_to("real")
    done = reviewbot(tmp_path, "check", "--fix", "run.sh")
    assert done.code == 2
    assert "run.sh: not fixed: it is a symbolic link" in done.out
    assert (tmp_path / "run.sh").is_symlink()
    assert (tmp_path / "real").read_text() == BAD


def test_nothing_is_written_through_a_folder_that_leads_out(
    repo: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "run.sh").write_text(BAD)
    (repo / "ext").symlink_to(outside)
    lines = "".join(f"+{line}" for line in BAD.splitlines(keepends=True))
    diff = f"--- /dev/null\n+++ b/ext/run.sh\n@@ -0,0 +1,{BAD.count(chr(10))} @@\n{lines}"
    (repo / "c.diff").write_text(f"diff --git a/ext/run.sh b/ext/run.sh\nnew file mode 100644\n{diff}")
    for more in ((), ("--all-lines",)):
        done = reviewbot(repo, "check", "--diff", "c.diff", "--fix", *more)
        assert "wrong-prefix" in done.out
        assert (outside / "run.sh").read_text() == BAD


def test_with_json_the_fixes_are_told_on_standard_error(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    done = reviewbot(tmp_path, "check", "--fix", "--format", "json")
    assert json.loads(done.out)["findings"] == []
    assert "Fixed 1 finding in 1 file." in done.err


def test_with_a_base_only_what_the_change_brought_is_fixed(repo: Path) -> None:
    twice = BAD + BAD
    (repo / "run.sh").write_text(twice)
    done = reviewbot(repo, "check", "--base", "main", "--fix-dirty")
    assert done.code == 0, done.out
    assert (repo / "run.sh").read_text() == BAD + GOOD
    again = reviewbot(repo, "check", "--base", "main", "--fix-dirty")
    assert "Nothing to fix." in again.out


def test_a_diff_without_its_file_fixes_nothing(tmp_path: Path) -> None:
    body = "".join(f"+{line}\n" for line in BAD.split("\n")[:-1])
    (tmp_path / "pr.diff").write_text(f"--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1,3 @@\n{body}")
    done = reviewbot(tmp_path, "check", "--diff", "pr.diff", "--fix")
    assert done.code == 1
    assert "Nothing to fix." in done.out
    assert not (tmp_path / "run.sh").exists()
