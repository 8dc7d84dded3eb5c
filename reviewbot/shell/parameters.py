"""Parameter expansion: ``$name`` and every form of ``${…}``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reviewbot.shell.model import Known
from reviewbot.shell.state import Outcome, Stop
from reviewbot.shell.surroundings import BORDER, BREAK, PLAIN, QUOTED, SPLIT, Item
from reviewbot.shell.syntax import Parameter, Word
from reviewbot.shell.transforms import Transformer
from reviewbot.shell.values import Run, Value, computed, env_of, known_of, text_of, unknown, used, weaker
from reviewbot.shell.variables import Index


class ParameterExpander(Transformer):
    """Parameter expansion over the state of a shell."""

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
            if len(runs) > 20 or len(runs[0].text or "") > 1000:
                self.path.budget.write(sum(len(run.text or "") for run in runs))
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
            changed = () if value is None else self.changed(word, part, value)
            return self._placed(word, part, [changed], kind)
        return self._placed(word, part, [value or ()], kind)

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
            if known is Known.YES:
                raise Stop(Outcome(False, code=1))
            why = word.code.text[part.start : part.end]
            return self._placed(word, part, [(unknown(why),)], kind)
        items = self._argument(word, part, known, env, quoted=quoted)
        if operation == "=":
            self.assign_default(part.name, tuple(run for run, _ in items), word, part)
            if (
                not quoted
            ):  # what stands is the value of the variable: quotes in the word do not keep it whole
                items = [(run, kind if kind == BREAK else SPLIT) for run, kind in items]
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
            values = [self.changed(word, part, value) for value in values]
        separator = self.ifs()[:1]
        hard = separator not in ("", " ", "\t", "\n")
        if (quoted and (part.whole or name) == "*") or (not quoted and hard and len(values) > 1):
            joined_runs: list[Run] = []
            for index, value in enumerate(values):
                if index and separator:
                    joined_runs.append(Run(separator))
                joined_runs.extend(run._replace(many=False) for run in value)
            return self._placed(word, part, [tuple(joined_runs)], kind)
        self.spend(len(values))
        return self._placed(word, part, values, kind)

    def _sliced(self, word: Word, part: Parameter, elements: list[tuple[Index, Value]]) -> list[Value]:
        numbers = self.slice_numbers(word, part)
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

    def _length(self, word: Word, part: Parameter, why: str) -> Value:
        if part.whole or part.name in "@*":
            elements = self.read_all(part.name)
            if any(run.many for _, value in elements for run in value):
                return (unknown(why),)
            if not elements and part.name not in "@*" and not self.has_array(part.name):
                self.unbound(part.name)
            return (computed(str(len(elements)), ()),)
        if part.index is not None:
            value = self.read_element(part.name, self.parts_value(word, part.index))
        else:
            value = self.read(part.name)
        if value is None:
            self.unbound(part.name)
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
        index = match[2]
        value = self.read(match[1]) if index is None else self.read_element(match[1], (Run(index),))
        return self._scalar(word, replace(part, prefix=""), value, quoted=quoted)


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
