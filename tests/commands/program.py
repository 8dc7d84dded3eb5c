"""The program, run from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

BAD = """\
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    +trainer.nnodes=2
"""
GOOD = BAD.replace("+trainer", "trainer")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def reviewbot(folder: Path, *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> Done:
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    done = subprocess.run(
        [sys.executable, "-m", "reviewbot", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        env={**clean, **(env or {})},
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err
    return Done(done.returncode, out, err)
