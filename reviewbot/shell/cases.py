"""``case``"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reviewbot.shell.conditions import with_defaults
from reviewbot.shell.decisions import Choice, choose, ends
from reviewbot.shell.expansion import rendered
from reviewbot.shell.model import Known
from reviewbot.shell.patterns import Fragments, UnmatchableError, matches
from reviewbot.shell.state import SUCCESS, Assumption, Outcome
from reviewbot.shell.syntax import Case, Word
from reviewbot.shell.values import Value, env_of, known_of, text_of

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter


def run_case(shell: Interpreter, command: Case) -> Outcome:
    """``case``.  Of an unknown word the first arm is guessed that does not end the script."""
    subject = with_defaults(shell.value(command.subject), strict="u" in shell.shell.options)
    arm = _arm(shell, command, subject)
    outcome = SUCCESS
    while arm < len(command.arms):
        _, body, terminator = command.arms[arm]
        outcome = shell.run_list(body) if body.commands else SUCCESS
        if terminator == ";&":
            arm += 1
        elif terminator == ";;&":
            rest = range(arm + 1, len(command.arms))
            arm = next((at for at in rest if _matches(shell, command, at, subject)), len(command.arms))
        else:
            break
    return outcome


def _arm(shell: Interpreter, command: Case, subject: Value) -> int:
    """The arm that is taken; the number of arms where none is."""
    none = len(command.arms)
    verdicts = [_matches(shell, command, index, subject) for index in range(none)]
    known = known_of(subject) if subject else Known.YES
    default = next((index for index, verdict in enumerate(verdicts) if verdict), none)
    if known is Known.YES and None not in verdicts[: default + 1]:
        return default
    guessed = text_of(subject) is None
    if known is not Known.CHOICE and (guessed or _arm_ends(command, default)):
        better = next((index for index in range(none) if not _arm_ends(command, index)), None)
        if better is not None:
            default, guessed = better, True
    place = (command.code, command.subject.start, command.subject.end)
    choices = _choices(shell, command, subject, default)
    return choose(shell.path, place, rendered(subject), choices, default, known=known, guessed=guessed)


def _arm_ends(command: Case, index: int) -> bool:
    return index < len(command.arms) and ends(command.arms[index][1])


def _choices(shell: Interpreter, command: Case, subject: Value, default: int) -> list[Choice]:
    env = env_of(subject) if subject else ""
    assumable = bool(env) and env not in shell.path.course.assumptions
    patterns = [pattern for arm, _, _ in command.arms for pattern in arm]
    literals = frozenset(pattern.plain for pattern in patterns if pattern.plain and _is_literal(pattern))
    choices = []
    for index, (arm, _, _) in enumerate(command.arms):
        assumptions: tuple[Assumption, ...] = ()
        if assumable and _is_literal(arm[0]):
            assumptions = (Assumption(env, arm[0].plain),)
        elif assumable and arm[0].plain == "*":
            assumptions = (Assumption(env, None, literals),)
        choices.append(Choice(index, " | ".join(pattern.source for pattern in arm), assumptions))
    if default == len(command.arms):
        choices.append(Choice(default, "no arm"))
    return choices


def _is_literal(pattern: Word) -> bool:
    return pattern.plain is not None and not any(char in pattern.plain for char in "*?[")


def _matches(shell: Interpreter, command: Case, index: int, subject: Value) -> bool | None:
    """Whether the word matches a pattern of an arm; None where that is not known."""
    text = text_of(subject)
    verdict: bool | None = False
    for pattern in command.arms[index][0]:
        if pattern.plain == "*":
            return True
        fragments = shell.fragments(pattern, pattern.parts)
        if text is None and fragments is not None and _excludes(shell, subject, fragments):
            continue
        if fragments is None or text is None:
            verdict = None
            continue
        try:
            if matches(fragments, text):
                return True if verdict is False else None
        except UnmatchableError:
            verdict = None
    return verdict


def _excludes(shell: Interpreter, subject: Value, fragments: Fragments) -> bool:
    assumption = shell.path.course.assumptions.get(env_of(subject))
    return assumption is not None and _joined(fragments) in assumption.excluded


def _joined(fragments: Sequence[tuple[str, bool]]) -> str:
    return "".join(text for text, _ in fragments)
