"""Compound commands but for loops and ``case``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewbot.shell import conditions
from reviewbot.shell.decisions import breaks, ends, harmless, settle
from reviewbot.shell.model import Known
from reviewbot.shell.state import SUCCESS, Outcome, Stdin
from reviewbot.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    Command,
    Condition,
    Function,
    Group,
    If,
    Pipeline,
    Redirected,
    Test,
    Word,
)
from reviewbot.shell.values import known_of

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter


def run_and_or(shell: Interpreter, command: AndOr) -> Outcome:
    """``first && second || third``"""
    outcome = shell.condition(command.first)
    for index, (operator, following) in enumerate(command.rest):
        last = index == len(command.rest) - 1
        goes_on_if = operator == "&&"
        if outcome.value is None and last and shell.out is None and not shell.tested and harmless(following):
            return replace(outcome, guess=True)
        truth = _decided(shell, outcome, following, goes_on_if)
        if truth == goes_on_if:
            outcome = shell.run(following) if last else shell.condition(following)
        else:
            outcome = replace(outcome, value=truth, known=Known.YES, code=int(not truth))
    return outcome


def _decided(shell: Interpreter, outcome: Outcome, following: Command, goes_on_if: bool) -> bool:
    if outcome.value is None and breaks(following):
        outcome = replace(outcome, guess=goes_on_if)
    return settle(shell.path, outcome, avoid=goes_on_if if ends(following) else None)


def run_pipeline(shell: Interpreter, command: Pipeline) -> Outcome:
    """``! a | b``"""
    outcome = SUCCESS
    if len(command.commands) == 1:
        only = command.commands[0]
        outcome = shell.condition(only) if command.negated else shell.run(only)
    elif command.commands:
        outcome = _piped(shell, command.commands)
        outcome = outcome if command.negated else shell.checked(outcome)
    return outcome.negated() if command.negated else outcome


def _piped(shell: Interpreter, commands: Sequence[Command]) -> Outcome:
    from reviewbot.shell.interpreter import known_text

    out, stdin = shell.out, shell.stdin
    try:
        for index, command in enumerate(commands):
            shell.out = out if index == len(commands) - 1 else []
            with shell.subshell():
                shell.run(command)
            shell.stdin = Stdin(None if shell.out is None else known_text(shell.out))
    finally:
        shell.out, shell.stdin = out, stdin
    return shell.shell.status


def run_if(shell: Interpreter, command: If) -> Outcome:
    """``if``"""
    bodies = [body for _, body in command.arms]
    pointless = shell.out is None and all(map(harmless, bodies))
    pointless = pointless and (command.otherwise is None or harmless(command.otherwise))
    for index, (condition, body) in enumerate(command.arms):
        outcome = shell.condition(condition)
        if pointless and outcome.value is None:
            return SUCCESS
        if outcome.value is None and breaks(body):
            outcome = replace(outcome, guess=True)
        following = bodies[index + 1] if index + 1 < len(bodies) else command.otherwise
        avoid = True if ends(body) else False if ends(following) else None
        if settle(shell.path, outcome, avoid=avoid):
            return shell.run_list(body)
    return SUCCESS if command.otherwise is None else shell.run_list(command.otherwise)


def run_group(shell: Interpreter, command: Group) -> Outcome:
    """``{ … }`` and ``( … )``"""
    if not command.subshell:
        return shell.run_list(command.body)
    with shell.subshell():
        shell.run_list(command.body)
    return shell.checked(shell.shell.status)


def run_arithmetic(shell: Interpreter, command: ArithmeticCommand) -> Outcome:
    """``(( … ))``"""
    word = Word(command.code, command.start, command.end, [])
    why = command.code.text[command.start : command.end]
    run = shell.arithmetic(word, command.parts, why=why)
    place = (command.code, command.start, command.end)
    if run.text is None:
        return Outcome(None, Known.NO, place=place, rendered=why, guess=False)
    truth = run.text != "0"
    shown = f"{why} = {run.text}"
    return shell.checked(Outcome(truth, known_of((run,)), int(not truth), place, shown))


def run_function(shell: Interpreter, command: Function) -> Outcome:
    """A definition."""
    shell.shell.functions[command.name] = command.body
    return SUCCESS


def run_condition(shell: Interpreter, command: Condition) -> Outcome:
    """``[[ … ]]``"""
    outcome = _test(shell, command.test)
    return shell.checked(replace(outcome, place=(command.code, command.start, command.end)))


def _test(shell: Interpreter, test: Test) -> Outcome:
    if test.operator in ("&&", "||"):
        stops_at = test.operator == "||"
        join = conditions.disjunction if stops_at else conditions.conjunction
        result: Outcome | None = None
        for operand in test.operands:
            if result is not None and result.known is Known.YES and result.value is stops_at:
                break
            following = _test(shell, operand) if isinstance(operand, Test) else SUCCESS
            result = following if result is None else join(result, following)
        return result or SUCCESS
    inner = test.operands[0]
    if test.operator == "!" and isinstance(inner, Test):
        return _test(shell, inner).negated()
    return conditions.evaluate_test(shell, test)


def run_redirected(shell: Interpreter, command: Redirected) -> Outcome:
    """A compound command with redirections."""
    with shell.redirected(command.redirects):
        return shell.run(command.command)
