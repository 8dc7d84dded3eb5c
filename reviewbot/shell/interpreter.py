"""Follows a script along one path, as bash would run it, without running anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from reviewbot.shell import cases, compound, loops, simple
from reviewbot.shell.code import Code
from reviewbot.shell.model import Known
from reviewbot.shell.reading import Reader
from reviewbot.shell.state import MAX_CALLS, SUCCESS, Leave, Outcome, Path, Return, Shell, Stdin, Stop
from reviewbot.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    CommandList,
    CommandSubstitution,
    Condition,
    For,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Redirect,
    Redirected,
    Simple,
    Word,
)
from reviewbot.shell.values import Run, Value, cut, known_of, unknown, weaker
from reviewbot.shell.variables import Index, Variable


class Interpreter(Reader):
    """A shell on a path.  Subshells are made by swapping :attr:`shell` for a copy."""

    def __init__(self, shell: Shell, path: Path) -> None:
        self.shell = shell
        self.path = path
        self.out: list[Run] | None = None
        """What is written to standard output, where something reads it."""
        self.reads = []
        self.impurities = 0
        self.stdin = Stdin(None)
        self.tested = 0
        """How many conditions are being evaluated: ``set -e`` does not count within."""
        self.substituted: Outcome | None = None
        """The outcome of the last command substitution of a simple command."""

    def run_code(self, code: Code) -> None:
        """Runs a whole script, line by line.  Raises :class:`Stop`, :class:`Return`, :class:`Leave`."""
        for commands in self.path.files.commands(code):
            self.run_list(commands)
            self.reads.clear()

    def run_list(self, commands: CommandList) -> Outcome:
        """Runs commands one after the other."""
        outcome = SUCCESS
        for command, background in zip(commands.commands, commands.background, strict=True):
            if background:
                with self.subshell():
                    self.run(command)
                outcome = self.shell.status = SUCCESS
            else:
                outcome = self.run(command)
        return outcome

    def run(self, command: Command) -> Outcome:
        """Runs one command and keeps its outcome as ``$?``."""
        self.spend(1)
        outcome = _RUNNERS[type(command)](self, command)
        self.shell.status = outcome
        return outcome

    def condition(self, command: Command) -> Outcome:
        """Runs a command whose failure does not end the script."""
        self.tested += 1
        try:
            return self.run(command)
        finally:
            self.tested -= 1

    def checked(self, outcome: Outcome) -> Outcome:
        """Ends the shell where ``set -e`` certainly does."""
        failed = outcome.value is False and outcome.known is Known.YES
        if failed and "e" in self.shell.options and not self.tested:
            raise Stop(outcome)
        return outcome

    @contextmanager
    def subshell(self) -> Iterator[None]:
        """A shell whose changes are lost at the end; ``exit`` only leaves it."""
        shell, stdin = self.shell, self.stdin
        self.shell = replace(
            shell,
            variables=shell.variables.copy(),
            functions=dict(shell.functions),
            positional=list(shell.positional),
            options=set(shell.options),
        )
        self.spend(2)
        try:
            yield
        except Stop as stop:
            shell.status = stop.outcome
        except (Return, Leave):
            shell.status = self.shell.status
        else:
            shell.status = self.shell.status
        finally:
            self.shell, self.stdin = shell, stdin

    # --- input and output

    def write(self, runs: Sequence[Run]) -> None:
        """Writes to standard output."""
        if self.out is not None:
            self.out.extend(runs)
            self.path.budget.write(sum(len(run.text or "") for run in runs))

    @contextmanager
    def redirected(self, redirects: Sequence[Redirect]) -> Iterator[None]:
        """Standard input and output as redirections make them."""
        if not redirects:
            yield
            return
        out, stdin = self.out, self.stdin
        for redirect in redirects:
            self._redirect(redirect)
        try:
            yield
        finally:
            self.out, self.stdin = out, stdin

    def _redirect(self, redirect: Redirect) -> None:
        operator = redirect.operator
        if operator in ("<<", "<<-"):
            body = redirect.body
            self.stdin = Stdin(() if body is None else self.parts_value(body, body.parts, quoted=True))
        elif operator == "<<<":
            self.stdin = Stdin((*self.value(redirect.target), Run("\n")))
        elif operator.startswith("<") and redirect.descriptor in ("", "0"):
            self.stdin = self._read_from(redirect)
        elif redirect.descriptor in ("", "1") and operator.startswith((">", "&>")):
            self.value(redirect.target)
            if not (operator == ">&" and redirect.target.plain == "1"):
                self.out = None

    def _read_from(self, redirect: Redirect) -> Stdin:
        parts = redirect.target.parts
        if len(parts) == 1 and isinstance(parts[0], CommandSubstitution) and parts[0].process == "<":
            return Stdin(known_text(self._written_by(parts[0])))
        self.value(redirect.target)
        return Stdin(None)

    # --- substitutions

    def substitution(self, word: Word, part: CommandSubstitution) -> Value:
        """See :class:`Surroundings`."""
        why = word.code.text[part.start : part.end]
        self.impurities += 1
        if part.process:
            self._written_by(part)
            return (unknown(why),)
        guesses = self.path.guesses
        written = self._written_by(part)
        self.substituted = self.shell.status
        if any(run.text is None for run in written):
            alone = sum(run.text != "\n" for run in written) == 1
            return (unknown(why, place=written[0].place if alone else None),)
        runs = _without_newlines(written)
        if self.path.guesses > guesses:
            return tuple(run._replace(known=weaker(run.known, Known.CHOICE)) for run in runs)
        return runs

    def _written_by(self, part: CommandSubstitution) -> list[Run]:
        out, tested = self.out, self.tested
        written: list[Run] = []
        self.out = written
        try:
            with self.path.nested(MAX_CALLS), self.subshell():
                if part.body is not None:
                    self.run_list(part.body)
                else:
                    self.run_code(part.code)
        finally:
            self.out, self.tested = out, tested
        return written

    def matched(self, groups: Sequence[str | None], subject: Value) -> None:
        """Sets BASH_REMATCH after ``=~``."""
        known = known_of(subject)
        elements: dict[Index, Value] = {
            index: (Run(group or "", known),) for index, group in enumerate(groups)
        }
        self.shell.variables.put("BASH_REMATCH", Variable(elements=elements))


def known_text(written: Sequence[Run]) -> Value | None:
    """What was written, where all of it is known."""
    return None if any(run.text is None for run in written) else tuple(written)


def _without_newlines(runs: Sequence[Run]) -> Value:
    kept = list(runs)
    while kept and not (kept[-1].text or "").rstrip("\n"):
        kept.pop()
    if kept and (kept[-1].text or "").endswith("\n"):
        kept[-1] = cut(kept[-1], 0, len((kept[-1].text or "").rstrip("\n")))
    return tuple(kept)


_RUNNERS: dict[type[Command], Callable[..., Outcome]] = {
    Simple: simple.run_simple,
    Pipeline: compound.run_pipeline,
    AndOr: compound.run_and_or,
    CommandList: Interpreter.run_list,
    If: compound.run_if,
    Loop: loops.run_loop,
    For: loops.run_for,
    ArithmeticFor: loops.run_arithmetic_for,
    Case: cases.run_case,
    Group: compound.run_group,
    ArithmeticCommand: compound.run_arithmetic,
    Function: compound.run_function,
    Condition: compound.run_condition,
    Redirected: compound.run_redirected,
}
