"""What the paths through a script share: expansions that are the same on all of them.

An expansion is remembered with the variables that it read.  Values are never changed in place, so it holds as long
as the same values are there; the paths of a script differ in few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from reviewbot.shell.model import Origin
from reviewbot.shell.state import Assumption
from reviewbot.shell.syntax import Assignment, Element, Word
from reviewbot.shell.values import Field, Run, Value, fed

Elements = Sequence[tuple[Value | None, Value, bool]]
"""The elements of an array: index (None: the next one), value, and whether it is appended."""
Result = TypeVar("Result")
MAX_ENTRIES = 3
"""How many results are kept for one node."""

SCALAR, ARRAY, ARGUMENTS = range(3)


class Read(NamedTuple):
    """A variable that an expansion read, with what was there: a value, the elements, or the list of arguments."""

    kind: int
    name: str
    seen: Any


class _Expansion(NamedTuple):
    node: object
    reads: tuple[Read, ...]
    result: Any


class Remembered(Generic[Result]):
    """The results of one way to expand words, or more than one word at once."""

    def __init__(self) -> None:
        self.entries: dict[int, list[_Expansion]] = {}

    def find(self, node: object, holds: Callable[[Sequence[Read]], bool]) -> _Expansion | None:
        """An expansion of the node whose reads all hold."""
        for entry in self.entries.get(id(node), ()):
            if holds(entry.reads):
                return entry
        return None

    def keep(self, node: object, reads: Sequence[Read], result: Result) -> None:
        """Remembers a result."""
        entries = self.entries.setdefault(id(node), [])
        once = {(read.kind, read.name): read for read in reads}
        entries.insert(0, _Expansion(node, tuple(once.values()), result))
        del entries[MAX_ENTRIES:]


@dataclass
class Memory:
    """Everything that is remembered."""

    fields: Remembered[list[Field]] = field(default_factory=Remembered)
    values: Remembered[Value] = field(default_factory=Remembered)
    commands: Remembered[list[Field]] = field(default_factory=Remembered)
    elements: Remembered[Elements] = field(default_factory=Remembered)
    constants: dict[int, Field] = field(default_factory=dict)
    """The fields of words that expand to themselves."""
    environment: dict[tuple[str, Assumption | None, str], Value] = field(default_factory=dict)
    """Values of variables that the script does not set, by name, assumption and script."""
    _origins: dict[int, tuple[object, Origin | None]] = field(default_factory=dict)
    _fed: dict[tuple[int, int], tuple[Value, Origin, Value]] = field(default_factory=dict)

    def constant(self, word: Word) -> Field:
        """The field of a word that expands to itself."""
        found = self.constants.get(id(word))
        if found is None:
            found = self.constants[id(word)] = Field((Run(word.plain, word=word, start=word.start),), word)
        return found

    def origin(self, node: Assignment | Element, name: str) -> Origin | None:
        """An assignment or array element as an origin of values."""
        found = self._origins.get(id(node))
        if found is None or found[0] is not node:
            where = node if isinstance(node, Assignment) else node.value
            span = node.value.code.span(where.start, where.end)
            found = self._origins[id(node)] = (node, None if span is None else Origin(name, span))
        return found[1]

    def fed(self, runs: Value, origin: Origin | None) -> Value:
        """The runs, having been assigned by ``origin``."""
        if origin is None or not runs:
            return runs
        key = (id(runs), id(origin))
        found = self._fed.get(key)
        if found is None or found[0] is not runs or found[1] is not origin:
            found = self._fed[key] = (runs, origin, fed(runs, origin))
        return found[2]
