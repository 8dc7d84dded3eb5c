"""The action itself: ``act`` runs the example workflows as they stand, on this machine, against the loopback GitHub."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from loopback_github import LoopbackGitHub
from test_github_job import comment_event, pull_event

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / "docs" / "workflows"
BAD = (
    "python3 -m verl.trainer.main_ppo \\\n    actor_rollout_ref.rollout.name=vllm \\\n    +trainer.nnodes=2\n"
)
GOOD = BAD.replace("+trainer", "trainer")
ACTION = "OWNER/reviewbot@0000000000000000000000000000000000000000"
SHOW_OUTPUTS = """\
        id: reviewbot
      - run: echo "$OUTPUTS"
        env:
          OUTPUTS: ${{ toJSON(steps.reviewbot.outputs) }}
"""
"""What a workflow that goes on with the outputs adds."""
SHIPPED = (
    "action.yml",
    "LICENSE",
    "README.md",
    "docs",
    "pyproject.toml",
    "requirements",
    "reviewbot",
    "rules",
)


@dataclass(frozen=True)
class Ran:
    code: int
    log: str


@pytest.fixture(scope="session")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The action as a checkout of it holds it."""
    folder = tmp_path_factory.mktemp("action")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def run_workflow(
    github: LoopbackGitHub,
    folder: Path,
    action: Path,
    name: str,
    event: str,
    payload: dict[str, Any],
    more: str = "",
) -> Ran:
    """Run one of the example workflows in a checkout of the base."""
    base = github.repository.commits[github.repository.branches[github.pull().base]]
    checkout = folder / "checkout"
    for path, data in base.tree.items():
        file = checkout / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    workflow = checkout / ".github" / "workflows" / name
    workflow.parent.mkdir(parents=True, exist_ok=True)
    workflow.write_text((WORKFLOWS / name).read_text(encoding="utf-8") + more, encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(checkout)]
    for command in (
        ["init", "-q", "-b", "main"],
        ["remote", "add", "origin", f"https://github.com/{github.repository.name}"],
        ["add", "-A"],
        ["commit", "-qm", "Base"],
    ):
        subprocess.run([*git, *command], check=True, capture_output=True)
    (folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
    home = folder / "home"
    home.mkdir()
    pip = [f"--env={key}={value}" for key, value in os.environ.items() if key.startswith("PIP_")]
    done = subprocess.run(
        [
            str(Path(sys.executable).parent / "act"),
            event,
            "--workflows",
            str(workflow),
            "--eventpath",
            str(folder / "event.json"),
            "--platform=ubuntu-latest=-self-hosted",
            f"--local-repository={ACTION}={action}",
            "--secret=GITHUB_TOKEN=bot-token",
            f"--env=GITHUB_API_URL={github.url}",
            "--env=GITHUB_SERVER_URL=https://github.com",
            *pip,
        ],
        cwd=checkout,
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(home),
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(home / ".cache")),
            "TMPDIR": str(folder),
            "CI": "true",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout + done.stderr)


def test_the_example_for_branches(github: LoopbackGitHub, tmp_path: Path, action: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    ran = run_workflow(
        github, tmp_path, action, "review.yml", "pull_request", pull_event(github), SHOW_OUTPUTS
    )
    assert ran.code == 0, ran.log
    (thread,) = github.pull().threads
    assert (thread.path, thread.line) == ("run.sh", 3)
    assert "```suggestion\n    trainer.nnodes=2\n```" in thread.comments[0].body
    assert "OWNER/reviewbot/blob/0000000000000000000000000000000000000000/docs/checks/wrong-prefix.md" in (
        thread.comments[0].body
    )
    for output in ('"findings": "1"', '"posted": "1"', '"skipped": "0"', '"highest-severity": "high"'):
        assert output in ran.log
    assert '"review-url": "https://github.com/' in ran.log
    summary = ran.log[ran.log.index("Summary - ") :]
    assert "### reviewbot: 1 finding" in summary
    assert "**refused at start**" in summary
    assert "bot-token" not in ran.log


def test_the_example_for_forks(github: LoopbackGitHub, tmp_path: Path, action: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    ran = run_workflow(
        github, tmp_path, action, "review-forks.yml", "pull_request_target", pull_event(github)
    )
    assert ran.code == 0, ran.log
    assert len(github.pull().threads) == 1
    assert (tmp_path / "checkout" / "run.sh").read_text() == GOOD


def test_the_example_for_forks_takes_commands(github: LoopbackGitHub, tmp_path: Path, action: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    github.repository.permissions["alice"] = "write"
    event = comment_event(github, "/reviewbot explain trainer.nnodes")
    ran = run_workflow(github, tmp_path, action, "review-forks.yml", "issue_comment", event)
    assert ran.code == 0, ran.log
    assert github.pull().comments[0].reactions == ["eyes"]
    assert "`1` by default" in github.pull().comments[-1].body


def test_the_example_in_two_steps(github: LoopbackGitHub, tmp_path: Path, action: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    run = {"event": "pull_request", "head_sha": github.pull().head, "pull_requests": []}
    event = {"action": "completed", "workflow_run": run}
    ran = run_workflow(github, tmp_path, action, "review-two-steps.yml", "workflow_run", event)
    assert ran.code == 0, ran.log
    assert len(github.pull().threads) == 1
