"""The checks, in the order in which they win: one override gets one finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from reviewbot.checks import (
    broken_command,
    constraint,
    invalid_value,
    overwritten,
    shadowed,
    unknown_key,
    wrong_prefix,
)
from reviewbot.checks.model import Finding
from reviewbot.checks.recipe import Recipe
from reviewbot.knowledge.store import Knowledge
from reviewbot.text import Span


@dataclass(frozen=True)
class Check:
    """A check: its id, and the function that makes its findings."""

    id: str
    run: Callable[[Recipe, Knowledge], Iterator[Finding]]


CHECKS: tuple[Check, ...] = tuple(
    Check(module.ID, module.check)
    for module in (
        broken_command,
        unknown_key,
        wrong_prefix,
        invalid_value,
        constraint,
        overwritten,
        shadowed,
    )
)
"""What breaks the command first, then what Hydra refuses, then what the framework does with the value."""


def findings(recipe: Recipe, knowledge: Knowledge) -> tuple[Finding, ...]:
    """All findings on a recipe, one an override, ordered by place; the first check that speaks of a place wins."""
    kept: dict[tuple[object, str], Finding] = {}
    split: list[Span] = []
    for check in CHECKS:
        for found in check.run(recipe, knowledge):
            finding = _at_home(found, recipe.source.path)
            if finding is None:
                continue
            if any(span != finding.span and span.contains(finding.span) for span in split):
                continue
            if finding.check == broken_command.ID and finding.key == "split-word":
                split.append(finding.span)
            place = (finding.span, finding.key)
            known = kept.get(place)
            if known is None or (known.check == finding.check and known.severity < finding.severity):
                kept[place] = finding
    return tuple(sorted(kept.values(), key=lambda finding: (finding.span, finding.check, finding.key)))


def _at_home(finding: Finding, path: str) -> Finding | None:
    """A finding in another script that this one runs, moved to what of this one feeds it; None where nothing does.

    The other script has a review of its own.
    """
    if finding.span.path == path:
        return finding
    fed_by = next((span for span in finding.causes if span.path == path), None)
    if fed_by is None:
        return None
    related = ((finding.span, "is where it ends up"), *finding.related)
    return replace(finding, span=fed_by, intent=None, related=related)
