"""Dicts of the source as sequences of writes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import (
    NONE,
    TRUE,
    bounded,
    key_expression,
    negation,
    opaque,
    text_of,
)

MAX_ENTRIES = 400


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happens to a dict."""

    kind: str
    """``set``, ``default`` (``setdefault``), ``pop``, ``user`` (everything the recipe put at the config key
    ``key``), or ``unknown`` (some keys that cannot be read)."""
    key: str
    value: Value
    guards: tuple[ast.expr, ...]
    line: int


@dataclass
class Table:
    """A dict that the source builds; shared by all names that hold it."""

    entries: list[Entry] = field(default_factory=list)
    line: int = 0
    guards: tuple[ast.expr, ...] = ()
    """The tests under which it is made."""
    is_call: bool = False
    """True for the keywords of a call: a key given twice is an error there."""
    skips_none: bool = False
    """True where values of None were filtered out."""

    def add(self, kind: str, key: str, value: Value, guards: tuple[ast.expr, ...], line: int) -> None:
        """Append an entry; past the bound only the fact that something is unknown is kept."""
        if len(self.entries) < MAX_ENTRIES:
            self.entries.append(Entry(kind, key, value, guards, line))
        elif self.entries[-1].kind != "unknown":
            self.entries.append(Entry("unknown", "", NONE, guards, line))

    def spread(self, other: Table, guards: tuple[ast.expr, ...], line: int) -> None:
        """``**other`` or ``update(other)``: its writes so far, in order."""
        for entry in list(other.entries):
            here = line if entry.kind == "user" else entry.line
            self.add(entry.kind, entry.key, entry.value, (*guards, *entry.guards), here)
        self.skips_none = self.skips_none or other.skips_none

    def copy(self) -> Table:
        """A dict of its own with the same writes."""
        return replace(self, entries=list(self.entries))

    @property
    def user(self) -> str | None:
        """The config key whose value fills the dict, where one does."""
        return next((entry.key for entry in self.entries if entry.kind == "user"), None)

    def read(self, key: str, default: Value = NONE) -> Value:
        """What ``table.get(key, default)`` gives after the writes so far."""
        value: Value = default
        for entry in self.entries:
            if entry.kind == "user":
                value = key_expression(f"{entry.key}.{key}")
            elif entry.key == key and entry.kind == "pop":
                value = default
            elif entry.key == key and entry.kind == "set":
                value = choice(_all(entry.guards), entry.value, value)
            elif entry.key == key and entry.kind == "default":
                present = ast.Compare(as_expression(value), [ast.IsNot()], [NONE])
                value = choice(present, value, entry.value)
        return value


@dataclass(frozen=True)
class Group:
    """A tuple of values."""

    values: tuple[Value, ...]


Value = ast.expr | Table | Group


def user_table(key: str, line: int = 0) -> Table:
    """The dict that the recipe fills at a config key."""
    table = Table(line=line)
    table.add("user", key, NONE, (), line)
    return table


def choice(test: ast.expr, first: Value, second: Value) -> Value:
    """``first if test else second``."""
    if first is second or (isinstance(test, ast.Constant) and test.value):
        return first
    if isinstance(first, Group) and isinstance(second, Group) and len(first.values) == len(second.values):
        return Group(tuple(choice(test, a, b) for a, b in zip(first.values, second.values, strict=True)))
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Table) and not one.entries and isinstance(other, ast.expr) and dotted(other):
            return other
    if isinstance(first, Table) or isinstance(second, Table):
        return _merged(test, first, second)
    yes, no = as_expression(first), as_expression(second)
    return yes if text_of(yes) == text_of(no) else bounded(ast.IfExp(test, yes, no))


def _merged(test: ast.expr, first: Value, second: Value) -> Value:
    merged = Table()
    for value, guard in ((first, test), (second, negation(test))):
        if isinstance(value, Table):
            merged.line = merged.line or value.line
            merged.spread(value, (guard,), value.line)
        elif not (isinstance(value, ast.Constant) and value.value is None):
            merged.add("unknown", "", as_expression(value), (guard,), 0)
    return merged


def as_expression(value: Value) -> ast.expr:
    """The value as an expression."""
    if isinstance(value, Group):
        return ast.Tuple([as_expression(item) for item in value.values], ast.Load())
    if isinstance(value, Table):
        return _display(value)
    return value


def _display(table: Table) -> ast.expr:
    if len(table.entries) == 1 and table.user is not None:
        return key_expression(table.user)
    values = [as_expression(entry.value) for entry in table.entries]
    outer = {text_of(guard) for guard in table.guards}
    inner = [guard for entry in table.entries for guard in entry.guards if text_of(guard) not in outer]
    if not inner and all(entry.kind == "set" for entry in table.entries):
        keys: list[ast.expr | None] = [ast.Constant(entry.key) for entry in table.entries]
        return bounded(ast.Dict(keys, values))
    users = [key_expression(entry.key) for entry in table.entries if entry.kind == "user"]
    return opaque("{…}", [*users, *values, *inner])


def _all(guards: tuple[ast.expr, ...]) -> ast.expr:
    if not guards:
        return TRUE
    return guards[0] if len(guards) == 1 else ast.BoolOp(ast.And(), list(guards))
