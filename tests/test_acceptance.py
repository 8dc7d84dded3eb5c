"""The commands under ``acceptance/`` need a checkout of the framework to run; here they are loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = sorted((Path(__file__).parent.parent / "acceptance").glob("*.py"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda path: path.stem)
def test_a_command_finds_what_it_imports(command: Path) -> None:
    load = f"import runpy, sys; sys.path.insert(0, {str(command.parent)!r}); runpy.run_path({str(command)!r})"
    subprocess.run([sys.executable, "-c", load], check=True, timeout=60)
