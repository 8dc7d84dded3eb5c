"""The forms of ``${…}`` that change a text: trimming, replacing, cutting, changing case."""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.shell.model import Known
from reviewbot.shell.patterns import Fragments, UnmatchableError, compiled, work
from reviewbot.shell.state import Outcome, Stop
from reviewbot.shell.surroundings import Surroundings
from reviewbot.shell.syntax import Parameter, Part, Word
from reviewbot.shell.values import (
    Run,
    Value,
    computed,
    known_of,
    origins_of,
    slice_runs,
    text_of,
    unknown,
    weaker,
)

MAX_SUBSTITUTIONS = 10_000
"""Further matches of ``${x//pattern/text}`` are left as they are."""


class Transformer(Surroundings):
    """Changes the text of values."""

    def changed(self, word: Word, part: Parameter, value: Value) -> Value:
        """The value under the operator of ``part``."""
        operator = part.operator
        why = word.code.text[part.start : part.end]
        text = text_of(value)
        if text is None:
            return self._changed_unknown(part, value, why)
        try:
            if operator in ("#", "##", "%", "%%"):
                return self._trimmed(word, part, value, text)
            if operator[0] == "/":
                return self._replaced(word, part, value, text)
            if operator[0] in "^,":
                return self._cased(word, part, value, text)
        except UnmatchableError:
            # Unquoted, what is left of a text with blanks may be several words.
            return (unknown(why, origins=origins_of(value), many=any(map(str.isspace, text))),)
        if operator == ":":
            return self._cut(word, part, value, text, why)
        if operator[0] == "@":
            return self._transformed(operator[1], value, text, why)
        return (unknown(why),)

    def _changed_unknown(self, part: Parameter, value: Value, why: str) -> Value:
        if part.operator == "%" and len(value) == 1 and value[0].place is not None:
            return (value[0]._replace(why=why, place=None),)
        return (unknown(why, origins=origins_of(value)),)

    def _pattern(self, word: Word, parts: Sequence[Part]) -> Fragments:
        fragments = self.fragments(word, parts)
        if fragments is None:
            raise UnmatchableError
        return fragments

    def _afford(self, fragments: Fragments, text: str) -> None:
        """Pays for matching at every place of a text."""
        self.spend(1 + work(fragments, text, len(text) + 1) // 200)

    def _trimmed(self, word: Word, part: Parameter, value: Value, text: str) -> Value:
        fragments = self._pattern(word, part.argument)
        self._afford(fragments, text)
        longest = len(part.operator) == 2
        if part.operator[0] == "#":
            match = compiled(fragments, lazy=not longest).match(text)
            if match is None:
                return value
            return slice_runs(value, match.end(), len(text))
        pattern = compiled(fragments)
        starts = range(len(text) + 1) if longest else range(len(text), -1, -1)
        for start in starts:
            if pattern.fullmatch(text, start):
                return slice_runs(value, 0, start)
        return value

    def _replaced(self, word: Word, part: Parameter, value: Value, text: str) -> Value:
        fragments = self._pattern(word, part.argument)
        self._afford(fragments, text)
        replacement = self.parts_value(word, part.replacement or (), quoted=False)
        pattern = compiled(fragments)
        anchor = part.operator[1:]
        if not fragments and anchor not in ("#", "%"):
            return value
        if not text and pattern.fullmatch(""):
            return replacement
        runs: list[Run] = []
        position = 0
        if anchor == "%":
            found = next((m for s in range(len(text) + 1) if (m := pattern.fullmatch(text, s))), None)
            matches = [found] if found else []
        elif anchor == "#":
            first = pattern.match(text)
            matches = [first] if first else []
        else:
            limit = MAX_SUBSTITUTIONS if anchor == "/" else 1
            matches = []
            for match in pattern.finditer(text):
                if match.end() > match.start():
                    matches.append(match)
                if len(matches) >= limit:
                    break
        for match in matches:
            runs.extend(slice_runs(value, position, match.start()))
            runs.extend(replacement)
            position = match.end()
        if not matches:
            return value
        runs.extend(slice_runs(value, position, len(text)))
        self.spend(1 + len(text) // 20 + len(matches))
        return tuple(run._replace(known=weaker(run.known, known_of(value)), env="") for run in runs)

    def _cased(self, word: Word, part: Parameter, value: Value, text: str) -> Value:
        fragments = self._pattern(word, part.argument) or [("?", False)]
        pattern = compiled(fragments)
        raised = part.operator[0] == "^"
        every = len(part.operator) == 2

        def changed(index: int, char: str) -> str:
            if (index and not every) or not pattern.fullmatch(char):
                return char
            other = char.upper() if raised else char.lower()
            return other if len(other) == 1 else char

        self.spend(1 + len(text) // 20)
        out = "".join(changed(index, char) for index, char in enumerate(text))
        return value if out == text else (computed(out, value),)

    def _cut(self, word: Word, part: Parameter, value: Value, text: str, why: str) -> Value:
        numbers = self.slice_numbers(word, part)
        if numbers is None:
            return (unknown(why),)
        start, length = numbers
        if start < 0:
            start += len(text)
        if start < 0 or start > len(text):
            return ()
        end = len(text) if length is None else start + length if length >= 0 else len(text) + length
        if end < start and known_of(value) is Known.YES:
            raise Stop(Outcome(False, code=1))  # bash: substring expression < 0
        return slice_runs(value, start, min(end, len(text))) if end > start else ()

    def _transformed(self, operation: str, value: Value, text: str, why: str) -> Value:
        if operation == "Q":
            quoted = "'" + text.replace("'", "'\\''") + "'"
            return (computed(quoted, value),)
        if operation == "U":
            return (computed(text.upper(), value),)
        if operation == "L":
            return (computed(text.lower(), value),)
        if operation == "u":
            return (computed(text[:1].upper() + text[1:], value),)
        return (unknown(why),)

    def slice_numbers(self, word: Word, part: Parameter) -> tuple[int, int | None] | None:
        """Offset and length of ``${x:offset:length}``; None where they are not known."""
        text = text_of(self.parts_value(word, part.argument))
        if text is None:
            return None
        offset_text, colon, length_text = _split_slice(text)
        offset = self.number(offset_text)
        length = self.number(length_text) if colon else None
        if offset is None or (colon and length is None):
            return None
        return offset, length


def _split_slice(text: str) -> tuple[str, str, str]:
    """Offset and length at the colon that is in no parenthesis and belongs to no ``?:``."""
    depth = ternaries = 0
    for at, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "?":
            ternaries += 1
        elif char == ":" and depth == 0:
            if ternaries == 0:
                return text[:at], ":", text[at + 1 :]
            ternaries -= 1
    return text, "", ""
