"""The fault table: what is on a pull request after something went wrong.

    python acceptance/github_faults.py [RUNS]

Meets each fault of the loopback GitHub RUNS times (default 20) on random histories of pushes, rebases, replies and
resolved threads, and prints for each: runs, findings expected, findings told exactly once.  Exit code 1 where a
finding is lost or told twice.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "github"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from loopback_description import description
from loopback_faults import FAULTS
from loopback_github import LoopbackGitHub
from test_github_stateful import fault_runs


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    failures = 0
    with LoopbackGitHub(description()) as github:
        for name in sorted(set(FAULTS) - {"the head moves"}):
            runs, expected, present = fault_runs(github, name, count)
            failures += expected != present
            print(f"{name:42} runs {runs:4}   expected {expected:5}   told once {present:5}", flush=True)
    return min(1, failures)


if __name__ == "__main__":
    raise SystemExit(main())
