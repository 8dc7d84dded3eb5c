"""Evaluates ``[ … ]`` and ``[[ … ]]`` in three values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewbot.shell.expansion import rendered
from reviewbot.shell.model import Known
from reviewbot.shell.patterns import Fragments, UnmatchableError, has_pattern, matches
from reviewbot.shell.state import FAILURE, SUCCESS, Assumption, Outcome
from reviewbot.shell.syntax import Test, Word
from reviewbot.shell.values import Run, Value, env_of, known_of, text_of, weaker

if TYPE_CHECKING:
    from reviewbot.shell.reading import Reader

_UNARY = frozenset("abcdefghknoprstuvwxzGLNORS")
_NUMERIC = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
_STRINGS = frozenset(("=", "==", "!=", "<", ">"))
_BINARY = frozenset((*_NUMERIC, *_STRINGS, "-nt", "-ot", "-ef"))


def evaluate(reader: Reader, words: Sequence[Value]) -> Outcome:
    """``[ words ]``, by the number of words as POSIX has it."""
    texts = [text_of(word) for word in words]
    if not words:
        return FAILURE
    if len(words) > 200:
        return Outcome(None)
    if any(run.many for word in words for run in word):
        return Outcome(None, guess=False)
    return _Bracket(reader, list(words), texts).outcome()


class _Bracket:
    def __init__(self, reader: Reader, words: list[Value], texts: list[str | None]) -> None:
        self.reader = reader
        self.words = words
        self.texts = texts
        self.at = 0

    def outcome(self) -> Outcome:
        count = len(self.words)
        if count == 1:
            return unary(self.reader, "-n", self.words[0])
        if count == 3 and self.texts[1] in _BINARY:
            return binary(self.reader, self.texts[1] or "", self.words[0], self.words[2])
        if self.texts[0] == "!" and count > 1:
            return _Bracket(self.reader, self.words[1:], self.texts[1:]).outcome().negated()
        if count == 2 and _is_unary(self.texts[0]):
            return unary(self.reader, self.texts[0] or "", self.words[1])
        result = self.either()
        return result if self.at == count else Outcome(False, code=2)

    def either(self) -> Outcome:
        result = self.both()
        while self.at < len(self.words) and self.texts[self.at] == "-o":
            self.at += 1
            result = disjunction(result, self.both())
        return result

    def both(self) -> Outcome:
        result = self.primary()
        while self.at < len(self.words) and self.texts[self.at] == "-a":
            self.at += 1
            result = conjunction(result, self.primary())
        return result

    def primary(self) -> Outcome:
        left = len(self.words) - self.at
        if left <= 0:
            return Outcome(None)
        text = self.texts[self.at]
        if text == "!" and left > 1:
            self.at += 1
            return self.primary().negated()
        if text == "(" and left > 2:
            self.at += 1
            result = self.either()
            self.at += 1
            return result
        if left >= 3 and self.texts[self.at + 1] in _BINARY:
            operator = self.texts[self.at + 1] or ""
            self.at += 3
            return binary(self.reader, operator, self.words[self.at - 3], self.words[self.at - 1])
        if left >= 2 and _is_unary(text):
            self.at += 2
            return unary(self.reader, text or "", self.words[self.at - 1])
        self.at += 1
        return unary(self.reader, "-n", self.words[self.at - 1])


def _is_unary(text: str | None) -> bool:
    return text is not None and len(text) == 2 and text[0] == "-" and text[1] in _UNARY


def evaluate_test(reader: Reader, test: Test) -> Outcome:
    """One node of ``[[ … ]]`` that is neither ``&&`` nor ``||`` nor ``!``."""
    operator = test.operator
    first = test.operands[0]
    assert isinstance(first, Word)
    left = reader.value(first)
    if len(test.operands) == 1:
        return unary(reader, operator, left)
    second = test.operands[1]
    assert isinstance(second, Word)
    if operator in ("=", "==", "!="):
        fragments = reader.fragments(second, second.parts)
        if fragments is not None and has_pattern(fragments):
            return _matched(left, fragments, second.source, negated=operator == "!=")
    if operator == "=~":
        return _searched(reader, left, second)
    return binary(reader, operator, left, reader.value(second), arithmetic=True)


def _matched(left: Value, fragments: Fragments, source: str, *, negated: bool) -> Outcome:
    left = with_defaults(left)
    text = text_of(left)
    shown = f"{rendered(left)} == {source}"
    if text is None:
        result = Outcome(None, Known.NO, rendered=shown, guess=False)
    else:
        try:
            result = _decided(matches(fragments, text), known_of(left), shown)
        except UnmatchableError:
            result = Outcome(None, Known.NO, rendered=shown, guess=False)
    return result.negated() if negated else result


def _searched(reader: Reader, left: Value, right: Word) -> Outcome:
    from reviewbot.shell.regexes import search

    left = with_defaults(left)
    pattern = reader.fragments(right, right.parts)
    text = text_of(left)
    shown = f"{rendered(left)} =~ {right.source}"
    found = None if pattern is None or text is None else search(pattern, text)
    if found is None:
        return Outcome(None, Known.NO, rendered=shown, guess=False)
    reader.matched(found, left)
    return _decided(bool(found), known_of(left), shown)


def unary(reader: Reader, operator: str, operand: Value) -> Outcome:
    """``-n word`` and its like."""
    shown = f"{operator} {rendered(operand)}"
    if operator in ("-n", "-z"):
        return _emptiness(reader, operand, shown, wanted=operator == "-z")
    if operator == "-v":
        name = text_of(operand)
        if name is None:
            return Outcome(None, Known.NO, rendered=shown, guess=False)
        name = name.partition("[")[0]
        value = reader.read(name) if name else None
        if value is None:
            return replace(FAILURE, rendered=shown)
        if len(value) == 1 and value[0].unset:
            when = (Assumption(name, None),)
            return Outcome(False, Known.DEFAULT, 1, rendered=shown, when_true=when)
        return Outcome(True, code=0, rendered=shown)
    if operator == "-o" or operator == "-t":
        return Outcome(None, Known.NO, rendered=shown, guess=False)
    return Outcome(None, Known.NO, rendered=shown, guess=False)


def _emptiness(reader: Reader, operand: Value, shown: str, *, wanted: bool) -> Outcome:
    operand = with_defaults(operand, strict="u" in reader.shell.options)
    if any(run.text for run in operand):
        known = (
            Known.YES if any(run.text and run.known is Known.YES for run in operand) else known_of(operand)
        )
        return _decided(not wanted, known, shown)
    if text_of(operand) is None:
        env = env_of(operand)
        assumed = bool(env) and env in reader.path.course.assumptions
        if assumed:
            return _decided(not wanted, Known.CHOICE, shown)
        return Outcome(None, Known.NO, rendered=shown, guess=not wanted)
    known = known_of(operand) if operand else Known.YES
    env = env_of(operand)
    other = (Assumption(env, None, frozenset(("",))),) if env and known is Known.DEFAULT else ()
    outcome = _decided(wanted, known, shown)
    return replace(outcome, when_false=other) if wanted else replace(outcome, when_true=other)


def binary(reader: Reader, operator: str, left: Value, right: Value, *, arithmetic: bool = False) -> Outcome:
    """A comparison of two words."""
    strict = "u" in reader.shell.options
    left, right = with_defaults(left, strict=strict), with_defaults(right, strict=strict)
    first, second = text_of(left), text_of(right)
    known = weaker(known_of(left), known_of(right))
    shown = f"{rendered(left)} {operator} {rendered(right)}"
    equality = operator in ("=", "==", "!=", "-eq", "-ne")
    negated = operator in ("!=", "-ne")
    assumptions = _refinement(reader, left, right) if equality else ()
    truth: bool | None = None
    if first is None or second is None:
        excluded = equality and _excluded(reader, left, right)
        if excluded:
            truth, known = negated, Known.CHOICE
    elif operator in _NUMERIC:
        numbers = _numbers(reader, first, second, arithmetic=arithmetic)
        if numbers is None:
            return Outcome(False, known, 2, rendered=shown)
        truth = _NUMERIC[operator](*numbers) if None not in numbers else None
    elif operator in ("=", "=="):
        truth = first == second
    elif operator == "!=":
        truth = first != second
    elif operator in ("<", ">"):
        truth = first < second if operator == "<" else first > second
    outcome = Outcome(None, Known.NO, rendered=shown, guess=negated)
    if truth is not None:
        outcome = _decided(truth, known, shown)
    if not assumptions:
        return outcome
    same, other = assumptions
    if negated:
        return replace(outcome, when_true=other, when_false=same)
    return replace(outcome, when_true=same, when_false=other)


def _numbers(
    reader: Reader, first: str, second: str, *, arithmetic: bool
) -> tuple[int | None, int | None] | None:
    if arithmetic:
        return reader.number(first), reader.number(second)
    try:
        return int(first.strip()), int(second.strip())
    except ValueError:
        return None


def _refinement(
    reader: Reader, left: Value, right: Value
) -> tuple[tuple[Assumption, ...], tuple[Assumption, ...]] | tuple[()]:
    """What the environment must hold for two words to be equal, and to differ."""
    for subject, literal in ((left, right), (right, left)):
        env, text = env_of(subject) if subject else "", text_of(literal)
        if env and text is not None and known_of(literal) is Known.YES and text:
            if env in reader.path.course.assumptions:
                return ()
            return (Assumption(env, text),), (Assumption(env, None, frozenset((text, ""))),)
    return ()


def _excluded(reader: Reader, left: Value, right: Value) -> bool:
    """Whether a path has assumed that two words differ."""
    for subject, literal in ((left, right), (right, left)):
        env, text = env_of(subject) if subject else "", text_of(literal)
        assumption = reader.path.course.assumptions.get(env) if env else None
        if assumption is not None and assumption.value is None and text in assumption.excluded:
            return True
    return False


def with_defaults(runs: Value, *, strict: bool = False) -> Value:
    """Reads variables that the environment is not known to set as empty, unless ``set -u`` would not let them be."""
    if strict or not any(run.unset for run in runs):
        return runs
    return tuple(
        Run("", Known.DEFAULT, run.why, env=run.env, origins=run.origins, use=run.use) if run.unset else run
        for run in runs
    )


def conjunction(left: Outcome, right: Outcome) -> Outcome:
    """``left -a right``"""
    shown = f"{left.rendered} && {right.rendered}"
    if left.value is False and left.known is Known.YES:
        return left
    if right.value is False and right.known is Known.YES:
        return right
    known = weaker(left.known, right.known)
    when_true = left.when_true + right.when_true
    if left.value is False or right.value is False:
        return Outcome(False, known, 1, rendered=shown, when_true=when_true)
    if left.value is None or right.value is None:
        return Outcome(None, Known.NO, rendered=shown, when_true=when_true, guess=left.guess and right.guess)
    return Outcome(True, known, 0, rendered=shown, when_true=when_true)


def disjunction(left: Outcome, right: Outcome) -> Outcome:
    """``left -o right``"""
    return conjunction(left.negated(), right.negated()).negated()


def _decided(truth: bool, known: Known, shown: str) -> Outcome:
    return Outcome(truth, known, int(not truth), rendered=shown)


__all__ = ["SUCCESS", "conjunction", "disjunction", "evaluate", "evaluate_test", "with_defaults"]
