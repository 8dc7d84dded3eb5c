"""What a summary tells beside the findings: effects, risk marks, history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reviewbot.checks.recipe import read_recipe
from reviewbot.github.assembly import Part
from reviewbot.github.base import Base
from reviewbot.github.changes import Changes
from reviewbot.github.client import Client
from reviewbot.github.earlier import Earlier, before_of, earlier
from reviewbot.github.errors import GitHubError
from reviewbot.github.history import Historian
from reviewbot.github.links import Links
from reviewbot.github.sections import effects_part, history_part, risks_part
from reviewbot.github.workflows import Workflows
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.review.effects import Effect, effect
from reviewbot.review.review import FileReview
from reviewbot.review.risks import NOT_RUN, Risk, risks
from reviewbot.tree import Tree


@dataclass(frozen=True)
class Telling:
    """Makes the sections of one review's summary."""

    client: Client
    number: int
    base: Base
    changes: Changes
    tree: Tree
    """The base overlaid with the pull request."""
    knowledge: Knowledge
    knowledge_of: Callable[[Tree], Knowledge]
    """The knowledge that a tree holds."""
    files: tuple[FileReview, ...]
    checkout: Path | None
    links: Links

    def sections(self) -> tuple[Part, ...]:
        """Effects and risk marks of every recipe; history where there is something to say."""
        parts = [effects_part(tuple(self._effects())), risks_part(tuple(self._risks()))]
        if any(file.findings for file in self.files):
            parts.append(self._history())
        return tuple(part for part in parts if part.items)

    def _effects(self) -> Iterator[Effect]:
        try:
            former = earlier(self.client, self.base, self.changes)
        except GitHubError:
            return
        knowledge = self.knowledge if former.same_source else self.knowledge_of(former.tree)
        for file in self.files:
            made = self._effect(file, former, knowledge)
            if made is not None and (made.settings or made.variables or made.notes):
                yield made

    def _effect(self, file: FileReview, former: Earlier, knowledge: Knowledge) -> Effect | None:
        recipe = next((item for item in self.changes.recipes if item.path == file.path), None)
        text = before_of(recipe) if recipe is not None else None
        if text is None or file.recipe is None:
            return None
        return effect(
            read_recipe(text, knowledge, read=former.tree.read), file.recipe, self.knowledge, file.found
        )

    def _risks(self) -> Iterator[Risk]:
        workflows = Workflows(self.tree)
        for file in self.files:
            yield from risks(file)
            if file.recipe is not None and file.recipe.shell.launches and workflows.run_none(file.path):
                yield Risk(file.path, say(NOT_RUN))

    def _history(self) -> Part:
        historian = Historian(self.client, self.base.commit, self.checkout, self.number)
        flagged = [(finding.key, finding.span.path) for file in self.files for finding in file.findings]
        told = historian.tell(
            [file.path for file in self.files], [pair for pair in flagged if "." in pair[0]]
        )
        return history_part(told, f"{self.links.server}/{self.links.repository}/pull/")
