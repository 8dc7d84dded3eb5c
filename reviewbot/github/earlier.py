"""The tree and the recipes as they were before a pull request, for comparison."""

from __future__ import annotations

from dataclasses import dataclass

from reviewbot.errors import InputError
from reviewbot.github.base import Base
from reviewbot.github.changes import Changes, RecipeChange
from reviewbot.github.client import Client
from reviewbot.text import SourceText, decode
from reviewbot.tree import OverlayTree, Tree

MAX_FETCHED = 60
"""Files whose former content is asked for at most; with more, recipes are compared within the new tree."""


@dataclass(frozen=True)
class Earlier:
    """What a pull request is compared with."""

    tree: Tree
    same_source: bool
    """Whether what the framework is read from is the same before and after."""


def earlier(client: Client, base: Base, changes: Changes) -> Earlier:
    """The base without the pull request.  Raises GitHubError.

    A checkout of GitHub's trial merge holds the pull request's changes: they are undone.
    """
    source = [path for path in changes.overlay if path not in changes.reviewed]
    same = not any(path.endswith((".py", ".yaml", ".yml")) for path in source)
    if not base.merged:
        return Earlier(base.tree, same)
    former: dict[str, str | None] = {}
    for recipe in changes.recipes:
        text = before_of(recipe)
        former[recipe.path] = None
        if text is not None:
            former[text.path] = text.text
    if len(source) > MAX_FETCHED:
        return Earlier(OverlayTree(base.tree, former), same_source=True)
    for path in source:
        data = client.content(path, base.commit)
        former[path] = None if data is None else decode(data)
    return Earlier(OverlayTree(base.tree, former), same)


def before_of(recipe: RecipeChange) -> SourceText | None:
    """A recipe's text before the change; None for a new one, and where that is not known."""
    if recipe.change is None or recipe.source is None or recipe.change.old_path is None:
        return None
    try:
        return recipe.change.before(recipe.source)
    except InputError:
        return None
