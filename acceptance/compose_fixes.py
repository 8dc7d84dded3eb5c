"""Compose every offered fix with real Hydra, before and after.

    python acceptance/compose_fixes.py CHECKOUT [--severity low]

Reviews all recipes of a checkout of verl.  Each fix alone must leave a launch that composed composing, and must change
Hydra's error where there was one; all fixes of a script together must leave only the errors that have a finding
without a fix.  Prints each fix with what Hydra said; exit code 1 where anything is not so.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from real_hydra import RealHydra

from reviewbot.checks.model import Finding, Fix, Severity
from reviewbot.knowledge.store import Knowledge, open_knowledge
from reviewbot.review.edits import apply_edits
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree

HYDRA_CHECKS = ("unknown-key", "wrong-prefix")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--severity", default="low", choices=("low", "medium", "high"))
    options = parser.parse_args()
    tree = DirectoryTree(options.checkout)
    knowledge = open_knowledge(source=tree, source_name=options.checkout.name, version=None)
    reviewer = Reviewer(knowledge, tree.read, min_severity=Severity[options.severity.upper()])
    judge = _Judge(options.checkout.resolve(), tree, knowledge)
    outcomes: Counter[str] = Counter()
    for path in tree.files():
        if path.endswith(".sh"):
            review = reviewer.whole(SourceText(path, tree.read(path) or ""))
            if any(finding.fix for finding in review.findings):
                outcomes += judge.file(review)
    print(dict(outcomes))
    return 1 if outcomes["WRONG"] else 0


class _Judge:
    def __init__(self, root: Path, tree: DirectoryTree, knowledge: Knowledge) -> None:
        self.hydra = RealHydra(root, tree, knowledge)

    def file(self, review: FileReview) -> Counter[str]:
        """Judge each fix of a file alone, and all together."""
        source = review.source
        assert source is not None
        outcomes: Counter[str] = Counter()
        fixes = [(finding, finding.fix) for finding in review.findings if finding.fix is not None]
        for finding, fix in fixes:
            before = self.hydra.errors(source, finding.key)
            after = self.hydra.errors(SourceText(source.path, apply_edits(source, fix.edits)), finding.key)
            outcomes[self._alone(finding, fix, before, after)] += 1
        outcomes[self._together(review, source, [fix for _, fix in fixes])] += 1
        return outcomes

    def _alone(self, finding: Finding, fix: Fix, before: list[str], after: list[str]) -> str:
        pairs = list(zip(before, after, strict=False))
        right = len(before) == len(after)
        if finding.check in HYDRA_CHECKS:
            right = right and any(old and not new for old, new in pairs)
            outcome = "error mended"
        else:
            right = right and all(not new for old, new in pairs if not old)
            outcome = "still composes"
        outcome = outcome if right else "WRONG"
        print(f"{outcome:15} {finding.span.path}:{finding.span.line} {finding.check}: {fix.description}")
        for old, new in sorted(set(pairs)):
            if old != new or not right:
                print(f"{'':15}   before: {old or 'composes'}\n{'':15}   after:  {new or 'composes'}")
        return outcome

    def _together(self, review: FileReview, source: SourceText, fixes: list[Fix]) -> str:
        edits = tuple(edit for fix in fixes for edit in fix.edits)
        lines = [line for edit in edits for line in range(edit.start_line, edit.end_line + 1)]
        if len(lines) != len(set(lines)):
            return "overlapping, not tried together"
        after = self.hydra.errors(SourceText(source.path, apply_edits(source, edits)))
        unfixed = any(item.check in HYDRA_CHECKS and item.fix is None for item in review.findings)
        if any(after) and not unfixed:
            print(f"{'WRONG':15} {source.path}: all fixes together: {[error for error in after if error]}")
            return "WRONG"
        return "all together, others remain" if any(after) else "all together compose"


if __name__ == "__main__":
    raise SystemExit(main())
