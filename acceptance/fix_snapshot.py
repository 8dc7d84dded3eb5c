"""Run ``reviewbot check --fix`` over a copy of a checkout, and judge what it wrote.

    python acceptance/fix_snapshot.py CHECKOUT [--min-severity low|medium|high]

Every changed script must still pass ``bash -n`` where it did before and must compose with real Hydra wherever it
composed before; mode and line ends must be the same; no script, changed or not, may have a finding that it had not
before; and a second run must change nothing.  Prints figures; exit code 1 where anything is not so.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from real_hydra import RealHydra

from reviewbot.knowledge.store import open_knowledge
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--min-severity", default="medium", choices=("low", "medium", "high"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "copy"
        shutil.copytree(options.checkout, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        return _judge(copy, options.min_severity)


@dataclass(frozen=True)
class _Script:
    data: bytes
    mode: int
    parses: bool


def _judge(root: Path, severity: str) -> int:
    before = _scripts(root)
    found = _check(root, severity)
    told = _check(root, severity, "--fix")
    after = _scripts(root)
    changed = sorted(path for path in before if before[path].data != after[path].data)
    _check(root, severity, "--fix")
    again = [path for path, script in _scripts(root).items() if script != after[path]]
    fixed = _counts(found) - _counts(told)
    trouble: dict[str, list[Any]] = {
        "appeared": sorted((_counts(told) - _counts(found)).elements()),
        "bash -n fails": [path for path in changed if before[path].parses and not after[path].parses],
        "mode differs": [path for path in changed if before[path].mode != after[path].mode],
        "line ends differ": [path for path in changed if _ends(before[path]) != _ends(after[path])],
        "second run changed": again,
    }
    composed, broken = _composes(root, {path: before[path].data for path in changed})
    trouble["composes no more"] = broken
    checks = Counter(check for _, check, *_ in fixed.elements())
    print(
        f"{len(before)} scripts, {found['summary']['findings']} findings, {found['summary']['fixable']} fixable"
    )
    print(f"changed {len(changed)} files, fixed {fixed.total()} findings: {dict(checks)}")
    print(f"left: {told['summary']['findings']} findings, {told['summary']['fixable']} fixable")
    print(f"launches of changed scripts: {dict(composed)}")
    for what, where in trouble.items():
        print(f"{what}: {len(where)}")
        for item in where:
            print(f"    {item}")
    return 1 if any(trouble.values()) else 0


def _scripts(root: Path) -> dict[str, _Script]:
    scripts = {}
    for file in sorted(root.rglob("*.sh")):
        if file.is_file() and not file.is_symlink():
            parsed = subprocess.run(["bash", "-n", str(file)], capture_output=True, check=False)
            script = _Script(file.read_bytes(), file.stat().st_mode, parsed.returncode == 0)
            scripts[file.relative_to(root).as_posix()] = script
    return scripts


def _check(root: Path, severity: str, *arguments: str) -> dict[str, Any]:
    (root / ".git").mkdir(exist_ok=True)  # the top of a repository, for reviewbot; --fix must not ask git
    dirty = ("--fix-dirty",) if arguments else ()
    options = ("--format", "json", "--min-severity", severity, "--fail-level", "none")
    done = subprocess.run(
        [sys.executable, "-m", "reviewbot", "check", *options, *arguments, *dirty],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"reviewbot ended with {done.returncode}: {done.stderr}")
    if arguments:
        print(done.stderr.strip().rpartition("\n")[2])
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _counts(report: Mapping[str, Any]) -> Counter[tuple[str, str, str, str]]:
    """The findings by what does not move with the lines."""
    return Counter((item["path"], item["check"], item["key"], item["value"]) for item in report["findings"])


def _ends(script: _Script) -> tuple[bool, bool]:
    return b"\r\n" in script.data, script.data.endswith(b"\n")


def _composes(root: Path, before: Mapping[str, bytes]) -> tuple[Counter[str], list[str]]:
    """Each launch of the changed scripts before and after; and those that composed and do so no more."""
    tree = DirectoryTree(root)
    hydra = RealHydra(root.resolve(), tree, open_knowledge(source=tree, source_name="the copy", version=None))
    outcomes: Counter[str] = Counter()
    broken = []
    for path, data in before.items():
        old = hydra.errors(SourceText(path, data.decode()))
        new = hydra.errors(SourceText(path, tree.read(path) or ""))
        if len(old) != len(new):
            broken.append(f"{path}: {len(old)} launches became {len(new)}")
        for was, now in zip(old, new, strict=False):
            outcomes[
                f"{'refused' if was else 'composed'} before, {'refused' if now else 'composes'} now"
            ] += 1
            if now and not was:
                broken.append(f"{path}: {now}")
    return outcomes, broken


if __name__ == "__main__":
    raise SystemExit(main())
