"""The checks, in the order in which they win: one override gets one finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from reviewbot.checks import (
    broken_command,
    constraint,
    environment,
    ignored,
    invalid_value,
    overwritten,
    renamed,
    shadowed,
    suppression,
    unknown_key,
    wrong_prefix,
)
from reviewbot.checks.model import Finding
from reviewbot.checks.recipe import Recipe
from reviewbot.checks.suppression import Silenced, silenced
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.text import Span


@dataclass(frozen=True)
class Check:
    """A check: its id, and the function that makes its findings."""

    id: str
    run: Callable[[Recipe, Knowledge], Iterator[Finding]] | None
    """None: it speaks of what the others found."""
    says: str = ""
    """What it says, one sentence."""


def _says(description: str) -> str:
    """The sentence behind the id that a check's module starts with."""
    said = " ".join(description.partition("\n\n")[0].partition(": ")[2].replace("``", "`").split())
    return said[:1].upper() + said[1:]


CHECKS: tuple[Check, ...] = tuple(
    Check(module.ID, getattr(module, "check", None), _says(module.__doc__ or ""))
    for module in (
        broken_command,
        unknown_key,
        wrong_prefix,
        invalid_value,
        constraint,
        overwritten,
        shadowed,
        renamed,
        ignored,
        environment,
        suppression,
    )
)
"""What breaks the command first, then what Hydra refuses, then what the framework does with the value."""


_WHOLE = ("split-word", "space-after-backslash")
"""Kinds of broken commands that say all there is to say about the words in their place."""


def findings(recipe: Recipe, knowledge: Knowledge) -> tuple[Finding, ...]:
    """All findings on a recipe, one an override, ordered by place; the first check that speaks of a place wins.

    Without those that a comment of the script silences.
    """
    return judged(recipe, knowledge).kept


def judged(recipe: Recipe, knowledge: Knowledge) -> Silenced:
    """All findings on a recipe, and those of them that a comment silences."""
    names = (*(check.id for check in CHECKS), *(rule.id for rule in knowledge.rules))
    return silenced(recipe.source, _found(recipe, knowledge), names)


def _found(recipe: Recipe, knowledge: Knowledge) -> tuple[Finding, ...]:
    kept: dict[tuple[object, str], Finding] = {}
    wholes: list[Span] = []
    for check in CHECKS:
        for found in check.run(recipe, knowledge) if check.run is not None else ():
            finding = _at_home(found, recipe)
            if finding is None:
                continue
            if any(span != finding.span and span.contains(finding.span) for span in wholes):
                continue
            if finding.check == broken_command.ID and finding.key in _WHOLE:
                wholes.append(finding.span)
            place = (finding.span, finding.key)
            known = kept.get(place)
            worse = known is not None and known.check == finding.check and known.severity < finding.severity
            if known is None or (worse and not finding.rule):
                kept[place] = finding
    return tuple(sorted(kept.values(), key=lambda finding: (finding.span, finding.check, finding.key)))


def _at_home(finding: Finding, recipe: Recipe) -> Finding | None:
    """A finding in another script that this one runs or sources, moved to a place in this one.

    That is what of this script feeds it, or this script's own launch that gets the word from the other one.  None
    where there is no such place: the other script launches by itself and has a review of its own.
    """
    path = recipe.source.path
    if finding.span.path == path:
        return finding
    place = next((span for span in finding.causes if span.path == path), None) or _launch_with(
        finding, recipe
    )
    if place is None:
        return None
    related = ((finding.span, say("is where it is written")), *finding.related)
    message = f"{finding.span.path}:{finding.span.line}: {finding.message}"
    return replace(finding, span=place, message=message, intent=None, related=related)


def _launch_with(finding: Finding, recipe: Recipe) -> Span | None:
    """The entry point of the launch, written in this script, whose arguments hold the word of a finding."""
    for launch in recipe.shell.launches:
        if launch.span.path == recipe.source.path and any(
            word.span == finding.span for word in launch.arguments
        ):
            entry = launch.entry_point.span
            return entry if entry.path == recipe.source.path else launch.span
    return None
