"""Scripts that a script runs: other files, text for ``bash -c`` and ``eval``, here-documents."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewbot.shell.code import Code
from reviewbot.shell.expansion import runs_code
from reviewbot.shell.model import Origin
from reviewbot.shell.programs import Nested
from reviewbot.shell.state import MAX_CALLS, SUCCESS, Leave, Outcome, Return, Shell, Stop, joined_path
from reviewbot.shell.syntax import Simple
from reviewbot.shell.values import Field, Value, fed, text_of
from reviewbot.shell.variables import Variable, Variables

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter

MAX_SCRIPTS = 12
"""How many scripts may start one another."""


def run_nested(shell: Interpreter, command: Simple, fields: list[Field], found: Nested) -> Outcome | None:
    """Runs the text or file that a shell is given; None where that is not at hand."""
    script = shell.shell.script
    code: Code | None
    if found.stdin:
        code = None if shell.stdin.runs is None else runs_code(shell.stdin.runs, script)
        arguments = fields[found.index :]
    elif found.text:
        code = runs_code(fields[found.index].runs, script)
        arguments = fields[found.index + 2 :]
    else:
        path = located(shell, fields[found.index].runs)
        code = None if path is None else shell.path.files.code(path)
        arguments = fields[found.index + 1 :]
        script = path or ""
    if code is None or shell.path.scripts >= MAX_SCRIPTS:
        return None
    launched = len(shell.path.launches)
    outcome = _run(shell, _exported(shell, command), code, script, arguments)
    if found.wrapped and found.text:
        for index in range(launched, len(shell.path.launches)):
            shell.path.launches[index] = replace(shell.path.launches[index], argv=fields)
    return outcome


def _run(
    shell: Interpreter, variables: Variables, code: Code, script: str, arguments: Sequence[Field]
) -> Outcome:
    """Runs code in a shell of its own."""
    outer, tested = shell.shell, shell.tested
    positional = [field.runs for field in arguments]
    shell.shell = Shell(variables, {}, positional, False, script, folder=outer.folder)
    shell.tested = 0
    shell.path.scripts += 1
    outcome = SUCCESS
    try:
        with shell.path.nested(MAX_CALLS):
            shell.run_code(code)
        outcome = shell.shell.status
    except Stop as stop:
        outcome = stop.outcome
    except (Return, Leave):
        outcome = shell.shell.status
    finally:
        shell.shell, shell.tested = outer, tested
        shell.path.scripts -= 1
    return outcome


def _exported(shell: Interpreter, command: Simple) -> Variables:
    """The variables that a program started here sees."""
    visible = Variables()
    for name in shell.shell.variables.names():
        unset = shell.shell.variables.get(name)
        if unset is not None and not unset.is_set:
            visible.put(name, Variable())
    for name, variable, _value in shell.shell.variables.exported():
        visible.put(name, variable._replace(readonly=False))
    for assignment in command.assignments:
        if assignment.elements is None:
            span = assignment.value.code.span(assignment.start, assignment.end)
            origin = None if span is None else Origin(assignment.name, span)
            value = fed(shell.value(assignment.value), origin)
            visible.put(assignment.name, Variable(value, exported=True, origin=origin))
    return visible


def located(shell: Interpreter, runs: Value) -> str | None:
    """The path in the repository of a file that a value names, where there is one."""
    candidates = [place_of(runs, shell.shell.folder)]
    text = text_of(runs)
    if text is not None and not text.startswith("/"):
        candidates.append(joined_path("", text))
        candidates.append(joined_path(posixpath.dirname(shell.shell.script), text))
    return next((path for path in candidates if path and shell.path.files.code(path) is not None), None)


def place_of(runs: Value, folder: str | None) -> str | None:
    """Where in the repository a path is that a value names."""
    runs = tuple(run for run in runs if run.text != "")
    if not runs:
        return None
    if runs[0].text is None:
        rest = text_of(runs[1:])
        if runs[0].place is None or rest is None or (rest and not rest.startswith("/")):
            return None
        return joined_path(runs[0].place, rest.lstrip("/") or ".")
    text = text_of(runs)
    return None if text is None else joined_path(folder, text)
