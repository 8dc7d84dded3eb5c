"""Overrides in a few lines of a script, when its other lines are not known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reviewbot.language import say
from reviewbot.shell.code import Code, file_code
from reviewbot.shell.grammar import CommandReader
from reviewbot.shell.model import Known, Piece, Word
from reviewbot.shell.syntax import Assignment, Literal, Parameter, Part, Quoted, flat
from reviewbot.shell.syntax import Word as SyntaxWord
from reviewbot.shell.words import RefusedError, TooDeepError
from reviewbot.text import SourceText

MAX_LINE = 20_000
"""Longer lines are not read."""

_SHAPE = re.compile(r"(?:\+\+|\+|~)?[A-Za-z_\0][\w\0.@/:-]*=|~[A-Za-z_][\w./-]*$")
_SEPARATORS = re.compile(r"[\s;&|<>()]+")
_BARE = re.compile(r"[^\s;&|<>()'\"`]+")
_DECLARING = frozenset(("export", "declare", "local", "readonly", "typeset", "env"))


@dataclass(frozen=True)
class Fragments:
    """What the shown lines of a script hold."""

    words: tuple[Word, ...]
    """Every word that looks like a Hydra override, in order.  Nothing about them is certain but their own text."""
    partly: str = ""
    """Empty where all lines were understood; else one sentence."""


def read_fragments(source: SourceText, shown: Sequence[range]) -> Fragments:
    """The words of override shape on the shown lines (1-based); the other lines of ``source`` are empty.

    Lines are read one by one, since a quote may have been opened on a line that is not shown.  What a variable
    stands for is taken from an assignment in the same range of lines, and never certain.
    """
    code = file_code(source)
    starts = _line_starts(code)
    words: list[Word] = []
    skipped: list[int] = []
    for lines in shown:
        reader = _LinesReader(code)
        for line in lines:
            if not 1 <= line <= len(starts) - 1:
                continue
            start, end = starts[line - 1], starts[line]
            if end - start > MAX_LINE:
                skipped.append(line)
                continue
            words.extend(reader.words(start, end))
    partly = say("line {skipped} is too long and was not read", skipped=skipped[0]) if skipped else ""
    return Fragments(tuple(words), partly)


def _line_starts(code: Code) -> list[int]:
    starts = [0]
    starts.extend(match.end() for match in re.finditer("\n", code.text))
    if starts[-1] != len(code.text):
        starts.append(len(code.text))
    return starts


class _LinesReader:
    """Reads lines that stand together, remembering the assignments among them."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.values: dict[str, str] = {}
        self.continued = False

    def words(self, start: int, end: int) -> Iterator[Word]:
        """The overrides of one line."""
        text = self.code.text
        stop = end - 1 if text[end - 1 : end] == "\n" else end
        continues = text[start:stop].rstrip(" \t").endswith("\\")
        argument = self.continued or continues
        self.continued = continues
        if continues:
            stop = start + len(text[start:stop].rstrip(" \t")) - 1
        position = start
        first = True
        while position < stop:
            separator = _SEPARATORS.match(text, position, stop)
            if separator:
                position = separator.end()
                continue
            if text[position] == "#":
                return
            word, position = self._word(position, stop)
            if word is None:
                first = False
                continue
            yield from self._overrides(word, assigns=first and not argument)
            first = first and word.plain in _DECLARING

    def _word(self, position: int, stop: int) -> tuple[SyntaxWord | None, int]:
        """The word at the position; where a quote stays open, the characters up to the next quote."""
        reader = CommandReader(self.code, position, stop)
        try:
            word = reader.word()
        except (RefusedError, TooDeepError):
            word = None
        if word is not None:
            return word, reader.position
        bare = _BARE.match(self.code.text, position, stop)
        if bare is None:
            return None, position + 1
        part = Literal(bare.start(), bare.end(), bare[0])
        return SyntaxWord(self.code, bare.start(), bare.end(), [part], bare[0]), bare.end()

    def _overrides(self, word: SyntaxWord, *, assigns: bool) -> Iterator[Word]:
        assignment = self._assignment(word) if assigns else None
        if assignment is not None:
            self._remember(assignment)
            yield from self._within(assignment.value)
            return
        if _SHAPE.match(_outline(word.parts)):
            made = self._made(word, word.parts)
            if made is not None:
                yield made
        elif _is_string(word):
            yield from self._within(word)

    def _assignment(self, word: SyntaxWord) -> Assignment | None:
        reader = CommandReader(self.code, word.start, word.end)
        try:
            return reader.assignment()
        except (RefusedError, TooDeepError):
            return None

    def _remember(self, assignment: Assignment) -> None:
        texts = [part.text if isinstance(part, Literal) else None for part in flat(assignment.value.parts)]
        if assignment.append or None in texts:
            self.values.pop(assignment.name, None)
        else:
            self.values[assignment.name] = "".join(text for text in texts if text is not None)

    def _within(self, word: SyntaxWord) -> Iterator[Word]:
        """The overrides in a string that is split later."""
        groups: list[list[Part]] = [[]]
        for part in flat(word.parts):
            if not isinstance(part, Literal) or not part.exact:
                groups[-1].append(part)
                continue
            position = 0
            for blank in re.finditer(r"\s+", part.text):
                if blank.start() > position:
                    groups[-1].append(_cut(part, position, blank.start()))
                groups.append([])
                position = blank.end()
            if position < len(part.text):
                groups[-1].append(_cut(part, position, len(part.text)))
        for parts in groups:
            if parts and _SHAPE.match(_outline(parts)):
                inner = SyntaxWord(self.code, parts[0].start, parts[-1].end, parts)
                made = self._made(inner, parts)
                if made is not None:
                    yield made

    def _made(self, word: SyntaxWord, parts: Sequence[Part]) -> Word | None:
        span = self.code.span(word.start, word.end)
        if span is None:
            return None
        return Word(tuple(self._pieces(parts)), span)

    def _pieces(self, parts: Sequence[Part]) -> Iterator[Piece]:
        for part in flat(parts):
            if isinstance(part, Literal):
                yield Piece(part.text, self.code.span(part.start, part.end) if part.exact else None)
                continue
            why = self.code.text[part.start : part.end]
            value = _resolved(part, self.values)
            yield Piece(value, None, Known.NO, why)


def _cut(part: Literal, start: int, end: int) -> Literal:
    return Literal(part.start + start, part.start + end, part.text[start:end], part.quoted)


def _outline(parts: Sequence[Part]) -> str:
    """The text of a word with a null character for each expansion."""
    return "".join(part.text if isinstance(part, Literal) else "\0" for part in flat(parts))


def _is_string(word: SyntaxWord) -> bool:
    return len(word.parts) == 1 and isinstance(word.parts[0], Quoted)


def _resolved(part: Part, values: Mapping[str, str]) -> str | None:
    if isinstance(part, Parameter) and not (
        part.prefix or part.operator or part.whole or part.index is not None
    ):
        return values.get(part.name)
    return None
