"""Progress on a terminal: a real one, made with pty."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from program import GOOD

SCRIPTS = 6
ONE_SECOND_A_SCRIPT = """
import itertools, sys, types
from reviewbot.__main__ import main
from reviewbot.commands import progress
progress.time = types.SimpleNamespace(monotonic=itertools.count().__next__)
sys.exit(main())
"""
"""The program with a clock that does not depend on the machine: what is slow is not for a test to guess."""


def on_terminal(folder: Path, *arguments: str, **env: str) -> tuple[str, str]:
    """Standard output, and what standard error, a terminal, was sent."""
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("CI", "TERM", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", ONE_SECOND_A_SCRIPT, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**clean, "TERM": "xterm", "COLUMNS": "60", **env},
    )
    os.close(theirs)
    pieces = []
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not piece:
            break
        pieces.append(piece)
    out = process.communicate()[0].decode()
    os.close(ours)
    assert process.returncode == 0
    return out, b"".join(pieces).decode()


@pytest.fixture(scope="module")
def recipes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recipes")
    for number in range(SCRIPTS):
        (folder / f"run_{number}_{'x' * 80}\x1b[31m.sh").write_text(GOOD)
    return folder


def test_a_line_that_is_written_over(recipes: Path) -> None:
    out, err = on_terminal(recipes, "check", "--fail-level", "none")
    assert f"{SCRIPTS} recipes reviewed" in out
    assert "\r\x1b[K" not in out
    lines = err.split("\r\x1b[K")
    assert lines[0] == lines[-1] == ""
    assert len(lines) == SCRIPTS + 2
    assert all(line.startswith("reviewbot: ") and len(line) < 60 for line in lines[1:-1])
    assert "\x1b[31m" not in err
    assert lines[1].startswith(f"reviewbot: 1/{SCRIPTS} run_")


@pytest.mark.parametrize(
    ("arguments", "env"), [(("--quiet",), {}), ((), {"CI": "true"}), ((), {"TERM": "dumb"})]
)
def test_silence(recipes: Path, arguments: tuple[str, ...], env: dict[str, str]) -> None:
    assert on_terminal(recipes, "check", "--fail-level", "none", *arguments, **env)[1] == ""


def test_extraction_says_what_it_does(tmp_path: Path) -> None:
    source = tmp_path / "verl"
    (source / "verl" / "trainer").mkdir(parents=True)
    (source / "verl" / "trainer" / "main_ppo.py").write_text("import hydra\n")
    arguments = (
        "rules",
        "extract",
        "--source",
        str(source),
        "--version",
        "1.0",
        "--output",
        str(tmp_path / "f.json"),
    )
    _, err = on_terminal(tmp_path, *arguments)
    assert err.startswith("\r\x1b[Kreviewbot: reading /")
    assert err.endswith("\r\x1b[K")
