"""Whole runs of ``reviewbot review``: an event in, comments, outputs, job summary and exit code out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from loopback_github import LoopbackGitHub
from loopback_repository import Comment, Commit

BAD = (
    "python3 -m verl.trainer.main_ppo \\\n    actor_rollout_ref.rollout.name=vllm \\\n    +trainer.nnodes=2\n"
)
GOOD = BAD.replace("+trainer", "trainer")
ENTRY = """\
import hydra


@hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
def main(config):
    pass
"""
CODE = """\
import sys
from argparse import Namespace
from reviewbot.commands.review import run
from reviewbot.github.transport import Pace
sys.exit(run(Namespace(dry_run={dry}), Pace(between_writes=0)))
"""


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: str


def review(
    github: LoopbackGitHub, folder: Path, event: str, payload: dict[str, Any], dry: bool = False, **env: str
) -> Done:
    """Run it in a process of its own, with nothing but what a runner sets."""
    (folder / "event.json").write_text(json.dumps(payload))
    for name in ("output", "summary"):
        (folder / name).write_text("")
    workspace = folder / "workspace"
    workspace.mkdir(exist_ok=True)
    settings = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_REPOSITORY": github.repository.name,
        "GITHUB_API_URL": github.url,
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_TOKEN": "bot-token",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        **env,
    }
    command = [sys.executable, "-c", CODE.format(dry=dry)]
    done = subprocess.run(command, cwd=workspace, env=settings, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    assert "bot-token" not in done.stdout + done.stderr
    return Done(
        done.returncode,
        done.stdout,
        done.stderr,
        read_outputs((folder / "output").read_text()),
        (folder / "summary").read_text(),
    )


def read_outputs(text: str) -> dict[str, str]:
    """Outputs as the runner reads them."""
    lines = iter(text.split("\n"))
    outputs = {}
    for line in lines:
        if line:
            name, delimiter = line.split("<<")
            value = []
            while (next_line := next(lines)) != delimiter:
                value.append(next_line)
            outputs[name] = "\n".join(value)
    return outputs


def pull_event(github: LoopbackGitHub, action: str = "opened") -> dict[str, Any]:
    pull = github.pull()
    return {"action": action, "pull_request": {"number": pull.number, "head": {"sha": pull.head}}}


def test_a_pull_request_is_reviewed(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    done = review(github, tmp_path, "pull_request", pull_event(github))
    assert done.code == 0, done.err
    (thread,) = github.pull().threads
    assert (thread.path, thread.start_line, thread.line) == ("run.sh", 3, 3)
    body = thread.comments[0].body
    assert body.startswith("**High**: ")
    assert "`+trainer.nnodes=2`" in body.split("\n")[0]
    assert "```suggestion\n    trainer.nnodes=2\n```" in body
    assert "reviewbot: ignore[wrong-prefix]" in body
    assert done.outputs == {
        "findings": "1",
        "posted": "1",
        "skipped": "0",
        "highest-severity": "high",
        "sarif-file": "",
        "review-url": f"https://github.com/octo/recipes/pull/1#pullrequestreview-{github.pull().reviews[0].id}",
    }
    assert "wrong-prefix" in done.summary
    assert "1 finding" in github.pull().comments[0].body
    assert done.out == ""


def test_pull_request_target_without_any_checkout_reads_the_base_through_the_api(
    github: LoopbackGitHub, tmp_path: Path
) -> None:
    tree = {
        "verl/trainer/main_ppo.py": ENTRY,
        "verl/trainer/config/ppo_trainer.yaml": "trainer:\n  nodes: 1\n",
        "verl/version/version": "0.9.1\n",
        "run.sh": "python3 -m verl.trainer.main_ppo trainer.nodes=2\n",
    }
    renamed = {
        **tree,
        "verl/trainer/config/ppo_trainer.yaml": "trainer:\n  nnodes: 1\n",
        "run.sh": "python3 -m verl.trainer.main_ppo trainer.nnodes=2\n",
    }
    github.repository.open_pull(tree, renamed)
    github.pull().fork = True
    done = review(github, tmp_path, "pull_request_target", pull_event(github))
    assert done.code == 0, done.err
    assert done.outputs["findings"] == "0", "a key and its recipe renamed together"
    assert github.requests("GET", "/tarball/")
    github.repository.push(
        github.pull(), {**renamed, "run.sh": "python3 -m verl.trainer.main_ppo trainer.nodes=3\n"}
    )
    done = review(github, tmp_path, "pull_request_target", pull_event(github))
    assert done.outputs["findings"] == "1", "the old name with the new tree"
    assert "read from source" in done.summary


def test_the_checkout_of_the_trial_merge_is_used(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    merge = trial_merge(github, tmp_path / "workspace", {"run.sh": BAD})
    done = review(github, tmp_path, "pull_request", pull_event(github), GITHUB_SHA=merge)
    assert done.outputs["findings"] == "1"
    assert not github.requests("GET", "/tarball/")
    assert not github.requests("GET", "/git/blobs/"), "the file at hand is the one that GitHub names"


def test_a_fork_gets_annotations_and_a_job_summary(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    github.pull().fork = True
    done = review(github, tmp_path, "pull_request", pull_event(github), GITHUB_TOKEN="read-only-token")
    assert done.code == 0, "the exit code speaks of findings, not of what GitHub refused"
    assert done.out.startswith(
        "::error file=run.sh,line=3,endLine=3,title=reviewbot%3A wrong-prefix (high)::"
    )
    assert "wrong-prefix" in done.summary
    assert done.outputs["findings"] == "1"
    assert done.outputs["posted"] == "0"
    failing = review(
        github,
        tmp_path,
        "pull_request",
        pull_event(github),
        GITHUB_TOKEN="read-only-token",
        REVIEWBOT_FAIL_LEVEL="high",
    )
    assert failing.code == 1


def test_a_release_that_the_pull_request_raises_counts(github: LoopbackGitHub, tmp_path: Path) -> None:
    newer = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm{}\n"
    base = {"run.sh": newer.format(""), "requirements.txt": "verl==0.5.0\n"}
    key = " actor_rollout_ref.rollout.data_parallel_size=1"
    github.repository.open_pull(base, {"run.sh": newer.format(key), "requirements.txt": "verl==0.9.1\n"})
    review(github, tmp_path, "pull_request", pull_event(github))
    assert github.pull().threads == []
    github.repository.push(github.pull(), {"run.sh": newer.format(key), "requirements.txt": "verl==0.5.0\n"})
    review(github, tmp_path, "pull_request", pull_event(github))
    assert "Hydra refuses" in github.pull().threads[0].comments[0].body


def test_the_configuration_comes_from_the_base(github: LoopbackGitHub, tmp_path: Path) -> None:
    base = {"run.sh": GOOD, ".github/reviewbot.yml": "fail-level: high\n"}
    github.repository.open_pull(base, {"run.sh": BAD, ".github/reviewbot.yml": "fail-level: none\n"})
    assert review(github, tmp_path, "pull_request", pull_event(github)).code == 1


def test_the_language_of_the_base_or_of_the_input(github: LoopbackGitHub, tmp_path: Path) -> None:
    pull = github.repository.open_pull({"run.sh": GOOD, "reviewbot.yml": "language: zh\n"}, {"run.sh": BAD})
    assert review(github, tmp_path, "pull_request", pull_event(github)).code == 0
    (thread,) = pull.threads
    assert "**高**" in thread.comments[0].body
    github.repository.push(pull, {"run.sh": BAD + "echo\n"})
    assert review(github, tmp_path, "pull_request", pull_event(github), REVIEWBOT_LANG="en").code == 0
    assert len(pull.threads) == 1


def test_dry_run_prints_and_posts_nothing(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    done = review(github, tmp_path, "pull_request", pull_event(github), dry=True)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("::stop-commands::")
    assert lines[-1] == f"::{lines[0].rpartition('::')[2]}::"
    payload = json.loads("\n".join(lines[1:-1]))
    assert payload["review"]["comments"][0]["line"] == 3
    assert "1 finding" in payload["summary"]
    assert not [item for item in github.log if item.verb != "GET" and item.path != "/graphql"]


def test_sarif_check_run_and_debug(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    done = review(
        github,
        tmp_path,
        "pull_request",
        pull_event(github),
        REVIEWBOT_SARIF_FILE="found.sarif",
        REVIEWBOT_CHECK_RUN="true",
        RUNNER_DEBUG="1",
        REVIEWBOT_ANNOTATIONS="true",
    )
    assert done.code == 0, done.err
    assert done.outputs["sarif-file"] == "found.sarif"
    sarif = json.loads((tmp_path / "workspace" / "found.sarif").read_text())
    assert sarif["runs"][0]["results"][0]["ruleId"] == "wrong-prefix"
    (run,) = github.repository.check_runs.values()
    assert run[-1]["conclusion"] == "neutral"
    assert "GET /repos/octo/recipes/pulls/1" in done.err
    assert done.out.count("::error ") == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"open": False}, "the pull request is closed"),
        ({"draft": True}, "the pull request is a draft"),
    ],
)
def test_closed_and_draft_pull_requests(
    github: LoopbackGitHub, tmp_path: Path, change: dict[str, bool], sentence: str
) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    vars(github.pull()).update(change)
    done = review(github, tmp_path, "pull_request", pull_event(github))
    assert sentence in done.err
    assert github.pull().threads == []
    if change.get("draft"):
        review(github, tmp_path, "pull_request", pull_event(github), REVIEWBOT_DRAFTS="true")
        assert len(github.pull().threads) == 1


def test_an_older_event_stops_quietly(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    event = pull_event(github)
    github.repository.push(github.pull(), {"run.sh": BAD + "true\n"})
    done = review(github, tmp_path, "pull_request", event)
    assert done.code == 0
    assert "newer commit" in done.err
    assert github.pull().threads == []


def test_workflow_run_finds_the_pull_request_by_its_head(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    run = {"event": "pull_request", "head_sha": github.pull().head, "pull_requests": []}
    done = review(github, tmp_path, "workflow_run", {"action": "completed", "workflow_run": run})
    assert done.code == 0, done.err
    assert len(github.pull().threads) == 1


def test_workflow_dispatch(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    review(github, tmp_path, "workflow_dispatch", {"inputs": {"pr": "1"}})
    assert len(github.pull().threads) == 1


def comment_event(
    github: LoopbackGitHub, body: str, association: str = "MEMBER", login: str = "alice"
) -> dict[str, Any]:
    comment = Comment(next(github.repository.ids), login, body)
    github.pull().comments.append(comment)
    return {
        "action": "created",
        "issue": {"number": 1, "pull_request": {}},
        "comment": {
            "id": comment.id,
            "body": body,
            "author_association": association,
            "user": {"login": login},
        },
    }


def test_commands(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    github.repository.permissions["alice"] = "write"
    pull = github.pull()
    done = review(github, tmp_path, "issue_comment", comment_event(github, "please\n/reviewbot pause"))
    assert done.code == 0, done.err
    assert pull.comments[0].reactions == ["eyes"]
    assert "paused" in pull.comments[-1].body
    assert "paused" in review(github, tmp_path, "pull_request", pull_event(github)).err
    assert pull.threads == []
    review(github, tmp_path, "issue_comment", comment_event(github, "/reviewbot resume"))
    review(github, tmp_path, "pull_request", pull_event(github))
    assert len(pull.threads) == 1
    review(github, tmp_path, "issue_comment", comment_event(github, "/reviewbot help"))
    assert "/reviewbot explain" in pull.comments[-1].body
    review(github, tmp_path, "issue_comment", comment_event(github, "/reviewbot explain trainer.nnodes"))
    assert "`1` by default" in pull.comments[-1].body
    review(github, tmp_path, "issue_comment", comment_event(github, "/reviewbot explain overwritten"))
    assert "one of the checks" in pull.comments[-1].body
    review(github, tmp_path, "issue_comment", comment_event(github, "/reviewbot explain no.such.key"))
    assert "Nothing is known about `no.such.key`" in pull.comments[-1].body
    review(github, tmp_path, "issue_comment", comment_event(github, "/reviewbot review"))
    assert len(pull.threads) == 1


@pytest.mark.parametrize(
    ("association", "login"), [("NONE", "alice"), ("CONTRIBUTOR", "alice"), ("MEMBER", "bob")]
)
def test_commands_of_strangers_do_nothing(
    github: LoopbackGitHub, tmp_path: Path, association: str, login: str
) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    github.repository.permissions["alice"] = "write"
    event = comment_event(github, "/reviewbot review", association, login)
    done = review(github, tmp_path, "issue_comment", event)
    assert done.code == 0
    assert github.pull().comments[0].reactions == []
    assert github.pull().threads == []
    assert not [item for item in github.log if item.verb != "GET"]


def test_what_is_missing_is_one_sentence(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull({"run.sh": GOOD}, {"run.sh": BAD})
    from reviewbot.errors import InputError
    from reviewbot.github.runner import Runner

    for name in ("repository", "token"):
        with pytest.raises(InputError, match="GITHUB_"):
            getattr(Runner({}), name)
    with pytest.raises(InputError, match="GITHUB_EVENT_PATH"):
        Runner({}).event()


def test_nothing_of_a_pull_request_can_give_the_runner_a_command(
    github: LoopbackGitHub, tmp_path: Path
) -> None:
    evil = BAD.replace("nnodes=2", "nnodes='2\n::set-output name=x::y\n##[error]z'")
    github.repository.open_pull({"a::b,c.sh": GOOD, "run.sh": GOOD}, {"a::b,c.sh": BAD, "run.sh": evil})
    done = review(github, tmp_path, "pull_request", pull_event(github), GITHUB_TOKEN="read-only-token")
    lines = (done.out + done.err).splitlines()
    commands = [line for line in lines if line.lstrip().startswith("::")]
    assert commands
    assert all(line.startswith(("::error file=", "::warning file=")) for line in commands)
    assert any("file=a%3A%3Ab%2Cc.sh," in line for line in commands)
    assert not any(line.startswith("##[") for line in lines)


WORKFLOW = "on: push\njobs:\n  a:\n    steps:\n      - run: bash other.sh\n"
SOURCE = {
    "verl/trainer/main_ppo.py": ENTRY,
    "verl/version/version": "0.9.1\n",
    ".github/workflows/ci.yml": WORKFLOW,
}


def source(nodes: int, script: str, more: str = "") -> dict[str, str]:
    return {
        **SOURCE,
        "verl/trainer/config/ppo_trainer.yaml": f"trainer:\n  nnodes: {nodes}\n  copies: ${{trainer.nnodes}}\n{more}",
        "run.sh": script,
    }


COMMAND = "python3 -m verl.trainer.main_ppo"
BEFORE_CHANGE = source(1, f"export MODE=fast\n{COMMAND}\n")
AFTER_CHANGE = source(4, f"export MODE=slow\n{COMMAND} trainer.nothing=1\n", "  added: 1\n")


def check_sections(summary: str) -> None:
    assert "| `run.sh` | `trainer.nnodes` and 1 key that follows it | `1` | `4` | not known |" in summary
    assert "| `run.sh` | `trainer.added` | not set | `1` | not known |" in summary
    assert "| `run.sh` | `trainer.nothing` | not set | `1` | no: refused at start |" in summary
    assert "| `run.sh` | `MODE` | `fast` | `slow` | environment |" in summary
    assert "- `run.sh`: **refused at start** (line 2)" in summary
    assert "- `run.sh`: **run by no workflow of this repository**" in summary


def test_the_summary_tells_effects_risks_and_history(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull(BEFORE_CHANGE, AFTER_CHANGE)
    pull = github.pull()
    first = github.repository.commit({"run.sh": ""}, message="An `odd` title @team (#41)")
    pull.merge_base = github.repository.commit(BEFORE_CHANGE, first, message="Nothing to see")
    github.repository.branches["main"] = pull.merge_base
    done = review(github, tmp_path, "pull_request", pull_event(github))
    assert done.code == 0, done.err
    for text in (github.pull().comments[0].body, done.summary):
        check_sections(text)
        link = "[41](https://github.com/octo/recipes/pull/41)"
        assert f"- `run.sh`: {link} ``An `odd` title @team``" in text


def test_a_trial_merge_is_compared_with_the_base(github: LoopbackGitHub, tmp_path: Path) -> None:
    github.repository.open_pull(BEFORE_CHANGE, AFTER_CHANGE)
    merge = trial_merge(github, tmp_path / "workspace", AFTER_CHANGE)
    done = review(github, tmp_path, "pull_request", pull_event(github), GITHUB_SHA=merge)
    assert not github.requests("GET", "/tarball/")
    check_sections(done.summary)


def trial_merge(github: LoopbackGitHub, workspace: Path, tree: dict[str, str]) -> str:
    """A checkout of GitHub's merge of base and head; returns its commit."""
    for path, text in tree.items():
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_text(text)

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        command = ["git", *identity, *arguments]
        return subprocess.run(
            command, cwd=workspace, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "merge")
    merge = git("rev-parse", "HEAD")
    pull = github.pull()
    github.repository.commits[merge] = Commit(merge, {}, (pull.merge_base, pull.head))
    return merge
