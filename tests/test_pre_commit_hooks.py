"""The hooks, from the hook file: pre-commit installs this checkout and runs them on a repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent
BAD = """\
#!/bin/bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    +trainer.nnodes=2
"""
GOOD = BAD.replace("+trainer", "trainer")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    skipped = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")
    env = {name: value for name, value in os.environ.items() if name not in skipped}
    env |= {"PRE_COMMIT_HOME": str(folder.parent / "pre-commit"), "NO_COLOR": "1"}
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    full = ["git", *identity, *command[1:]] if command[0] == "git" else list(command)
    return subprocess.run(full, cwd=folder, capture_output=True, text=True, env=env, check=False)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what git knows of this one: what pre-commit would clone."""
    folder = tmp_path_factory.mktemp("hooks") / "published"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (HERE / name).is_file() and not name.startswith(("tests/", "acceptance/", "benchmarks/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((HERE / name).read_bytes())
    for command in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-q", "-m", "all"]):
        assert run(folder, "git", *command).returncode == 0
    return folder


def test_the_hooks(published: Path) -> None:
    folder = published.parent / "work"
    folder.mkdir()
    (folder / "run.sh").write_text(GOOD)
    (folder / "old.sh").write_text(BAD)
    run(folder, "git", "init", "-q")
    run(folder, "git", "add", "-A")
    run(folder, "git", "commit", "-q", "-m", "first")
    config = (
        f"repos:\n- repo: {published}\n  rev: {{}}\n  hooks:\n  - id: reviewbot\n  - id: reviewbot-whole\n"
    )
    head = run(published, "git", "rev-parse", "HEAD").stdout.strip()
    (folder / ".pre-commit-config.yaml").write_text(config.format(head))
    run(folder, "git", "add", "-A")
    pre_commit = (sys.executable, "-m", "pre_commit", "run")

    (folder / "run.sh").write_text(GOOD + "echo done\n")
    run(folder, "git", "add", "-A")
    clean = run(folder, *pre_commit)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    assert clean.stdout.count("Passed") == 2

    (folder / "run.sh").write_text(BAD)
    run(folder, "git", "add", "-A")
    wrong = run(folder, *pre_commit)
    assert wrong.returncode == 1
    assert wrong.stdout.count("4:5 high: wrong-prefix") == 2
    assert "old.sh" not in wrong.stdout

    (folder / "run.sh").write_text(GOOD)
    (folder / "old.sh").write_text(BAD + "echo done\n")
    run(folder, "git", "add", "-A")
    changes = run(folder, *pre_commit, "reviewbot")
    assert changes.returncode == 0, changes.stdout
    whole = run(folder, *pre_commit, "reviewbot-whole")
    assert (whole.returncode, "old.sh" in whole.stdout) == (1, True)
