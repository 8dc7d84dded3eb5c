"""Folded sections of the summary: effective settings that changed, risk marks, history.

Plain values in, Markdown out; who works them out is not this module's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reviewbot.github.assembly import Part
from reviewbot.github.inert import cell_code, code, prose


@dataclass(frozen=True)
class SettingChange:
    """A key whose effective value the pull request changes."""

    key: str
    before: str | None
    """None: it was not set."""
    after: str | None
    """None: it is not set any more."""
    reaches: str
    """``yes``, ``no`` or ``not known``: whether the value reaches the server."""


@dataclass(frozen=True)
class VariableChange:
    """An environment variable that the pull request adds, removes or changes."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class RecipeChange:
    """What a pull request changes of what one recipe runs."""

    path: str
    settings: tuple[SettingChange, ...] = ()
    variables: tuple[VariableChange, ...] = ()


@dataclass(frozen=True)
class Risk:
    """A mark on a recipe."""

    path: str
    mark: str
    """``ineffective setting``, ``refused at start``, ``values not known``, ``run by no workflow``."""
    why: str = ""


@dataclass(frozen=True)
class PastPull:
    """A merged pull request that touched the same key or file."""

    number: int
    title: str


@dataclass(frozen=True)
class History:
    """The last merged pull requests that touched a key or a recipe, newest first."""

    subject: str
    pulls: tuple[PastPull, ...]


def changes_part(changes: Sequence[RecipeChange]) -> Part:
    """A table of what changes in effect, a row a key or variable."""
    rows = [row for change in changes for row in _rows(change)]
    opening = (
        "<details><summary>What changes in effect</summary>\n\n"
        "| Recipe | Key or variable | Before | After | Reaches the server |\n| --- | --- | --- | --- | --- |\n"
    )
    return Part(opening, tuple(rows), "</details>", needed=False)


def risks_part(risks: Sequence[Risk]) -> Part:
    """A list of marks, an item a recipe and mark."""
    items = [
        f"- {code(risk.path)}: **{prose(risk.mark)}**" + (f" ({prose(risk.why)})" if risk.why else "")
        for risk in risks
    ]
    return Part("<details><summary>Risk marks</summary>\n\n", tuple(items), "</details>", needed=False)


def history_part(histories: Sequence[History], pull_url: str) -> Part:
    """A list of earlier pull requests; ``pull_url`` is the address that a number is put behind.

    The links stand in Markdown links, so GitHub adds no reference to the other pull request's timeline.
    """
    items = [
        f"- {code(history.subject)}: "
        + ", ".join(
            f"[{pull.number}]({pull_url}{pull.number}) {code(pull.title)}" for pull in history.pulls[:3]
        )
        for history in histories
        if history.pulls
    ]
    return Part("<details><summary>Earlier changes</summary>\n\n", tuple(items), "</details>", needed=False)


def _rows(change: RecipeChange) -> list[str]:
    recipe = cell_code(change.path)
    settings = [
        f"| {recipe} | {cell_code(item.key)} | {_value(item.before)} | {_value(item.after)} | {prose(item.reaches)} |"
        for item in change.settings
    ]
    variables = [
        f"| {recipe} | {cell_code(item.name)} | {_value(item.before)} | {_value(item.after)} | environment |"
        for item in change.variables
    ]
    return settings + variables


def _value(value: str | None) -> str:
    return "not set" if value is None else cell_code(value)
