"""Parameter expansion: ``$name`` and every form of ``${…}``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reviewbot.shell.model import Known
from reviewbot.shell.patterns import Fragments, UnmatchableError, compiled
from reviewbot.shell.syntax import CommandSubstitution, Parameter, Part, Word
from reviewbot.shell.values import (
    Run,
    Value,
    computed,
    env_of,
    known_of,
    slice_runs,
    text_of,
    unknown,
    used,
    weaker,
)
from reviewbot.shell.variables import Index

PLAIN, QUOTED, SPLIT, BREAK = range(4)
"""How a run takes part in splitting: written unquoted, quoted, out of an unquoted expansion, a border of fields."""
Item = tuple[Run, int]
BORDER: Item = (Run(""), BREAK)
MAX_SUBSTITUTIONS = 10_000


class ParameterExpander:
    """Parameter expansion; the shell that it belongs to gives the values."""

    # --- what the shell gives

    def read(self, name: str) -> Value | None:
        """The value of a variable or special parameter; None where it is certainly unset."""
        raise NotImplementedError

    def read_all(self, name: str) -> list[tuple[Index, Value]]:
        """The elements of an array, or of the positional parameters for ``@`` and ``*``."""
        raise NotImplementedError

    def read_element(self, name: str, index: Value) -> Value | None:
        """One element of an array."""
        raise NotImplementedError

    def assign_default(self, name: str, value: Value, word: Word, part: Parameter) -> None:
        """Assigns what ``${name:=value}`` says."""
        raise NotImplementedError

    def unbound(self, name: str) -> None:
        """A parameter that is certainly unset is used: ``set -u`` ends the shell."""
        raise NotImplementedError

    def names_with(self, prefix: str) -> list[str]:
        """The set variables whose name begins so."""
        raise NotImplementedError

    def substitution(self, word: Word, part: CommandSubstitution) -> Value:
        """What a command substitution writes."""
        raise NotImplementedError

    def arithmetic(self, word: Word, parts: Sequence[Part], *, why: str) -> Run:
        """The value of an arithmetic expression."""
        raise NotImplementedError

    def matched(self, groups: Sequence[str | None], subject: Value) -> None:
        """Keeps what ``=~`` found."""
        raise NotImplementedError

    def ifs(self) -> str:
        """The value of IFS."""
        raise NotImplementedError

    def spend(self, steps: int) -> None:
        """Counts work against the budget."""
        raise NotImplementedError

    def items(self, word: Word, parts: Sequence[Part], *, quoted: bool) -> list[Item]:
        """See :class:`Expander`."""
        raise NotImplementedError

    def tilded(self, word: Word, items: list[Item], *, assigned: bool = False) -> list[Item]:
        """See :class:`Expander`."""
        raise NotImplementedError

    def fragments(self, word: Word, parts: Sequence[Part]) -> Fragments | None:
        """See :class:`Expander`."""
        raise NotImplementedError

    def parts_value(self, word: Word, parts: Sequence[Part], *, quoted: bool = True) -> Value:
        """See :class:`Expander`."""
        raise NotImplementedError

    # --- expansion

    def parameter(self, word: Word, part: Parameter, *, quoted: bool) -> list[Item]:
        """The runs of a parameter expansion."""
        kind = QUOTED if quoted else SPLIT
        why = word.code.text[part.start : part.end]
        if not part.name:
            return [(run, kind) for run in used((unknown(why),), word, part.start, part.end)]
        if part.prefix == "#":
            return self._placed(word, part, [self._length(word, part, why)], kind)
        if part.prefix == "!":
            return self._indirect(word, part, why, quoted=quoted)
        if part.whole or part.name in "@*":
            return self._list(word, part, quoted=quoted)
        if part.index is not None:
            value = self.read_element(part.name, self.parts_value(word, part.index))
        else:
            value = self.read(part.name)
        return self._scalar(word, part, value, quoted=quoted)

    def _placed(self, word: Word, part: Parameter, values: Sequence[Value], kind: int) -> list[Item]:
        items: list[Item] = []
        for index, value in enumerate(values):
            if index:
                items.append(BORDER)
            runs = used(value or (Run(""),), word, part.start, part.end)
            items.extend((run, kind) for run in runs)
        return items

    def _scalar(self, word: Word, part: Parameter, value: Value | None, *, quoted: bool) -> list[Item]:
        kind = QUOTED if quoted else SPLIT
        operator = part.operator
        if value is None and (not operator or operator[0] not in ":-=?+" or operator == ":"):
            self.unbound(part.name)
        if operator.lstrip(":") in ("-", "=", "?", "+"):
            alternative = self._alternative(word, part, value, quoted=quoted)
            if alternative is not None:
                return alternative
        elif operator and operator not in ("*", "@"):
            value = (self._changed(word, part, value),) if value is not None else None
            return self._placed(word, part, [self._flat(value)], kind)
        return self._placed(word, part, [value or ()], kind)

    def _flat(self, value: tuple[Value, ...] | None) -> Value:
        return value[0] if value else ()

    def _alternative(
        self, word: Word, part: Parameter, value: Value | None, *, quoted: bool
    ) -> list[Item] | None:
        """``${x:-word}`` and its like; None where the value itself stands."""
        kind = QUOTED if quoted else SPLIT
        absent, known, env = absence(value, empty_too=part.operator.startswith(":"))
        operation = part.operator[-1]
        if operation == "+":
            if absent is True:
                if quoted and (part.whole or part.name) == "@":
                    return []
                run = Run("", known, env=env)
                return self._placed(word, part, [(run,)], kind)
            if absent is None:
                known = Known.NO
            return self._argument(word, part, known, "", quoted=quoted)
        if absent is not True:
            return None
        if operation == "?":
            why = word.code.text[part.start : part.end]
            return self._placed(word, part, [(unknown(why),)], kind)
        items = self._argument(word, part, known, env, quoted=quoted)
        if operation == "=":
            self.assign_default(part.name, tuple(run for run, _ in items), word, part)
        return items

    def _argument(self, word: Word, part: Parameter, known: Known, env: str, *, quoted: bool) -> list[Item]:
        items: list[Item] = []
        found = self.items(word, part.argument, quoted=quoted)
        if not quoted:
            found = self.tilded(word, found)
        for run, kind in found or [(Run(""), QUOTED if quoted else SPLIT)]:
            run = run._replace(known=weaker(run.known, known), env=env or run.env)
            if known is Known.NO and run.text is not None:
                run = run._replace(text=None, why=word.code.text[part.start : part.end])
            items.extend(
                (r, SPLIT if kind == PLAIN else kind) for r in used((run,), word, part.start, part.end)
            )
        return items

    def _list(self, word: Word, part: Parameter, *, quoted: bool) -> list[Item]:
        kind = QUOTED if quoted else SPLIT
        name = part.name
        elements = self.read_all(name)
        values = [value for _, value in elements]
        operator = part.operator
        if operator.lstrip(":") in ("-", "=", "?", "+"):
            joined: Value | None = tuple(run for value in values for run in value) if values else None
            alternative = self._alternative(word, part, joined, quoted=quoted)
            if alternative is not None:
                return alternative
        elif operator == ":":
            values = self._sliced(word, part, elements)
        elif operator:
            values = [self._changed(word, part, value) for value in values]
        if quoted and (part.whole or name) == "*":
            separator = self.ifs()[:1]
            joined_runs: list[Run] = []
            for index, value in enumerate(values):
                if index and separator:
                    joined_runs.append(Run(separator))
                joined_runs.extend(run._replace(many=False) for run in value)
            return self._placed(word, part, [tuple(joined_runs)], kind)
        self.spend(len(values))
        return self._placed(word, part, values, kind)

    def _sliced(self, word: Word, part: Parameter, elements: list[tuple[Index, Value]]) -> list[Value]:
        numbers = self._slice_numbers(word, part)
        values = [value for _, value in elements]
        if numbers is None or any(run.many for value in values for run in value):
            return [(unknown(word.code.text[part.start : part.end], many=True),)]
        start, length = numbers
        if part.name in "@*":
            values = [self.read("0") or (), *values]
        if start < 0:
            start += len(values)
            if start < 0:
                return []
        if part.name not in "@*" and elements and all(isinstance(index, int) for index, _ in elements):
            values = [value for index, value in elements if isinstance(index, int) and index >= start]
            start = 0
        values = values[start:]
        return values if length is None else values[: max(length, 0)]

    def _slice_numbers(self, word: Word, part: Parameter) -> tuple[int, int | None] | None:
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

    def number(self, expression: str) -> int | None:
        """The value of an arithmetic expression given as text; None where it is not known."""
        raise NotImplementedError

    def _length(self, word: Word, part: Parameter, why: str) -> Value:
        if part.whole or part.name in "@*":
            elements = self.read_all(part.name)
            if any(run.many for _, value in elements for run in value):
                return (unknown(why),)
            return (computed(str(len(elements)), ()),)
        if part.index is not None:
            value = self.read_element(part.name, self.parts_value(word, part.index))
        else:
            value = self.read(part.name)
        text = "" if value is None else text_of(value)
        return (unknown(why),) if text is None else (computed(str(len(text)), value or ()),)

    def _indirect(self, word: Word, part: Parameter, why: str, *, quoted: bool) -> list[Item]:
        kind = QUOTED if quoted else SPLIT
        if part.whole:
            indices = [(computed(str(index), ()),) for index, _ in self.read_all(part.name)]
            return self._placed(word, part, indices, kind)
        if part.operator in ("*", "@"):
            return self._placed(word, part, [(Run(name),) for name in self.names_with(part.name)], kind)
        target = self.read(part.name)
        name = text_of(target) if target is not None else None
        match = _TARGET.fullmatch(name or "")
        if match is None:
            return self._placed(word, part, [(unknown(why),)], kind)
        if match[2] in ("@", "*"):
            inner = replace(part, prefix="", name=match[1], whole=match[2], index=None)
            return self._list(word, inner, quoted=quoted)
        if match[2] is not None:
            value = self.read_element(match[1], (Run(match[2]),))
        else:
            value = self.read(match[1])
        return self._scalar(word, replace(part, prefix=""), value, quoted=quoted)

    # --- operators that change the text

    def _changed(self, word: Word, part: Parameter, value: Value) -> Value:
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
            return (unknown(why, origins=_origins(value)),)
        if operator == ":":
            return self._cut(word, part, value, text, why)
        if operator[0] == "@":
            return self._transformed(operator[1], value, text, why)
        return (unknown(why),)

    def _changed_unknown(self, part: Parameter, value: Value, why: str) -> Value:
        if part.operator == "%" and len(value) == 1 and value[0].place is not None:
            return (value[0]._replace(why=why, place=None),)
        return (unknown(why, origins=_origins(value)),)

    def _pattern(self, word: Word, parts: Sequence[Part]) -> Fragments:
        fragments = self.fragments(word, parts)
        if fragments is None:
            raise UnmatchableError
        return fragments

    def _trimmed(self, word: Word, part: Parameter, value: Value, text: str) -> Value:
        fragments = self._pattern(word, part.argument)
        if len(text) > 20_000:
            raise UnmatchableError
        self.spend(1 + len(text) // 20)
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
            self.spend(len(text) // 1000)
        return value

    def _replaced(self, word: Word, part: Parameter, value: Value, text: str) -> Value:
        fragments = self._pattern(word, part.argument)
        if len(text) > 20_000:
            raise UnmatchableError
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
        numbers = self._slice_numbers(word, part)
        if numbers is None:
            return (unknown(why),)
        start, length = numbers
        if start < 0:
            start += len(text)
        if start < 0 or start > len(text):
            return ()
        end = len(text) if length is None else start + length if length >= 0 else len(text) + length
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


_TARGET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+)(?:\[(.*)\])?", re.DOTALL)


def absence(value: Value | None, *, empty_too: bool) -> tuple[bool | None, Known, str]:
    """Whether a parameter is unset (or empty), how certainly, and the variable that would make it otherwise.

    None stands for "not known"; a value that is not known is taken to be there.
    """
    if value is None:
        return True, Known.YES, ""
    if len(value) == 1 and value[0].unset:
        return True, Known.DEFAULT, value[0].env
    if not empty_too:
        return False, Known.YES, ""
    if any(run.text for run in value):
        return False, known_of(value), ""
    if any(run.text is None for run in value):
        return None, Known.NO, ""
    return True, known_of(value), env_of(value) if value else ""


def _origins(value: Value) -> tuple[object, ...]:
    return tuple(dict.fromkeys(origin for run in value for origin in run.origins))


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
