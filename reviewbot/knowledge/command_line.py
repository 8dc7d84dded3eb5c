"""Which values never reach an engine: read from the loop that turns the arguments into a command line."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.source import Function
from reviewbot.logic import Truth, all_of, any_of

CANDIDATES: tuple[tuple[str, Any], ...] = (("False", False), ("None", None), ("[]", []))
_TYPES: dict[str, type] = {"bool": bool, "list": list, "dict": dict, "str": str, "int": int, "float": float}


@dataclass(frozen=True, slots=True)
class Drops:
    """What a command-line builder leaves out."""

    always: tuple[str, ...]
    """Values for which nothing is ever written."""
    sometimes: tuple[str, ...]
    """Values for which it depends on more than the value, such as the engine's type of the argument."""
    line: int


def dropped_by(loop: ast.For) -> Drops | None:
    """What a loop ``for k, v in args.items()`` leaves out; None where it writes no command line."""
    if not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
        return None
    name = dotted(loop.target.elts[1])
    if name is None or not any(_writes(node) for node in ast.walk(loop)):
        return None
    verdicts = {text: _Loop(name, value).written(loop.body) for text, value in CANDIDATES}
    return Drops(
        always=tuple(text for text, verdict in verdicts.items() if verdict is Truth.FALSE),
        sometimes=tuple(text for text, verdict in verdicts.items() if verdict is Truth.UNKNOWN),
        line=loop.lineno,
    )


def builder_loop(function: Function) -> ast.For | None:
    """The loop over the items of its first parameter that makes a function a command-line builder."""
    names = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
    for node in ast.walk(function):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and names:
            called = node.iter.func
            if (
                isinstance(called, ast.Attribute)
                and called.attr == "items"
                and dotted(called.value) == names[0]
            ):
                return node
    return None


def _writes(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("append", "extend")
    )


class _Loop:
    """One turn of the loop for one value."""

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.value = value

    def written(self, body: Sequence[ast.stmt]) -> Truth:
        """Whether anything is written."""
        return self._run(body)[0]

    def _run(self, body: Sequence[ast.stmt]) -> tuple[Truth, bool]:
        """Whether the statements write, and whether they end the turn for certain."""
        written = Truth.FALSE
        for node in body:
            if isinstance(node, ast.Continue):
                return written, True
            if isinstance(node, ast.If):
                inner, ends = self._branch(node)
            else:
                inner, ends = Truth.of(any(_writes(part) for part in ast.walk(node))), False
            written = any_of((written, inner))
            if ends:
                return written, True
        return written, False

    def _branch(self, node: ast.If) -> tuple[Truth, bool]:
        test = self._test(node.test)
        if test is Truth.TRUE:
            return self._run(node.body)
        if test is Truth.FALSE:
            return self._run(node.orelse)
        (first, first_ends), (second, second_ends) = self._run(node.body), self._run(node.orelse)
        same = first is second and first_ends == second_ends
        return (first, first_ends) if same else (Truth.UNKNOWN, False)

    def _test(self, node: ast.expr) -> Truth:
        if isinstance(node, ast.BoolOp):
            verdicts = [self._test(value) for value in node.values]
            return all_of(verdicts) if isinstance(node.op, ast.And) else any_of(verdicts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ~self._test(node.operand)
        if isinstance(node, ast.Name) and node.id == self.name:
            return Truth.of(bool(self.value))
        if isinstance(node, ast.Call) and dotted(node.func) == "isinstance" and len(node.args) == 2:
            return self._is_instance(node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and dotted(node.left) == self.name:
            return self._compared(node.ops[0], node.comparators[0])
        return Truth.UNKNOWN

    def _is_instance(self, node: ast.Call) -> Truth:
        kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        types = [_TYPES.get(dotted(kind) or "") for kind in kinds]
        if dotted(node.args[0]) != self.name or None in types:
            return Truth.UNKNOWN
        return Truth.of(isinstance(self.value, tuple(kind for kind in types if kind is not None)))

    def _compared(self, operation: ast.cmpop, other: ast.expr) -> Truth:
        if not isinstance(other, ast.Constant):
            return Truth.UNKNOWN
        if isinstance(operation, (ast.Is, ast.IsNot)):
            return Truth.of((self.value is other.value) == isinstance(operation, ast.Is))
        if isinstance(operation, (ast.Eq, ast.NotEq)):
            return Truth.of((self.value == other.value) == isinstance(operation, ast.Eq))
        return Truth.UNKNOWN
