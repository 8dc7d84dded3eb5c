"""A file under review → findings with proved fixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from reviewbot.checks.engine_arguments import passes_other_engine
from reviewbot.checks.fragments import fragment_findings
from reviewbot.checks.model import Finding, Severity
from reviewbot.checks.recipe import Recipe, read_recipe
from reviewbot.checks.registry import findings as find
from reviewbot.checks.registry import judged
from reviewbot.checks.suppression import Silenced
from reviewbot.diff import FileDiff
from reviewbot.knowledge.store import Knowledge
from reviewbot.review.policy import Policy
from reviewbot.review.proof import Pipeline, prove
from reviewbot.review.scope import changed_lines, in_scope
from reviewbot.text import SourceText


@dataclass(frozen=True)
class FileReview:
    """What a review says about one file."""

    path: str
    status: str
    """``reviewed``, ``partly`` or ``skipped``."""
    why: str = ""
    """One sentence for ``partly`` and ``skipped``."""
    findings: tuple[Finding, ...] = ()
    source: SourceText | None = None
    recipe: Recipe | None = None
    found: tuple[Finding, ...] = ()
    """Everything found in the recipe, shown or not, whoever brought it."""
    suppressed: int = 0
    """How many findings comments of the script silence."""
    known: int = 0
    """How many findings a baseline holds."""


@dataclass(frozen=True)
class Reviewer:
    """Reviews scripts against one body of knowledge.

    ``read`` gives other scripts of the repository by path; ``env`` declares environment variables.
    """

    knowledge: Knowledge
    read: Callable[[str], str | None] = lambda _path: None
    env: Mapping[str, str] = field(default_factory=dict)
    min_severity: Severity = Severity.MEDIUM
    policy: Policy = field(default_factory=Policy)

    def whole(self, source: SourceText) -> FileReview:
        """Review all lines of a file."""
        recipe = self._recipe(source)
        found = self._judged(recipe)
        kept = tuple(replace(finding, in_diff=False) for finding in found.kept)
        return self._reviewed(recipe, found.kept, kept, found.suppressed)

    def changed(self, source: SourceText, change: FileDiff) -> FileReview:
        """Review what a change did to a file; ``source`` is the whole file after it."""
        recipe = self._recipe(source)
        found = self._judged(recipe)
        lines = changed_lines(change)
        before = partial(self._before, change.before(source)) if change.old_path else None
        kept = in_scope(found.kept, lines, source.path, before)
        return self._reviewed(recipe, found.kept, kept, in_scope(found.suppressed, lines, source.path, None))

    def hunks(self, change: FileDiff, note: str) -> FileReview:
        """Review a change of which only the hunks are known."""
        partial_text = change.after_text()
        found = self.policy.applied(
            fragment_findings(partial_text.source, partial_text.shown, self.knowledge)
        )
        kept = in_scope(found, changed_lines(change), change.path, None)
        return FileReview(change.path, "partly", note, self._shown(kept), partial_text.source)

    def _before(self, source: SourceText) -> tuple[Finding, ...]:
        return self._judged(self._recipe(source)).kept

    def _judged(self, recipe: Recipe) -> Silenced:
        found = judged(recipe, self.knowledge)
        shown = (item for item in self.policy.applied(found.suppressed) if item.severity >= self.min_severity)
        return Silenced(self.policy.applied(found.kept), tuple(shown))

    def _recipe(self, source: SourceText) -> Recipe:
        return read_recipe(source, self.knowledge, env=self.env, read=self.read)

    def _shown(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return _numbered(tuple(finding for finding in findings if finding.severity >= self.min_severity))

    def _reviewed(
        self,
        recipe: Recipe,
        found: tuple[Finding, ...],
        kept: tuple[Finding, ...],
        suppressed: tuple[Finding, ...],
    ) -> FileReview:
        pipeline = Pipeline(
            self._recipe,
            partial(find, knowledge=self.knowledge),
            partial(passes_other_engine, knowledge=self.knowledge),
        )
        words = sum(len(plan.launch.argv) for plan in recipe.plans)
        proofs = max(_FEWEST_PROOFS, _PROOF_WORDS // max(words, 1))
        fixed = tuple(
            replace(finding, fix=prove(recipe, found, finding, pipeline) if number < proofs else None)
            for number, finding in enumerate(self._shown(kept))
        )
        status = "partly" if recipe.partly else "reviewed"
        return FileReview(
            recipe.source.path, status, recipe.partly, fixed, recipe.source, recipe, found, len(suppressed)
        )


_PROOF_WORDS = 100_000
"""Words of launches that are read again at most to prove the fixes of a file: each proof reads all of them."""
_FEWEST_PROOFS = 5


def _numbered(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Count findings that are alike but for their line, so that each fingerprint is its own."""
    seen: dict[str, int] = {}
    numbered = []
    for finding in findings:
        occurrence = seen.get(finding.fingerprint, 0)
        seen[finding.fingerprint] = occurrence + 1
        numbered.append(replace(finding, occurrence=occurrence))
    return tuple(numbered)
