"""``reviewbot rules verify``: whether the evidence of rules still stands in a source tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reviewbot.knowledge.commands import tree_at
from reviewbot.knowledge.rule_evidence import evidence_line
from reviewbot.knowledge.rules import Rule
from reviewbot.knowledge.source import Sources
from reviewbot.knowledge.store import bundled_versions, open_knowledge


@dataclass(frozen=True)
class Verified:
    """What became of the evidence of one rule."""

    rule: Rule
    state: str
    """``holds``, ``moved`` or ``gone``."""
    line: int | None
    """Where it stands, 1-based."""
    before: int | None
    """Where the newest bundled release has it."""
    release: str

    def __str__(self) -> str:
        path = self.rule.evidence.get("path", "")
        if self.line is None:
            found = " ".join(
                f"{name}={text!r}" for name, text in self.rule.evidence.items() if name != "path"
            )
            return f"{self.rule.id}: gone: {path} has no {found or 'such file'}; the rule is not used here"
        moved = f" (line {self.before} in {self.release})" if self.state == "moved" and self.before else ""
        return f"{self.rule.id}: {self.state}: {path}:{self.line}{moved}"


def verify(rules: Iterable[Rule], source: str) -> tuple[Verified, ...]:
    """The state of each rule that has evidence and covers the source's release.

    ``source`` is a folder.  Raises InputError where it holds no framework.
    """
    tree, framework = tree_at(source)
    sources = Sources(tree)
    newest = bundled_versions(framework)[-1]
    before = open_knowledge(source=None, source_name="", version=newest)
    release = open_knowledge(source=tree, source_name=source, version=None).release
    found = []
    for rule in rules:
        if rule.basis != "evidence" or not rule.covers(release):
            continue
        line, known = evidence_line(sources, rule), before.rule_line(rule)
        state = "gone" if line is None else "holds" if line == known else "moved"
        found.append(Verified(rule, state, line, known, newest))
    return tuple(found)
