"""The seed case: verl PR #6066, replayed from a git directory of verl.

    python acceptance/seed_case.py GIT_DIRECTORY

Checks through the command line that the change gets exactly one finding, the right one with the right fix; that the
same script without ``expert_parallel_size`` gets a high one whose fix sets it to tensor x data parallel size; and that
the flag is not reported at 0.7.1, where it works.  Prints what was seen; exit code 1 where anything differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

COMMIT = "d43594c54"
SCRIPT = "verl/experimental/fully_async_policy/shell/dapo_30b_a3b_math_fsdp_npu.sh"
KEY = "actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel"
SIZE = "    actor_rollout_ref.rollout.expert_parallel_size=${gen_tp} \\\n"
SERVER = "verl/workers/rollout/vllm_rollout/vllm_async_server.py"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("git_directory", type=Path)
    git_directory = parser.parse_args().git_directory
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "verl"
        tree.mkdir()
        with tarfile.open(fileobj=BytesIO(_git(git_directory, "archive", COMMIT))) as archive:
            archive.extractall(tree, filter="data")
        diff = Path(folder) / "pr.diff"
        diff.write_bytes(_git(git_directory, "show", "--format=", COMMIT))
        return _satisfied(tree, diff) + _unsatisfied(tree) + _older(tree)


def _satisfied(tree: Path, diff: Path) -> int:
    script = (tree / SCRIPT).read_text(encoding="utf-8")
    findings = _check(tree, "--diff", str(diff), "--source", str(tree))
    write = next(
        number
        for number, line in enumerate((tree / SERVER).read_text(encoding="utf-8").splitlines(), 1)
        if '"enable_expert_parallel"' in line
    )
    size_line = script[: script.index(SIZE)].count("\n") + 1
    line = script[: script.index("+" + KEY)].count("\n") + 1
    failures = 0
    failures += _expect("one finding", len(findings) == 1, [item["message"] for item in findings])
    if not findings:
        return failures
    finding = findings[0]
    failures += _expect(
        "on the added line", (finding["path"], finding["line"]) == (SCRIPT, line), finding["line"]
    )
    failures += _expect("overwritten", finding["check"] == "overwritten", finding["check"])
    failures += _expect("medium", finding["severity"] == "medium", finding["severity"])
    failures += _expect("redundant", "already `True`" in finding["message"], finding["message"])
    failures += _expect("names the write", f"{SERVER}:{write}" in finding["message"], write)
    failures += _expect("names launch_server", "launch_server" in finding["message"], finding["message"])
    failures += _expect(f"names line {size_line}", f"line {size_line} sets" in finding["message"], size_line)
    edits = finding["fix"]["edits"] if finding["fix"] else None
    deletes = [{"path": SCRIPT, "start_line": line, "end_line": line, "text": ""}]
    return failures + _expect("the fix deletes the line, verified", edits == deletes, edits)


def _unsatisfied(tree: Path) -> int:
    file = tree / SCRIPT
    script = file.read_text(encoding="utf-8")
    file.write_text(script.replace(SIZE, ""), encoding="utf-8")
    findings = [item for item in _check(tree, SCRIPT, "--source", str(tree)) if item["key"] == KEY]
    file.write_text(script, encoding="utf-8")
    failures = _expect("one finding without expert_parallel_size", len(findings) == 1, len(findings))
    if not findings:
        return failures
    finding = findings[0]
    text = "".join(edit["text"] for edit in finding["fix"]["edits"]) if finding["fix"] else ""
    wanted = (
        "actor_rollout_ref.rollout.expert_parallel_size=${gen_tp} \\",
        "actor_rollout_ref.rollout.expert_parallel_size=2 \\",
    )
    failures += _expect("high", finding["severity"] == "high", finding["severity"])
    return failures + _expect("the fix sets tensor x data parallel size", text.strip() in wanted, text)


def _older(tree: Path) -> int:
    file = tree / SCRIPT
    script = file.read_text(encoding="utf-8")
    file.write_text(script.replace(SIZE, ""), encoding="utf-8")
    findings = [item for item in _check(tree, SCRIPT, "--verl", "0.7.1") if item["key"] == KEY]
    file.write_text(script, encoding="utf-8")
    return _expect("silent at 0.7.1", not findings, [item["message"] for item in findings])


def _check(folder: Path, *options: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "reviewbot", "check", "--format", "json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"exit code {done.returncode}: {done.stderr}")
    findings: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return findings


def _expect(what: str, holds: bool, seen: object) -> int:
    print(f"{'ok  ' if holds else 'FAIL'} {what}: {seen}")
    return 0 if holds else 1


def _git(directory: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", f"--git-dir={directory}", *arguments], capture_output=True, check=True
    ).stdout


if __name__ == "__main__":
    raise SystemExit(min(1, main()))
