"""Fixes are proved: applied in memory, read again through the whole pipeline, and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from reviewbot.checks.model import Finding, Fix, Intent, Severity
from reviewbot.checks.recipe import Plan, Recipe
from reviewbot.review.consent import intents_by_launch
from reviewbot.review.edits import edited, line_edits
from reviewbot.shell.model import Launch, Word
from reviewbot.text import SourceText, Span


@dataclass(frozen=True)
class Pipeline:
    """The functions that a proof runs again on the edited text."""

    read: Callable[[SourceText], Recipe]
    find: Callable[[Recipe], tuple[Finding, ...]]
    unread: Callable[[Plan, Span], bool] = lambda _plan, _span: False
    """Whether a launch never reads what the word at a place sets."""
    _alone: dict[int, tuple[Finding, ...]] = field(default_factory=dict, compare=False)

    def alone(self, recipe: Recipe, plan: Plan) -> tuple[Finding, ...]:
        """The findings on one launch of the recipe under review, as if it were the only one."""
        if id(plan) not in self._alone:
            self._alone[id(plan)] = self.find(replace(recipe, plans=(plan,), missing=()))
        return self._alone[id(plan)]


def prove(recipe: Recipe, found: tuple[Finding, ...], finding: Finding, pipeline: Pipeline) -> Fix | None:
    """The fix of a finding with its edits; None where it fails any part of the proof."""
    intent = finding.intent
    if intent is None:
        return None
    text = edited(recipe.source, intent)
    if text is None or text == recipe.source.text:
        return None
    intents = intents_by_launch(recipe, finding, intent, partial(pipeline.alone, recipe), pipeline.unread)
    if intents is None:
        return None
    after_recipe = pipeline.read(SourceText(recipe.source.path, text))
    if not _arguments_as_intended(recipe, after_recipe, intent, intents):
        return None
    after = tuple(item for item in pipeline.find(after_recipe) if not _uncovered(item, after_recipe, intent))
    before_counts, after_counts = _identities(found), _identities(after)
    own = _identity(finding)
    if after_counts[own] >= before_counts[own]:
        return None
    if after_counts - before_counts:
        return None
    return Fix(intent.description, line_edits(recipe.source, text), verified=True)


def _uncovered(finding: Finding, after: Recipe, intent: Intent) -> bool:
    """Whether it is a small thing about a word that the command only now gets: it was there before, unseen."""
    if not intent.gains or finding.severity > Severity.LOW:
        return False
    places = {finding.span, *finding.partners}
    return any(span in places for span in _moved(intent, after))


def _moved(intent: Intent, after: Recipe) -> list[Span]:
    """Where the gained words stand after the edit: lines went, columns stayed."""
    gone = sum(last - first + 1 for first, last in intent.delete_lines)
    return [
        Span(span.path, span.line - gone, span.column, span.end_line - gone, span.end_column)
        for span in intent.gains
        if span.path == after.source.path
    ]


def _identity(finding: Finding) -> tuple[str, str, str, str]:
    return finding.check, finding.rule, finding.key, finding.value


def _identities(findings: tuple[Finding, ...]) -> Counter[tuple[str, str, str, str]]:
    return Counter(_identity(finding) for finding in findings)


def _arguments_as_intended(before: Recipe, after: Recipe, intent: Intent, intents: list[Intent]) -> bool:
    """Whether every launch has the arguments and environment it had, but for what its intent says, and every other
    program its arguments.
    """
    if before.shell.partly != after.shell.partly and not before.shell.partly:
        return False
    if before.shell.others != after.shell.others and not intent.gains:
        return False  # what lost words run as commands of their own is meant to go away
    old, new = before.shell.launches, after.shell.launches
    if len(old) != len(new):
        return False
    gained = [before.source.cut(span) for span in intent.gains]
    touched = False
    for old_launch, new_launch, own in zip(old, new, intents, strict=True):
        wanted = _wanted(old_launch, own)
        touched = touched or wanted != [_seen(word) for word in old_launch.argv] or bool(gained)
        if not _same(wanted, new_launch, gained, after.source):
            return False
        old_env = {name: _seen(word) for name, word in old_launch.env.items() if name not in intent.unset}
        if old_env != {name: _seen(word) for name, word in new_launch.env.items()}:
            return False
    comments_only = bool(intent.delete_lines) and not (intent.remove or intent.rewrite or intent.gains)
    return touched or bool(intent.unset) or comments_only


_Seen = tuple[str | None, ...]


def _seen(word: Word) -> _Seen:
    """A word as far as it is known: its pieces, joined where they are known."""
    pieces: list[str | None] = []
    for piece in word.pieces:
        if piece.text is None:
            pieces.append("\0" + piece.why)
        elif pieces and not (pieces[-1] or "").startswith("\0"):
            pieces[-1] = (pieces[-1] or "") + piece.text
        else:
            pieces.append(piece.text)
    return (*pieces, "*") if word.many else tuple(pieces)


def _wanted(launch: Launch, intent: Intent) -> list[_Seen]:
    removed: set[Span] = set(intent.remove)
    rewrites = {rewrite.span: rewrite for rewrite in intent.rewrite}
    wanted = []
    for word in launch.argv:
        if word.span in removed:
            continue
        if intent.strip_lines and word.text is not None and not word.text.strip():
            continue
        rewrite = rewrites.get(word.span)
        if rewrite is None:
            wanted.append(_seen(word))
        elif rewrite.result is not None:
            wanted.append((rewrite.result,))
        else:
            seen = _seen(word)
            first = (seen[0] or "").replace(rewrite.old, rewrite.new, 1) if seen else ""
            wanted.append((first, *seen[1:]))
    return wanted


def _same(wanted: list[_Seen], launch: Launch, gained: list[str], source: SourceText) -> bool:
    new = list(launch.argv)
    if gained:
        head, tail = new[: len(wanted)], new[len(wanted) :]
        if [source.cut(word.span) for word in tail][: len(gained)] != gained:
            return False
        new = head
    return [_seen(word) for word in new] == wanted
