"""History: the last merged pull requests that touched a recipe or a key, from git and from the API."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from loopback_client import client_of
from loopback_github import Fault, LoopbackGitHub

from reviewbot.git import commits_touching
from reviewbot.github.client import Client
from reviewbot.github.history import MAX_REQUESTS, Historian, History, PastPull, merged_pull

KEY = "trainer.nnodes"


@pytest.mark.parametrize(
    ("message", "pull"),
    [
        ("[vllm] feat: more nodes (#12)", PastPull(12, "[vllm] feat: more nodes")),
        ("Fix (#3) (#14)\n\nbody (#9)", PastPull(14, "Fix (#3)")),
        ("Merge pull request #7 from octo/topic\n\nMore nodes\n", PastPull(7, "More nodes")),
        ("Merge pull request #7 from octo/topic", PastPull(7, "")),
        ("More nodes", None),
        ("More nodes, see (#12) for why", None),
        ("(#12)", None),
        ("", None),
    ],
)
def test_messages(message: str, pull: PastPull | None) -> None:
    assert merged_pull(message) == pull


VERSIONS = [
    ("a (#1)", "trainer.nnodes=1\n"),
    ("b (#2)", "trainer.nnodes=1\ntrainer.x=1\n"),
    ("c, pushed without a pull request", "trainer.nnodes=2\ntrainer.x=1\n"),
    ("d (#4)", "trainer.nnodes=3\ntrainer.x=1\n"),
    ("e (#5)", "trainer.nnodes=3\ntrainer.x=2\n"),
    ("f (#6)", "trainer.nnodes=4\ntrainer.x=2\n"),
    ("g (#7)", "trainer.nnodes=5\ntrainer.x=2\n"),
]
OF_RECIPE = History("run.sh", (PastPull(7, "g"), PastPull(6, "f"), PastPull(5, "e")))
OF_KEY = History(KEY, (PastPull(7, "g"), PastPull(6, "f"), PastPull(4, "d")))


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for message, text in VERSIONS:
        (folder / "run.sh").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-qm", message)
    return folder


def test_from_git(github: LoopbackGitHub, client: Client, checkout: Path) -> None:
    historian = Historian(client, git(checkout, "rev-parse", "HEAD"), checkout, 99)
    assert historian.tell(["run.sh", "run.sh", "other.sh"], [(KEY, "run.sh")]) == (OF_RECIPE, OF_KEY)
    assert github.log == []


def test_a_pull_request_is_no_history_of_its_own(client: Client, checkout: Path) -> None:
    historian = Historian(client, git(checkout, "rev-parse", "HEAD"), checkout, 7)
    assert historian.tell(["run.sh"], []) == (
        History("run.sh", (PastPull(6, "f"), PastPull(5, "e"), PastPull(4, "d"))),
    )


def test_paths_and_keys_are_no_patterns(checkout: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    assert commits_touching(checkout, head, ":(top,literal)*.sh", None, 10) == ()
    assert commits_touching(checkout, head, ":(top)*.sh", "trainer.n.*", 10) == ()
    assert commits_touching(checkout, "main", ":(top)*.sh", None, 10) is None, "only whole ids"
    assert commits_touching(checkout, "f" * 40, ":(top)*.sh", None, 10) is None


def served(github: LoopbackGitHub) -> str:
    commit = ""
    for message, text in VERSIONS:
        parents = (commit,) if commit else ()
        commit = github.repository.commit({"run.sh": text}, *parents, message=message)
    return commit


def test_from_the_api_where_the_clone_is_shallow(
    github: LoopbackGitHub, client: Client, checkout: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{checkout}", "shallow")
    historian = Historian(client, served(github), tmp_path / "shallow", 99)
    assert historian.tell(["run.sh"], [(KEY, "run.sh")]) == (OF_RECIPE, OF_KEY)
    assert github.requests("GET", "/commits$")


def test_requests_are_few(github: LoopbackGitHub, client: Client) -> None:
    historian = Historian(client, served(github), None, 99)
    historian.tell(
        [f"{number}.sh" for number in range(40)], [(f"a.k{number}", "run.sh") for number in range(40)]
    )
    assert 0 < len(github.log) <= MAX_REQUESTS


def test_time_is_bounded(github: LoopbackGitHub, client: Client, checkout: Path) -> None:
    times = iter([0.0, *[1000.0] * 50])
    historian = Historian(client, served(github), checkout, 99, clock=lambda: next(times))
    assert historian.tell(["run.sh"], [(KEY, "run.sh")]) == ()
    assert github.log == []


def test_what_github_refuses_is_no_trouble(github: LoopbackGitHub) -> None:
    commit = served(github)
    github.faults.append(Fault("before", "GET", "/commits$", 404, "Not Found", times=9))
    historian = Historian(client_of(github), commit, None, 99)
    assert historian.tell(["run.sh"], [(KEY, "run.sh")]) == ()
    assert len(github.log) == 1
