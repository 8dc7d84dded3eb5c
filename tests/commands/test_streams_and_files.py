"""Closed, full and narrow streams; files that are no files; folders that are gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from program import BAD, reviewbot

RUN = f"{sys.executable} -m reviewbot"


def shell(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("check --diff - <&-", "standard input is closed"),
        ("check run.sh >&-", "standard output is closed"),
        ("show run.sh >&-", "standard output is closed"),
        ("check run.sh >/dev/full", "No space left on device"),
        ("check --diff /dev/zero", "the diff is larger"),
        ("check --diff - </dev/zero", "the diff is larger"),
        ("check pipe", "is not a regular file"),
        ("check /dev/zero", "is not a regular file"),
    ],
)
def test_a_stream_that_cannot_be_used_gets_one_sentence(tmp_path: Path, command: str, sentence: str) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    os.mkfifo(tmp_path / "pipe")
    done = shell(tmp_path, f"{RUN} {command}")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_report_into_a_file_needs_no_standard_output(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    assert shell(tmp_path, f"{RUN} check run.sh --output report >&-").returncode == 1
    assert "wrong-prefix" in (tmp_path / "report").read_text()


def test_what_belongs_on_a_closed_standard_error_never_reaches_standard_output(tmp_path: Path) -> None:
    done = shell(tmp_path, f"{RUN} check missing.sh 2>&-")
    assert done.returncode == 2
    assert not done.stdout


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    done = shell(tmp_path, f"mkdir gone; cd gone; rmdir ../gone; {RUN} check")
    assert done.returncode == 2
    assert done.stderr == "reviewbot: the current folder is not there any more; change to another one\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_narrow_encoding_gets_escapes(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "run.sh").write_text(BAD.replace("=2", "=二"))
    done = reviewbot(tmp_path, "check", "run.sh", env={"PYTHONIOENCODING": encoding})
    assert done.code == 1, done.err
    assert r"+trainer.nnodes=\u4e8c" in done.out


def test_a_pipe_among_the_recipes_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    os.mkfifo(tmp_path / "pipe.sh")
    done = reviewbot(tmp_path, "check")
    assert done.code == 1
    assert "pipe.sh: is not a regular file; it was not reviewed" in done.err
