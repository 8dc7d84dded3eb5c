"""Review the commits of a framework's history that touch shell scripts, each with its own tree.

    python acceptance/replay_commits.py GITDIR [--count 300] [--head REF] [--json FILE]

For each commit: its diff against the first parent, reviewed with the whole files and the source as they are after it,
as a pull request would be.  Prints the number of findings per diff, every high finding, and the slowest review.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import tarfile
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from reviewbot.checks.model import Finding
from reviewbot.diff.parse import parse_diff
from reviewbot.knowledge.store import holds_framework, open_knowledge
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree


@dataclass(frozen=True)
class Replayed:
    commit: str
    scripts: int
    findings: tuple[Finding, ...]
    seconds: float
    skipped: str = ""


def main() -> int:
    options = _options()
    replays = []
    commits = _commits(options.gitdir, options.head, options.count)
    with Pool(options.jobs) as pool:
        for replayed in pool.imap(partial(_replay, options.gitdir), commits):
            replays.append(replayed)
            for finding in replayed.findings:
                if finding.severity.word == "high":
                    place = f"{replayed.commit[:9]} {finding.span.path}:{finding.span.line}"
                    print(f"{place} {finding.check}: {finding.message}", flush=True)
    _print(replays)
    if options.json:
        rows = [
            {"commit": item.commit, "skipped": item.skipped, "findings": [_plain(f) for f in item.findings]}
            for item in replays
        ]
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


def _commits(gitdir: Path, head: str, count: int) -> list[str]:
    log = [
        "log",
        "--first-parent",
        "--no-merges",
        "--diff-filter=AMR",
        f"-{count}",
        "--format=%H",
        head,
        "--",
        "*.sh",
    ]
    return _git(gitdir, *log).decode().split()


def _replay(gitdir: Path, commit: str) -> Replayed:
    started = time.process_time()
    diff = _git(gitdir, "diff", "-M", "--binary", f"{commit}~1", commit, "--", "*.sh")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(_git(gitdir, "archive", commit))) as archive:
            archive.extractall(folder, filter="data")
        tree = DirectoryTree(Path(folder))
        if not holds_framework(tree):
            return Replayed(commit, 0, (), time.process_time() - started, "no source of the framework")
        reviewer = Reviewer(open_knowledge(source=tree, source_name=commit[:9], version=None), tree.read)
        found: list[Finding] = []
        scripts = 0
        for change in parse_diff(diff, commit).files:
            text = tree.read(change.path) if change.path and change.path.endswith(".sh") else None
            if text is not None:
                scripts += 1
                review = reviewer.changed(SourceText(change.path, text), change)
                found += [finding for finding in review.findings if finding.in_diff]
        return Replayed(commit, scripts, tuple(found), time.process_time() - started)


def _print(replays: list[Replayed]) -> None:
    reviewed = [item for item in replays if not item.skipped]
    counts = Counter(min(len(item.findings), 10) for item in reviewed)
    print(
        f"{len(replays)} commits, {len(reviewed)} reviewed, {sum(item.scripts for item in reviewed)} scripts"
    )
    print(
        "findings per diff:", ", ".join(f"{'≥ ' if n == 10 else ''}{n}: {counts[n]}" for n in sorted(counts))
    )
    by_check = Counter((f.check, f.severity.word) for item in reviewed for f in item.findings)
    for (check, severity), number in sorted(by_check.items()):
        print(f"  {number:5} {check} {severity}")
    if reviewed:
        slowest = max(reviewed, key=lambda item: item.seconds)
        print(f"slowest: {slowest.seconds:.1f} s at {slowest.commit[:9]}")


def _plain(finding: Finding) -> dict[str, object]:
    return {
        "check": finding.check,
        "severity": finding.severity.word,
        "path": finding.span.path,
        "line": finding.span.line,
        "message": finding.message,
        "evidence": [asdict(item) for item in finding.evidence],
        "fix": finding.fix.description if finding.fix else None,
    }


def _git(gitdir: Path, *arguments: str) -> bytes:
    command = ["git", f"--git-dir={gitdir}", *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gitdir", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--head", default="HEAD")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
