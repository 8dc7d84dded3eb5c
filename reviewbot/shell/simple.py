"""Simple commands: assignments, builtins, functions and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reviewbot.shell.assignments import assign
from reviewbot.shell.builtins import BUILTINS
from reviewbot.shell.calls import Call
from reviewbot.shell.external import run_program
from reviewbot.shell.state import MAX_CALLS, SUCCESS, Outcome, Return
from reviewbot.shell.syntax import Assignment, Simple, Word
from reviewbot.shell.values import Field, Run

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter

MANY_WORDS = 6
"""Longer commands are remembered as a whole."""


def run_simple(shell: Interpreter, command: Simple) -> Outcome:
    """A command with its assignments, words and redirections."""
    shell.substituted = None
    if len(command.words) > MANY_WORDS:
        fields = shell.remembered(shell.path.memory.commands, command, partial(_fields, shell))
    else:
        fields = _fields(shell, command)
    with shell.redirected(command.redirects):
        if fields:
            outcome = _dispatch(shell, command, fields)
        else:
            for assignment in command.assignments:
                assign(shell, assignment)
            outcome = shell.substituted or SUCCESS
    if outcome.place is None and outcome is not SUCCESS:
        outcome = replace(outcome, place=(command.code, command.start, command.end))
    return shell.checked(outcome)


def _fields(shell: Interpreter, command: Simple) -> list[Field]:
    fields: list[Field] = []
    plain: list[Word] = []
    for word in command.words:
        if isinstance(word, Word):
            plain.append(word)
            continue
        fields.extend(shell.fields(plain))
        plain = []
        text = word.value.code.text[word.start : word.end]
        placeholder = Word(word.value.code, word.start, word.end, [], text)
        fields.append(Field((Run(text, word=placeholder, start=word.start),), placeholder))
    fields.extend(shell.fields(plain))
    return fields


def _dispatch(shell: Interpreter, command: Simple, fields: list[Field]) -> Outcome:
    name = fields[0].text
    if name is not None and name in shell.shell.functions:
        return _call(shell, name, fields[1:], command)
    builtin = BUILTINS.get(name) if name is not None else None
    if builtin is None:
        return run_program(shell, command, fields)
    with _prefixed(shell, command.assignments):
        return builtin(Call(shell, fields, command))


@contextmanager
def _prefixed(shell: Interpreter, assignments: Sequence[Assignment]) -> Iterator[None]:
    """Assignments in front of a builtin or function hold while it runs."""
    variables = shell.shell.variables
    before = {assignment.name: variables.get(assignment.name) for assignment in assignments}
    for assignment in assignments:
        assign(shell, assignment)
        variables.change(assignment.name, exported=True)
    try:
        yield
    finally:
        for name, variable in before.items():
            if variable is None:
                variables.forget(name)
            else:
                variables.put(name, variable)


def _call(shell: Interpreter, name: str, arguments: Sequence[Field], command: Simple) -> Outcome:
    """Calls a function."""
    state = shell.shell
    positional, open_arguments = state.positional, state.open_arguments
    state.positional = [field.runs for field in arguments]
    state.open_arguments = False
    state.variables.scopes.append({})
    state.local_depth += 1
    try:
        with shell.path.nested(MAX_CALLS), _prefixed(shell, command.assignments):
            return shell.run(state.functions[name])
    except Return:
        return state.status
    finally:
        state.local_depth -= 1
        state.variables.scopes.pop()
        state.positional, state.open_arguments = positional, open_arguments
