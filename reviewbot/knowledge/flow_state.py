"""The state of a followed function, and small questions about its values."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import is_opaque, literal_text
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.source import Function, Klass, Module
from reviewbot.knowledge.tables import Group, Table, Value


@dataclass
class Frame:
    """The local state of one function."""

    module: Module
    function: str = ""
    owner: Klass | None = None
    """The class that defines it, where it is a method."""
    me: Klass | None = None
    """The class of ``self``."""
    names: dict[str, Value] = field(default_factory=dict)
    """Values of names, of ``self.…``, and of config keys that were written."""
    functions: dict[str, Function] = field(default_factory=dict)
    """Functions that it defines."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Names that it imports itself: (module, name)."""
    returns: list[tuple[tuple[ast.expr, ...], Value]] = field(default_factory=list)
    depth: int = 0
    """How many guards were there when it was entered."""
    line: int = 0
    """For a function of another file: the line of the call that led there."""

    @property
    def symbol(self) -> str:
        """``Class.function``"""
        return f"{self.owner.node.name}.{self.function}" if self.owner is not None else self.function


@dataclass(frozen=True)
class Place:
    """Where something happens, and under which tests."""

    guards: tuple[ast.expr, ...]
    path: str
    line: int
    symbol: str


@dataclass(frozen=True)
class Scope:
    """What is known beforehand about the code that is followed."""

    roots: Mapping[str, str] = field(default_factory=dict)
    """Source expressions and the config nodes that they stand for."""
    known: Mapping[str, str] = field(default_factory=dict)
    """Source expressions and what they are, in the language of conditions."""
    server: bool = False
    """True for code that starts a server: its calls take engine arguments, its parameters have config classes."""

    @classmethod
    def of_server(cls, framework: Framework) -> Scope:
        """The scope of the framework's server code."""
        return cls(framework.roots, framework.known, server=True)


def member_of(owner: ast.expr, name: str) -> ast.expr:
    """The key ``owner.name``; the owner may be the whole config."""
    return ast.Name(name) if dotted(owner) == "" else ast.Attribute(owner, name)


def is_constant(node: ast.expr) -> bool:
    """Whether an expression is made of constants only."""
    allowed = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.UnaryOp, ast.expr_context, ast.unaryop)
    return all(isinstance(part, allowed) for part in ast.walk(node)) and not is_opaque(node)


def is_whole(value: Value) -> bool:
    """Whether it is the whole config, which is never empty."""
    return isinstance(value, ast.Name) and not value.id


def is_in(operation: ast.cmpop, item: Value, table: Value) -> bool | None:
    """``"key" in {…}`` for a dict whose keys are all known."""
    text = literal_text(item) if isinstance(item, ast.Constant) else None
    if text is None or not isinstance(table, Table) or not isinstance(operation, (ast.In, ast.NotIn)):
        return None
    if any(entry.kind != "set" or len(entry.guards) > len(table.guards) for entry in table.entries):
        return None
    return (text in {entry.key for entry in table.entries}) == isinstance(operation, ast.In)


def is_empty(value: Value) -> bool:
    """Whether a value is ``{}``, ``()`` or ``[]``."""
    if isinstance(value, Table):
        return not value.entries
    if isinstance(value, Group):
        return not value.values
    return isinstance(value, ast.List) and not value.elts


def drops_none(test: ast.expr, value: ast.expr) -> bool:
    """Whether a filter is ``value is not None``."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.IsNot)
        and dotted(test.left) == dotted(value)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )
