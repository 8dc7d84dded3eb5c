"""Whether every launch that an edit touches asks for it: a word that two commands share may be right in one of them."""

from __future__ import annotations

from collections.abc import Callable

from reviewbot.checks.model import Finding, Intent
from reviewbot.checks.recipe import Plan, Recipe
from reviewbot.shell.model import Launch
from reviewbot.text import Span


def intents_by_launch(
    recipe: Recipe,
    finding: Finding,
    intent: Intent,
    find: Callable[[Plan], tuple[Finding, ...]],
    unread: Callable[[Plan, Span], bool],
) -> list[Intent] | None:
    """What each launch of the script is to look like: the intent as a finding on that launch alone has it.

    None where a launch has the words and does not ask for the same edit.  ``find`` gives the findings on one launch
    alone; ``unread`` says whether a launch
    never reads what a word sets, so that the word may go.
    """
    spans = {*intent.remove, *(rewrite.span for rewrite in intent.rewrite)}
    touched = [any(word.span in spans for word in launch.argv) for launch in recipe.shell.launches]
    if sum(touched) < 2:
        return [intent for _ in touched]
    plans = {id(plan.launch): plan for plan in recipe.plans}
    intents: list[Intent] = []
    for launch, has_words in zip(recipe.shell.launches, touched, strict=True):
        own: Intent | None = intent
        if has_words:
            plan = plans.get(id(launch))
            own = None if plan is None else _asked(plan, finding, intent, find)
            if own is None and plan is not None and _all_unread(plan, launch, intent, spans, unread):
                own = intent
        if own is None:
            return None
        intents.append(own)
    return intents


def _asked(
    plan: Plan, finding: Finding, intent: Intent, find: Callable[[Plan], tuple[Finding, ...]]
) -> Intent | None:
    """The same edit, as the launch by itself asks for it; the values that result may be its own."""
    for item in find(plan):
        if item.span == finding.span and item.intent is not None and _edits(item.intent) == _edits(intent):
            return item.intent
    return None


def _edits(intent: Intent) -> tuple[object, ...]:
    rewrites = tuple((rewrite.span, rewrite.old, rewrite.new) for rewrite in intent.rewrite)
    return intent.remove, rewrites, intent.delete_lines, intent.strip_lines, intent.unset


def _all_unread(
    plan: Plan, launch: Launch, intent: Intent, spans: set[Span], unread: Callable[[Plan, Span], bool]
) -> bool:
    words = {word.span for word in launch.argv if word.span in spans}
    return not intent.rewrite and all(unread(plan, span) for span in words)
