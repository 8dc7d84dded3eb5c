"""Review every recipe of a checkout, all lines, and print the figures.

    python acceptance/check_snapshot.py CHECKOUT [--severity medium] [--hydra] [--json FILE]

With ``--hydra``: every offered fix is applied, and the launches before and after are composed with real Hydra.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from reviewbot.checks.model import Severity
from reviewbot.knowledge.store import open_knowledge
from reviewbot.report.json_report import as_dict
from reviewbot.report.model import Review
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree


def main() -> int:
    options = _options()
    tree = DirectoryTree(options.checkout)
    knowledge = open_knowledge(source=tree, source_name=options.checkout.name, version=None)
    reviewer = Reviewer(knowledge, tree.read, min_severity=Severity[options.severity.upper()])
    started = time.process_time()
    files = []
    for path in tree.files():
        if path.endswith(".sh"):
            text = tree.read(path)
            assert text is not None, path
            files.append(reviewer.whole(SourceText(path, text)))
    seconds = time.process_time() - started
    _print(files, seconds)
    review = Review(
        knowledge.framework.name, knowledge.version, knowledge.source, knowledge.origin, tuple(files)
    )
    if options.json:
        options.json.write_text(json.dumps(as_dict(review), indent=1), encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--severity", default="medium", choices=("low", "medium", "high"))
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def _print(files: list[FileReview], seconds: float) -> None:
    statuses = Counter(file.status for file in files)
    with_overrides = sum(
        1
        for file in files
        if file.recipe is not None
        and any("=" in word.prefix for launch in file.recipe.shell.launches for word in launch.arguments)
    )
    findings = [finding for file in files for finding in file.findings]
    print(f"{len(files)} scripts: {dict(statuses)}; overrides found on {with_overrides}; {seconds:.1f} s CPU")
    print(f"{len(findings)} findings: {dict(Counter((item.check, item.severity.word) for item in findings))}")
    fixes = [item for item in findings if item.fix is not None]
    print(f"{len(fixes)} with a proved fix")
    for file in files:
        if file.status != "reviewed":
            print(f"  {file.status}: {file.path}: {file.why}")
    for finding in findings:
        fix = "fix" if finding.fix else "   "
        where = f"{finding.span.path}:{finding.span.line}"
        print(f"  {finding.severity.word:6} {finding.check:14} {fix} {where}  {finding.key}={finding.value}")


if __name__ == "__main__":
    raise SystemExit(main())
