"""Loops."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reviewbot.shell.decisions import settle
from reviewbot.shell.expansion import rendered
from reviewbot.shell.model import Known, Origin
from reviewbot.shell.state import SUCCESS, Leave, Outcome
from reviewbot.shell.syntax import ArithmeticFor, Command, CommandList, For, Loop, Simple, Word
from reviewbot.shell.values import Value

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter

MAX_ROUNDS = 2000
"""How often one loop goes round before the rest of its rounds is left out."""
_TOO_MANY = "a loop goes round too often"


def run_loop(shell: Interpreter, command: Loop) -> Outcome:
    """``while`` and ``until``.  A loop whose condition is not known is not entered, unless it reads lines."""
    for _ in range(MAX_ROUNDS):
        outcome = shell.condition(command.condition)
        outcome = outcome.negated() if command.until else outcome
        certain = outcome.value is not None and outcome.known is not Known.NO
        if not certain:
            outcome = replace(outcome, guess=_reads(command.condition))
        if not settle(shell.path, outcome):
            break
        if _leaves(shell, command.body) or not certain:
            break
    else:
        shell.path.gap(_TOO_MANY)
    return SUCCESS


def _reads(condition: CommandList) -> bool:
    last: Command = condition.commands[-1]
    first = last.words[:1] if isinstance(last, Simple) else []
    return any(isinstance(word, Word) and word.plain == "read" for word in first)


def _leaves(shell: Interpreter, body: CommandList) -> bool:
    """Runs the body of a loop once; whether the loop ends by that."""
    try:
        shell.run_list(body)
    except Leave as leave:
        if leave.levels > 1:
            raise Leave(leave.levels - 1, again=leave.again) from None
        return not leave.again
    return False


def run_for(shell: Interpreter, command: For) -> Outcome:
    """``for name in words`` and ``select``"""
    span = command.code.span(command.start, _header_end(command))
    origin = None if span is None else Origin(command.name, span)
    if command.words is None:
        values = [value for _, value in shell.read_all("@")]
    else:
        values = [field.runs for field in shell.fields(command.words)]
    for count, value in enumerate(values):
        if count >= MAX_ROUNDS:
            shell.path.gap(_TOO_MANY)
            break
        if any(run.many for run in value):
            if not _goes_round(shell, command, value):
                continue
            value = tuple(run._replace(many=False) for run in value)
        shell.assign(command.name, value, origin)
        if _leaves(shell, command.body):
            break
    return SUCCESS


def _goes_round(shell: Interpreter, command: For, value: Value) -> bool:
    """Whether a loop runs for words of which not even the number is known; by default a script has no arguments."""
    place = (command.code, command.start, _header_end(command))
    if any(run.env == "@" for run in value):
        return settle(shell.path, Outcome(False, Known.DEFAULT, 1, place, rendered(value)))
    return settle(shell.path, Outcome(None, Known.NO, None, place, rendered(value), guess=True))


def _header_end(command: For) -> int:
    return command.words[-1].end if command.words else min(command.body.start, command.end)


def run_arithmetic_for(shell: Interpreter, command: ArithmeticFor) -> Outcome:
    """``for ((a; b; c))``"""
    word = Word(command.code, command.start, command.start, [])
    first, condition, step = command.clauses
    shell.arithmetic(word, first, why="((…))")
    for _ in range(MAX_ROUNDS):
        if condition:
            value = shell.arithmetic(word, condition, why="((…))")
            if value.text == "0":
                break
            if value.text is None:
                _leaves(shell, command.body)
                break
        if _leaves(shell, command.body):
            break
        shell.arithmetic(word, step, why="((…))")
    else:
        shell.path.gap(_TOO_MANY)
    return SUCCESS
