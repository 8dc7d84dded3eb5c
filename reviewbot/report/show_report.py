"""What a script would run: for people, and as JSON (version 1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from reviewbot.checks.recipe import Plan, Recipe
from reviewbot.checks.wording import shown
from reviewbot.config.arguments import sort_arguments
from reviewbot.config.model import Override
from reviewbot.language import later, say
from reviewbot.report.terminal import Paint, printable
from reviewbot.shell.model import Known, Launch, ShellResult, Word

VERSION = 1

_NOTES = {
    Known.YES: "",
    Known.DEFAULT: later("unless the environment says otherwise"),
    Known.CHOICE: later("on this branch"),
    Known.NO: later("not known"),
}


def launches_json(shell: ShellResult) -> str:
    """All launches, those of assumed branches last, as JSON text with a line end."""
    launches = [_launch(launch) for launch in shell.launches]
    return json.dumps({"version": VERSION, "launches": launches, "partly": shell.partly}, indent=2) + "\n"


def _launch(launch: Launch) -> dict[str, Any]:
    arguments = sort_arguments(launch.arguments)
    return {
        "line": launch.span.line,
        "entry_point": launch.entry_point.text,
        "config_name": arguments.config_name,
        "default_path": launch.on_default_path,
        "branches": [
            {
                "line": item.span.line,
                "condition": item.condition,
                "taken": item.taken,
                "assumed": item.assumed,
            }
            for item in launch.decisions
        ],
        "argv": [word.text for word in launch.argv],
        "env": {name: word.text for name, word in sorted(launch.env.items())},
        "overrides": [_override(override) for override in arguments.overrides],
    }


def _override(override: Override) -> dict[str, Any]:
    span = override.word.span
    return {
        "op": override.op,
        "key": override.key,
        "value": override.value_text,
        "known": override.known.value,
        "path": span.path,
        "line": span.line,
        "end_line": span.end_line,
        "column": span.column,
        "end_column": span.end_column,
        "fed_by": [{"name": origin.name, "line": origin.span.line} for origin in override.word.origins],
    }


def recipe_text(recipe: Recipe, knowledge: str, *, colour: bool = False) -> str:
    """All launches for people, with the effective value of each override, as text with a line end."""
    paint = Paint(colour)
    plans = {id(plan.launch): plan for plan in recipe.plans}
    lines: list[str] = []
    for launch in recipe.shell.launches:
        lines.extend(_block(launch, plans.get(id(launch)), paint))
    if recipe.partly:
        lines.append(paint("yellow", say("Partly read: {why}.", why=printable(recipe.partly))))
    lines.append(paint("dim", say("Values as {knowledge} has them.", knowledge=knowledge)))
    return "\n".join(lines) + "\n"


def _block(launch: Launch, plan: Plan | None, paint: Paint) -> Iterator[str]:
    entry = printable(_text(launch.entry_point))
    yield paint("bold", f"{printable(launch.span.path)}:{launch.span.line}  {entry}")
    for decision in launch.decisions:
        yield say(
            "  branch {line}  {condition} is {taken} ({how})",
            line=f"{decision.span.line:>4}",
            condition=printable(decision.condition),
            taken=printable(decision.taken),
            how=say("assumed") if decision.assumed else say("by default"),
        )
    for name, word in sorted(launch.env.items()):
        start = say("  env    {line}  ", line=f"{word.span.line:>4}")
        yield f"{start}{printable(name)}={printable(_text(word))}"
    arguments = plan.configured.arguments if plan is not None else sort_arguments(launch.arguments)
    for override in arguments.overrides:
        yield _line(override, plan, paint)
    for word in arguments.open:
        yield say("  more   {line}  ", line=f"{word.span.line:>4}") + printable(_text(word))
    if plan is not None:
        for refusal in plan.configured.refusals:
            yield paint("red", say("  refused: {message}", message=printable(refusal.message)))
    yield ""


def _line(override: Override, plan: Plan | None, paint: Paint) -> str:
    word = override.word
    text = (
        f"  {override.op:>2}     {word.span.line:>4}  {printable(override.key)}={printable(_value(override))}"
    )
    notes = [say(_NOTES[override.known])] if _NOTES[override.known] else []
    fed = dict.fromkeys(
        say("{name} (line {line})", name=origin.name, line=origin.span.line) for origin in word.origins
    )
    if fed:
        notes.append(say("from {names}", names=", ".join(fed)))
    effective = plan.configured.effective if plan is not None else None
    setting = effective.get(override.key) if effective is not None else None
    if setting is not None and setting.set_by is not None and setting.set_by is not override:
        line = setting.set_by.word.span.line
        notes.append(say("replaced on line {line}: {value}", line=line, value=shown(setting.value)))
    return text + (paint("dim", "   # " + printable("; ".join(notes))) if notes else "")


def _value(override: Override) -> str:
    return override.value_text if override.value_text is not None else _text(override.word).partition("=")[2]


def _text(word: Word) -> str:
    """The word for people; what is not known stands in angle brackets."""
    if word.many and not word.pieces:
        return say("<any arguments>")
    return "".join(piece.text if piece.text is not None else f"<{piece.why or '?'}>" for piece in word.pieces)
