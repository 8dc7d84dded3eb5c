"""Post the suggestions of a framework's commits, and apply each as GitHub applies it.

    python acceptance/replay_suggestions.py GITDIR [--count 100] [--head REF]

Over the last COUNT commits that touch ``.sh``: each comment is made as it is posted, its suggestion block taken out of
its text as GitHub reads it, and put in place of the lines ``start_line`` to ``line`` of the head's file.  The result
must equal the fix's own edits; every launch that composed with real Hydra must still compose; and the finding must be
gone.  All suggestions of a file together must make what ``--fix`` makes of it, where every fix is a suggestion.  Exit
code 1 where anything differs.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

from real_hydra import RealHydra

from reviewbot.checks.model import Finding
from reviewbot.diff import FileDiff
from reviewbot.diff.parse import parse_diff
from reviewbot.github.anchors import Placement, Reviewed, groups
from reviewbot.github.links import Links
from reviewbot.github.markdown import comment_body
from reviewbot.knowledge.store import holds_framework, open_knowledge
from reviewbot.review.edits import apply_edits
from reviewbot.review.fixing import fix_changed
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree

_SUGGESTION = re.compile(r"^(`{3,})suggestion\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def main() -> int:
    options = _options()
    totals: Counter[str] = Counter()
    for commit in _commits(options.gitdir, options.head, options.count):
        totals["commits"] += 1
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(fileobj=io.BytesIO(_git(options.gitdir, "archive", commit))) as archive:
                archive.extractall(folder, filter="data")
            diff = _git(options.gitdir, "diff", "-M", f"{commit}~1", commit, "--", "*.sh")
            tree = DirectoryTree(Path(folder))
            if holds_framework(tree):
                totals += _Replay(commit, tree).review(parse_diff(diff, commit).files)
    print(dict(totals))
    return 1 if any(what.startswith("WRONG") for what in totals) else 0


class _Replay:
    def __init__(self, commit: str, tree: DirectoryTree) -> None:
        self.commit = commit
        self.tree = tree
        knowledge = open_knowledge(source=tree, source_name=commit[:9], version=None)
        self.reviewer = Reviewer(knowledge, tree.read)
        self.hydra = RealHydra(tree.root.resolve(), tree, knowledge)
        self.links = Links("https://github.com", "o/r", commit, commit, "verl", True)
        self.totals: Counter[str] = Counter()

    def review(self, changes: tuple[FileDiff, ...]) -> Counter[str]:
        """Judge every suggestion of a commit."""
        for change in changes:
            text = self.tree.read(change.path) if change.path.endswith(".sh") else None
            if text is not None:
                self._file(SourceText(change.path, text), change)
        return self.totals

    def _file(self, source: SourceText, change: FileDiff) -> None:
        review = self.reviewer.changed(source, change)
        self.totals["findings"] += len(review.findings)
        suggested: list[tuple[Placement, str]] = []
        for group in groups(review.findings, {source.path: Reviewed(source, change)}):
            if not group.placed:
                continue
            self.totals["comments"] += 1
            finding, placement = group.placed[0]
            body = comment_body(group, finding, placement, source, self.links)
            blocks = _SUGGESTION.findall(body)
            if len(blocks) != (placement.suggestion is not None):
                self._wrong("number of suggestion blocks", finding)
            elif blocks:
                self.totals["suggestions"] += 1
                suggested.append((placement, blocks[0][1]))
                self._suggestion(source, finding, _applied(source, suggested[-1:]))
        if suggested:
            self._together(source, change, review, suggested)

    def _together(
        self, source: SourceText, change: FileDiff, review: FileReview, suggested: list[tuple[Placement, str]]
    ) -> None:
        lines = [line for item, _ in suggested for line in range(item.start_line, item.line + 1)]
        fixed = fix_changed(self.reviewer, source, change)
        fixable = sum(finding.fix is not None for finding in review.findings)
        if len(set(lines)) != len(lines) or not len(suggested) == len(fixed.fixed) == fixable:
            self.totals["files with other fixes too, not compared with --fix"] += 1
            return
        self.totals["files compared with --fix"] += 1
        if fixed.after.source is None or fixed.after.source.text != _applied(source, suggested).text:
            self._wrong("together not what --fix writes", fixed.fixed[0])

    def _suggestion(self, source: SourceText, finding: Finding, applied: SourceText) -> None:
        assert finding.fix is not None
        if applied.text != apply_edits(source, finding.fix.edits):
            self._wrong("not the fix's edits", finding)
        for before, after in zip(self.hydra.errors(source), self.hydra.errors(applied), strict=True):
            self.totals["launches"] += 1
            if after and not before:
                self._wrong("composes no more", finding)
        left = [item for item in self.reviewer.whole(applied).findings if _same(item, finding)]
        was = [item for item in self.reviewer.whole(source).findings if _same(item, finding)]
        if len(left) >= len(was):
            self._wrong("not gone", finding)

    def _wrong(self, what: str, finding: Finding) -> None:
        self.totals[f"WRONG: {what}"] += 1
        print(
            f"{self.commit[:9]} {finding.span.path}:{finding.span.line} {finding.check}: {what}", flush=True
        )


def _same(left: Finding, right: Finding) -> bool:
    return (left.check, left.rule, left.key, left.value) == (right.check, right.rule, right.key, right.value)


def _applied(source: SourceText, suggested: list[tuple[Placement, str]]) -> SourceText:
    """The text after suggestions, as GitHub applies them."""
    lines = source.text.splitlines(keepends=True)
    for placement, block in sorted(suggested, key=lambda item: -item[0].start_line):
        lines[placement.start_line - 1 : placement.line] = [block]
    return SourceText(source.path, "".join(lines))


def _commits(gitdir: Path, head: str, count: int) -> list[str]:
    options = ("--first-parent", "--no-merges", "--diff-filter=AMR", f"-{count}", "--format=%H")
    return _git(gitdir, "log", *options, head, "--", "*.sh").decode().split()


def _git(gitdir: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", f"--git-dir={gitdir}", *arguments], check=True, capture_output=True).stdout


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gitdir", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--head", default="HEAD")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
