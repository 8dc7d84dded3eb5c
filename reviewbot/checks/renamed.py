"""``renamed``: an old name that still works, or an added key that the framework read in earlier releases."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.checks.model import Finding
from reviewbot.checks.recipe import Recipe
from reviewbot.checks.ruled import ruled
from reviewbot.knowledge.store import Knowledge

ID = "renamed"


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """What the rules know of names that were changed, removed or are about to be."""
    yield from ruled(recipe, knowledge, "renamed", "removed", "deprecated")
