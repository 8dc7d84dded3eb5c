"""Decides conditions that the script alone does not decide, and remembers what else could be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reviewbot.shell.code import Code
from reviewbot.shell.model import Decision, Known
from reviewbot.shell.state import Alternative, Assumption, Key, Outcome, Path
from reviewbot.shell.syntax import Command, CommandList, Group, Simple, Word


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on."""

    number: int
    taken: str
    """See :class:`reviewbot.shell.model.Decision`."""
    assumptions: tuple[Assumption, ...] = ()
    """What the environment must hold for it, where that can be said."""


def settle(path: Path, outcome: Outcome, *, avoid: bool | None = None) -> bool:
    """Whether a condition holds on this path.

    ``avoid`` is the truth that would end the script.  A script is taken to be run so that it gets past such a check,
    unless that needs a certain value that the environment does not have by default.
    """
    if outcome.value is not None and outcome.known is Known.YES:
        return outcome.value
    guessed = outcome.value is None
    default = outcome.guess if outcome.value is None else outcome.value
    other = outcome.when_false if default else outcome.when_true
    pinned = any(assumption.value is not None for assumption in other)
    if outcome.known is not Known.CHOICE and default is avoid and not pinned:
        default, guessed = not default, True
    choices = (Choice(0, "false", outcome.when_false), Choice(1, "true", outcome.when_true))
    place = outcome.place or (path.code, 0, 0)
    chosen = choose(
        path, place, outcome.rendered, choices, int(default), known=outcome.known, guessed=guessed
    )
    return bool(chosen)


def choose(
    path: Path,
    place: tuple[Code, int, int],
    rendered: str,
    choices: Sequence[Choice],
    default: int,
    *,
    known: Known,
    guessed: bool,
) -> int:
    """The number of the way that is taken at a place; ``rendered`` is the condition after expansion.

    The same condition is decided alike all along a path.  On the default path that is ``default``; every other
    choice becomes an alternative, unless an assumption has decided already.
    """
    code, start, end = place
    key: Key = (code.path, start, end, rendered)
    settled = path.settled.get(key)
    if settled is not None:
        return settled
    forced = path.course.forced.get(key)
    chosen = default if forced is None else forced
    # A value that an earlier choice decided settles the condition: it is as assumed as that choice was.
    follows = forced is None and known is Known.CHOICE
    assumed = forced is not None or (follows and not path.course.is_default)
    path.guesses += guessed
    guessed = guessed and forced is None
    span = code.span(start, end) or path.fallback
    condition = code.text[start:end] or "(a condition)"
    if forced is None and not follows:
        for choice in choices:
            if choice.number != chosen:
                other = Decision(condition, choice.taken, span, assumed=True)
                path.alternatives.append(Alternative(key, choice.number, choice.assumptions, other))
    path.settled[key] = chosen
    taken = next(choice.taken for choice in choices if choice.number == chosen)
    if not any(span == other.span and taken == other.taken for other in path.course.decisions):
        path.decisions.append(Decision(condition, taken, span, assumed, guessed))
    return chosen


def ends(command: Command | None) -> bool:
    """Whether a command, as far as can be seen, ends the script."""
    return command is not None and _holds(command, "exit")


def breaks(command: Command) -> bool:
    """Whether a command, as far as can be seen, leaves a loop: one that is never left is of no use."""
    return _holds(command, "break")


def _holds(command: Command, name: str) -> bool:
    if isinstance(command, CommandList):
        return any(_holds(inner, name) for inner in command.commands)
    if isinstance(command, Group) and not command.subshell:
        return _holds(command.body, name)
    return _name(command) == name


def _name(command: Command) -> str | None:
    if isinstance(command, Simple) and command.words and isinstance(command.words[0], Word):
        return command.words[0].plain
    return None


def harmless(command: Command) -> bool:
    """Whether it makes no difference if a command runs: it only prints."""
    if isinstance(command, CommandList):
        return all(harmless(inner) for inner in command.commands)
    if not isinstance(command, Simple) or command.assignments:
        return False
    name = _name(command)
    return name in ("echo", "true", ":", "sleep", "date") and all(
        isinstance(word, Word) and "$(" not in word.source and ":=" not in word.source
        for word in command.words
    )
