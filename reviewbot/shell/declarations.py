"""``declare``, ``typeset``, ``local``, ``export``, ``readonly`` and ``unset``."""

from __future__ import annotations

import re
from typing import Any

from reviewbot.shell.assignments import Prepared, prepare, store
from reviewbot.shell.calls import NAME, Call
from reviewbot.shell.state import SUCCESS, Outcome
from reviewbot.shell.syntax import Assignment
from reviewbot.shell.values import Field, Run, Value, cut, text_of
from reviewbot.shell.variables import Index, Variable

_ARGUMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:(\+?)=|$)")
_UNSET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?", re.DOTALL)


def declare(call: Call) -> Outcome:
    """All that declare variables."""
    written = {word.start: word for word in call.command.words if isinstance(word, Assignment)}
    flags: set[str] = set()
    removed: set[str] = set()
    # Bash expands all words before the first variable is declared.
    prepared = {
        id(field): prepare(call.shell, assignment)
        for field in call.words
        if (assignment := written.get(field.word.start)) is not None and field.word.plain == field.text
    }
    for field in call.words:
        text = field.text
        if id(field) in prepared:
            _declare(call, prepared[id(field)], flags, removed, assigns=True)
        elif text is not None and text[:1] in ("-", "+") and len(text) > 1:
            (flags if text[0] == "-" else removed).update(text[1:])
        else:
            _declare_field(call, field, flags, removed)
    return SUCCESS


def _declare_field(call: Call, field: Field, flags: set[str], removed: set[str]) -> None:
    """``NAME`` or ``NAME=value`` that came out of an expansion, or in quotes."""
    shown = "".join("\0" if run.text is None else run.text for run in field.runs)
    match = _ARGUMENT.match(shown)
    if match is None:
        return
    value: list[Run] = []
    skipped = match.end()
    for run in field.runs:
        length = 1 if run.text is None else len(run.text)
        if skipped >= length:
            skipped -= length
            continue
        value.append(cut(run, skipped, length) if skipped else run)
        skipped = 0
    prepared = Prepared(match[1], call.origin(match[1]), bool(match[2]), tuple(value))
    _declare(call, prepared, flags, removed, assigns=match[2] is not None)


def _declare(call: Call, prepared: Prepared, flags: set[str], removed: set[str], *, assigns: bool) -> None:
    shell, name, kind = call.shell, prepared.name, call.name
    variables = shell.shell.variables
    if kind == "export" and "f" in flags:
        return
    in_function = bool(shell.shell.local_depth) and "g" not in flags
    local = kind == "local" or (kind in ("declare", "typeset") and in_function)
    if local and name not in variables.scopes[-1]:
        outer = variables.get(name)
        variables.put_local(name, Variable(exported=outer is not None and outer.exported))
    if "n" in flags and kind != "export":
        target = text_of(prepared.value) or ""
        if NAME.fullmatch(target) and target != name:
            variables.put(name, Variable(reference=target))
        return
    before = _attributes(variables.get(name), flags)
    if before:
        variables.change(name, **before)
    if assigns:
        store(shell, prepared)
    after = _marks(kind, flags, removed)
    if after:
        _mark(call, name, after)


def _attributes(existing: Variable | None, flags: set[str]) -> dict[str, Any]:
    """What changes how a value is assigned."""
    changes: dict[str, Any] = {}
    if "i" in flags:
        changes["integer"] = True
    if "l" in flags or "u" in flags:
        changes["case"] = "l" if "l" in flags else "u"
    if existing is not None and existing.elements is not None:
        return changes
    if "A" in flags:
        changes.update(associative=True, elements={}, value=None)
    elif "a" in flags:
        held = existing is not None and existing.value is not None
        elements: dict[Index, Value | None] = {0: existing.value} if existing is not None and held else {}
        changes.update(elements=elements, value=None)
    return changes


def _marks(kind: str, flags: set[str], removed: set[str]) -> dict[str, bool]:
    """What holds once the value is assigned."""
    changes = {}
    if kind == "export":
        changes["exported"] = "n" not in flags
    elif "x" in flags:
        changes["exported"] = True
    elif "x" in removed:
        changes["exported"] = False
    if kind == "readonly" or "r" in flags:
        changes["readonly"] = True
    return changes


def _mark(call: Call, name: str, changes: dict[str, bool]) -> None:
    """``export NAME`` may also mean a variable that the environment already holds."""
    variables = call.shell.shell.variables
    if variables.get(name) is None:
        value = call.shell.read(name)
        if value is None or value[0].unset or value[0].text is None:
            return
        variables.change(name, value=value)
    variable = variables.change(name, **changes)
    origin = variable.origin or call.origin(name)
    if variable.exported and origin is not None:
        call.shell.path.exports[name] = origin


def unset(call: Call) -> Outcome:
    """``unset``"""
    functions = False
    for field in call.words:
        text = field.text or ""
        if text.startswith("-"):
            functions = functions or "f" in text
        elif functions:
            call.shell.shell.functions.pop(text, None)
        else:
            _unset(call, text)
    return SUCCESS


def _unset(call: Call, text: str) -> None:
    match = _UNSET.fullmatch(text)
    if match is None:
        return
    shell, name, index = call.shell, match[1], match[2]
    variable = shell.shell.variables.get(name)
    if variable is not None and variable.readonly:
        return
    if index is None or index in ("@", "*"):
        if variable is None:
            shell.shell.functions.pop(name, None)
        shell.shell.variables.remove(name)
        return
    key = shell.index(variable, (Run(index),))
    if variable is not None and variable.elements is not None and key in variable.elements:
        elements = {at: value for at, value in variable.elements.items() if at != key}
        shell.shell.variables.change(name, elements=elements)
