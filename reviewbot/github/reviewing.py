"""A pull request → a review: its files through the API, its base as knowledge, nothing of it executed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reviewbot.errors import InputError
from reviewbot.github.anchors import Reviewed
from reviewbot.github.base import Base, find_base
from reviewbot.github.changes import Changes, RecipeChange, read_changes
from reviewbot.github.client import Client
from reviewbot.github.links import Links
from reviewbot.github.model import PullRequest
from reviewbot.github.summary import Story
from reviewbot.github.telling import Telling
from reviewbot.knowledge.store import Knowledge, open_knowledge_of
from reviewbot.language import say
from reviewbot.report.model import Review
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.settings.apply import add_rules, policy_of
from reviewbot.settings.model import Settings
from reviewbot.tree import OverlayTree, Tree


@dataclass(frozen=True)
class Place:
    """Where a run takes place."""

    server_url: str
    checkout: Path | None
    event_commit: str
    documentation: str


@dataclass(frozen=True)
class Reviewing:
    """A review, and what it takes to publish it."""

    story: Story
    files: Mapping[str, Reviewed]
    refresh: Callable[[], Mapping[str, Reviewed]]

    @property
    def review(self) -> Review:
        """The review itself."""
        return self.story.review


def review_pull(
    client: Client, pull: PullRequest, is_recipe: Callable[[str], bool], settings: Settings, place: Place
) -> Reviewing:
    """Review a pull request.  Raises GitHubError, and InputError for a version that is not known."""
    changes = read_changes(client, pull, is_recipe, place.checkout)

    def refresh() -> Mapping[str, Reviewed]:
        return read_changes(client, pull, is_recipe, place.checkout).reviewed

    if not changes.recipes:
        review = Review("", "", "", "", ())
        links = Links(place.server_url, client.repository, pull.base, pull.head, "", False)
        return Reviewing(Story(review, links, notes=changes.notes), {}, refresh)
    base = find_base(client, pull, place.checkout, place.event_commit)
    tree = OverlayTree(base.tree, changes.overlay)
    knowledge = knowledge_of(tree, base, settings)
    reviewer = Reviewer(knowledge, tree.read, settings.env, settings.shown_from, policy_of(settings))
    files = tuple(_reviewed(reviewer, recipe) for recipe in changes.recipes)
    review = Review(knowledge.framework.name, knowledge.version, knowledge.source, knowledge.origin, files)
    links = links_of(client, pull, place, base, changes, knowledge)
    told = Telling(
        client,
        pull.number,
        base,
        changes,
        tree,
        knowledge,
        lambda former: knowledge_of(former, base, settings),
        files,
        place.checkout,
        links,
    )
    story = Story(review, links, notes=_notes(changes, knowledge.problems), sections=told.sections())
    return Reviewing(story, changes.reviewed, refresh)


def knowledge_of(tree: Tree, base: Base, settings: Settings) -> Knowledge:
    """What the tree's recipes run against: its own source, else the settled release, else the one it asks for.

    Rules of the repository are those of the base, never of the pull request.
    """
    knowledge = open_knowledge_of(
        tree, base.commit[:9], version=settings.framework_version, engines=settings.engines
    )
    add_rules(knowledge, settings, base.tree)
    return knowledge


def links_of(
    client: Client, pull: PullRequest, place: Place, base: Base, changes: Changes, knowledge: Knowledge
) -> Links:
    """The links of one run."""
    return Links(
        server=place.server_url,
        repository=client.repository,
        base=base.commit,
        head=pull.head,
        framework=knowledge.framework.name,
        from_repository=knowledge.origin == "source" and not knowledge.submodule,
        changed=frozenset(path for path, text in changes.overlay.items() if text is not None),
        documentation=place.documentation,
    )


def _reviewed(reviewer: Reviewer, recipe: RecipeChange) -> FileReview:
    if recipe.change is None:
        return FileReview(recipe.path, "skipped", recipe.why)
    try:
        if recipe.source is None:
            return reviewer.hunks(
                recipe.change, say("only the lines of the diff are known, since {why}", why=recipe.why)
            )
        return reviewer.changed(recipe.source, recipe.change)
    except InputError as error:
        return FileReview(recipe.path, "skipped", str(error))


def _notes(changes: Changes, problems: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*changes.notes, *problems)))
