"""Folded sections of the summary: effective settings that changed, risk marks, history.

Plain values in, Markdown out; who works them out is not this module's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.checks.wording import plural
from reviewbot.github.assembly import Part
from reviewbot.github.history import History
from reviewbot.language import say
from reviewbot.report.inert import cell_code, code, message, prose
from reviewbot.review.effects import Effect, Shown
from reviewbot.review.risks import Risk
from reviewbot.shell.model import Known

MAX_ROWS = 40
"""Rows of one recipe; a config tree that changes whole would fill the comment."""
MAX_VALUE = 120


def effects_part(effects: Sequence[Effect]) -> Part:
    """A table of what changes in effect, a row a key or variable; below it what could not be compared.

    Recipes with the same row share it.
    """
    alike: dict[str, list[str]] = {}
    for effect in effects:
        for cells in _rows(effect):
            alike.setdefault(cells, []).append(effect.path)
    rows = [f"| {_recipes(paths)} | {cells}" for cells, paths in alike.items()]
    notes = [f"- {code(effect.path)}: {message(note)}" for effect in effects for note in effect.notes]
    opening = (
        "<details><summary>What changes in effect</summary>\n\n"
        "On the path that each script takes by default:\n\n"
        "| Recipe | Key or variable | Before | After | Reaches the server |\n| --- | --- | --- | --- "
        "| --- |\n"
    )
    if not rows:
        opening = say("<details><summary>What changes in effect</summary>\n\n")
        return Part(opening, tuple(notes), "</details>", needed=False)
    closing = "\n".join(notes[:MAX_ROWS]) + "\n\n</details>" if notes else "</details>"
    return Part(opening, tuple(rows), closing, needed=False)


def risks_part(risks: Sequence[Risk]) -> Part:
    """A list of marks, an item a recipe and mark."""
    items = [
        f"- {code(risk.path)}: **{prose(risk.mark)}**" + (f" ({message(risk.why)})" if risk.why else "")
        for risk in risks
    ]
    return Part(say("<details><summary>Risk marks</summary>\n\n"), tuple(items), "</details>", needed=False)


def history_part(histories: Sequence[History], pull_url: str) -> Part:
    """A list of earlier pull requests; ``pull_url`` is the address that a number is put behind.

    The links stand in Markdown links, so GitHub adds no reference to the other pull request's timeline.
    """
    items = [
        f"- {code(history.subject)}: "
        + ", ".join(f"[{pull.number}]({pull_url}{pull.number}) {code(pull.title)}" for pull in history.pulls)
        for history in histories
        if history.pulls
    ]
    return Part(
        say("<details><summary>Earlier changes</summary>\n\n"), tuple(items), "</details>", needed=False
    )


def _recipes(paths: Sequence[str]) -> str:
    more = say(" and {count}", count=plural(len(paths) - 1, "more recipe")) if len(paths) > 1 else ""
    return cell_code(paths[0]) + more


def _rows(effect: Effect) -> Iterator[str]:
    """The cells of each row but the first."""
    rows = [
        f"{cell_code(item.key)}{_followers(item.followers)} | {_value(item.before)} | "
        f"{_value(item.after)} | {message(item.reaches)} |"
        for item in effect.settings
    ]
    rows += [
        say(
            "{name} | {value} | {value2} | environment |",
            name=cell_code(item.name),
            value=_value(item.before),
            value2=_value(item.after),
        )
        for item in effect.variables
    ]
    yield from rows[:MAX_ROWS]
    if len(rows) > MAX_ROWS:
        yield say("and {count} more | | | |", count=len(rows) - MAX_ROWS)


def _followers(count: int) -> str:
    if not count:
        return ""
    keys = plural(count, "key")
    if count == 1:
        return say(" and {keys} that follows it", keys=keys)
    return say(" and {keys} that follow it", keys=keys)


def _value(value: Shown | None) -> str:
    if value is None:
        return say("not set")
    text = cell_code(value.text if len(value.text) <= MAX_VALUE else value.text[:MAX_VALUE] + "…")
    if value.known is Known.NO:
        return say("not known ({text})", text=text) if value.text else say("not known")
    return say("{text} by default", text=text) if value.known is Known.DEFAULT else text
