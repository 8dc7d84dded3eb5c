"""Expands words into fields, keeping for every character where it is written."""

from __future__ import annotations

import re
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeVar

from reviewbot.shell.braces import brace_expand
from reviewbot.shell.code import Code
from reviewbot.shell.memory import Read, Remembered, Result
from reviewbot.shell.parameters import ParameterExpander
from reviewbot.shell.patterns import Fragments
from reviewbot.shell.surroundings import BREAK, PLAIN, QUOTED, SPLIT, Item
from reviewbot.shell.syntax import Arithmetic, CommandSubstitution, Literal, Parameter, Part, Quoted, Word
from reviewbot.shell.values import Field, Run, Value, cut, text_of, unknown, used

Node = TypeVar("Node")
_ASSIGNMENT_LIKE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


class Expander(ParameterExpander):
    """Word expansion over the state of a shell."""

    reads: list[Read]
    """The variables that the expansion at work has read."""
    impurities: int
    """Counts what makes that an expansion cannot be remembered: effects, and reads that are not in ``reads``."""

    @abstractmethod
    def holds(self, reads: Sequence[Read]) -> bool:
        """Whether the same is there as when it was read."""

    def fields(self, words: Sequence[Word]) -> list[Field]:
        """All expansions of the words of a command, in order."""
        fields: list[Field] = []
        memory = self.path.memory
        for word in words:
            constant = memory.constants.get(id(word))
            if constant is not None:
                fields.append(constant)
            elif _expands_to_itself(word) and "{" not in (word.plain or ""):
                fields.append(memory.constant(word))
            else:
                found: list[Field] = self.remembered(memory.fields, word, self._word_fields)
                fields.extend(found)
        self.spend(len(words))
        return fields

    def remembered(
        self, remembered: Remembered[Result], node: Node, expand: Callable[[Node], Result]
    ) -> Result:
        """The expansion of a node, made anew only where a variable that it reads is another."""
        entry = remembered.find(node, self.holds)
        if entry is not None:
            self.reads.extend(entry.reads)
            result: Result = entry.result
            return result
        outer, self.reads, impurities = self.reads, [], self.impurities
        try:
            result = expand(node)
            if self.impurities == impurities:
                remembered.keep(node, self.reads, result)
            return result
        finally:
            outer.extend(self.reads)
            self.reads = outer

    def _word_fields(self, word: Word) -> list[Field]:
        found: list[Value] = []
        for parts in brace_expand(word):
            items = self.tilded(word, self.items(word, parts, quoted=False))
            found.extend(self._split(items))
        self.spend(len(found))
        return [Field(runs, word, len(found) == 1) for runs in found]

    def split_value(self, runs: Value) -> list[Value]:
        """The fields of a value at the characters of IFS, as ``read`` has them."""
        return self._split([(run, SPLIT) for run in runs])

    def value(self, word: Word) -> Value:
        """The value of an assignment's right side, a ``case`` subject, a here-string: no splitting."""
        if _expands_to_itself(word):
            return self.path.memory.constant(word).runs if word.plain else ()
        return self.remembered(self.path.memory.values, word, self._word_value)

    def _word_value(self, word: Word) -> Value:
        items = self.items(word, word.parts, quoted=False)
        return self._merged(self.tilded(word, items, assigned=True))

    def parts_value(self, word: Word, parts: Sequence[Part], *, quoted: bool = True) -> Value:
        """The value of some parts of a word: a subscript, an arithmetic expression, a here-document."""
        return self._merged(self.items(word, parts, quoted=quoted))

    def fragments(self, word: Word, parts: Sequence[Part]) -> Fragments | None:
        """A pattern: its texts and whether they are quoted; None where it is not known."""
        fragments = []
        for run, kind in self.items(word, parts, quoted=False):
            if run.text is None:
                return None
            if run.text:
                fragments.append((run.text, kind == QUOTED))
        return fragments

    def items(self, word: Word, parts: Sequence[Part], *, quoted: bool) -> list[Item]:
        """The runs of the parts, each with how it takes part in splitting."""
        items: list[Item] = []
        for part in parts:
            if isinstance(part, Literal) and word.code.runs:
                kind = QUOTED if quoted or part.quoted else PLAIN
                items.extend((run, kind) for run in code_runs(word.code, part.start, part.end))
            elif isinstance(part, Literal):
                run = Run(part.text, word=word if part.exact else None, start=part.start)
                if not part.exact:
                    (run,) = used((run,), word, part.start, part.end)
                items.append((run, QUOTED if quoted or part.quoted else PLAIN))
            elif isinstance(part, Quoted):
                inner = self.items(word, part.parts, quoted=True)
                if not inner and not any(_is_list(inside) for inside in part.parts):
                    inner = [(Run("", word=word, start=part.start + 1), QUOTED)]
                items.extend(inner)
            elif isinstance(part, Parameter):
                items.extend(self.parameter(word, part, quoted=quoted))
            else:
                items.extend(self._substituted(word, part, quoted=quoted))
        return items

    def _substituted(self, word: Word, part: CommandSubstitution | Arithmetic, *, quoted: bool) -> list[Item]:
        kind = QUOTED if quoted else SPLIT
        if isinstance(part, CommandSubstitution):
            runs: Sequence[Run] = self.substitution(word, part)
        else:
            runs = (self.arithmetic(word, part.parts, why=word.code.text[part.start : part.end]),)
        if not runs:
            runs = (Run(""),)
        return [(run, kind) for run in used(runs, word, part.start, part.end)]

    def tilded(self, word: Word, items: list[Item], *, assigned: bool = False) -> list[Item]:
        """Expands ``~`` at the start and, in assignments, behind ``:`` and ``=``."""
        for run, kind in items:
            if kind == PLAIN and run.text and "~" in run.text:
                break
        else:
            return items
        out: list[Item] = []
        like_assignment = bool(_ASSIGNMENT_LIKE.match(items[0][0].text or "")) and items[0][1] == PLAIN
        for index, (run, kind) in enumerate(items):
            text = run.text or ""
            if kind != PLAIN or "~" not in text:
                out.append((run, kind))
                continue
            position = 0
            for found in re.finditer(r"~[^/:\s]*", text):
                at = found.start()
                before = text[at - 1] if at else ""
                allowed = (at == 0 and index == 0) or (
                    (assigned and before == ":") or (like_assignment and before in (":", "=") and before)
                )
                ends = found.end() < len(text) or index + 1 == len(items)
                if not allowed or not ends:
                    continue
                if at > position:
                    out.append((cut(run, position, at), PLAIN))
                home: Sequence[Run] = (unknown(found[0]),)
                if found[0] == "~":
                    value = self.read("HOME")
                    if value is not None and text_of(value) is not None:
                        home = value
                out.extend((r, QUOTED) for r in used(home, word, run.start + at, run.start + found.end()))
                position = found.end()
            if position < len(text):
                out.append((cut(run, position, len(text)) if position else run, PLAIN))
        return out

    def _merged(self, items: Sequence[Item]) -> Value:
        runs: list[Run] = []
        for run, kind in items:
            if kind == BREAK:
                runs.append(Run(" "))
            elif run.many:
                runs.append(run._replace(many=False))
            elif run.text != "" or run.env:
                runs.append(run)
        return tuple(runs)

    def _split(self, items: Sequence[Item]) -> list[Value]:
        """Splits what came out of unquoted expansions at the characters of ``IFS``."""
        fields: list[Value] = []
        current: list[Run] = []
        exists = False
        for run, kind in items:
            if kind == BREAK:
                if exists:
                    fields.append(tuple(current))
                current, exists = [], False
            elif kind != SPLIT or run.text is None:
                if run.text is None and kind == SPLIT and not run.many and not current:
                    run = run._replace(many=len(items) == 1)
                current.append(run)
                exists = True
            else:
                current, exists = self._split_run(run, fields, current, exists)
        if exists:
            fields.append(tuple(current))
        return fields

    def _split_run(
        self, run: Run, fields: list[Value], current: list[Run], exists: bool
    ) -> tuple[list[Run], bool]:
        text = run.text or ""
        ifs = self.ifs()
        blank = "".join(char for char in ifs if char in " \t\n")
        if not any(char in text for char in ifs):
            current.append(run)
            return current, exists or bool(text)
        position = 0
        self.spend(len(text) // 50)
        for found in self.delimiter(ifs, blank).finditer(text):
            if found.start() > position:
                current.append(cut(run, position, found.start()))
                exists = True
            hard = found[0].strip(blank) if blank else found[0]
            if exists or hard:
                fields.append(tuple(current) or (Run(""),))
                current, exists = [], False
                self.spend(1)
            position = found.end()
        if position < len(text):
            current.append(cut(run, position, len(text)))
            exists = True
        return current, exists

    def delimiter(self, ifs: str, blank: str) -> re.Pattern[str]:
        """What separates fields: blanks of IFS around at most one other character of it."""
        hard = "".join(char for char in ifs if char not in blank)
        if not hard:
            return re.compile(f"[{re.escape(blank)}]+")
        if not blank:
            return re.compile(f"[{re.escape(hard)}]")
        blanks = f"[{re.escape(blank)}]"
        return re.compile(f"{blanks}*[{re.escape(hard)}]{blanks}*|{blanks}+")


def _expands_to_itself(word: Word) -> bool:
    return word.plain is not None and "~" not in word.plain and not word.code.runs


def _is_list(part: Part) -> bool:
    """Whether a part is ``$@`` or ``${array[@]}``, which may give no field at all."""
    return isinstance(part, Parameter) and (part.whole == "@" or part.name == "@") and part.prefix != "#"


def code_runs(code: Code, start: int, end: int) -> list[Run]:
    """The runs behind a stretch of code that was pieced together from words."""
    runs = []
    index = bisect_right(code.starts, start) - 1
    while index < len(code.starts) and code.starts[index] < end:
        run, first = code.runs[index], code.starts[index]
        length = 1 if run.text is None else len(run.text)
        low, high = max(start - first, 0), min(end - first, length)
        if run.text is None or (low == 0 and high == length):
            runs.append(run)
        elif low < high:
            runs.append(cut(run, low, high))
        index += 1
    return runs


def runs_code(runs: Sequence[Run], path: str) -> Code:
    """Code made of a value, for ``eval`` and ``bash -c``; what is not known is one private character each."""
    texts, starts, places = [], [], []
    length = 0
    for run in runs:
        text = UNKNOWN_CHARACTER if run.text is None else run.text
        starts.append(length)
        places.append(None if run.word is None or run.text is None else run.word.code.place(run.start))
        texts.append(text)
        length += len(text)
    return Code("".join(texts), starts, places, path, tuple(runs))


UNKNOWN_CHARACTER = "\ue000"


def rendered(runs: Value) -> str:
    """A value as text for messages and identities: what is not known as ``{why}``."""
    return "".join(run.text if run.text is not None else "{" + run.why + "}" for run in runs)
