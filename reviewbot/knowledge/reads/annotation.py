"""What an annotation says about a value."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.reads.program import Code, Klass, Program

_OPEN = frozenset(
    {
        "DictConfig",
        "ListConfig",
        "Any",
        "object",
        "dict",
        "Dict",
        "list",
        "List",
        "tuple",
        "Tuple",
        "Mapping",
        "Sequence",
    }
    | {
        "Iterable",
        "Iterator",
        "Type",
        "type",
        "Union",
        "Optional",
        "Callable",
        "TypeVar",
        "Config",
        "Namespace",
        "Literal",
    }
)
_PLAIN = frozenset({"int", "float", "str", "bool", "bytes", "complex"})


@dataclass(frozen=True, slots=True)
class Typing:
    """A class of the framework, something that is no config, or (both empty) nothing."""

    klass: Klass | None = None
    plain: bool = False


OPEN = Typing()
PLAIN = Typing(plain=True)


def typing_of(annotation: ast.expr | None, code: Code, program: Program) -> Typing:
    """What an annotation says."""
    if annotation is None:
        return OPEN
    key = (code.name, id(annotation))
    if key not in program.typings:
        program.typings[key] = (annotation, _typing_of(annotation, code, program))
    found = program.typings[key][1]
    assert isinstance(found, Typing)
    return found


def _typing_of(annotation: ast.expr, code: Code, program: Program) -> Typing:
    if isinstance(annotation, ast.Constant):
        if not isinstance(annotation.value, str):
            return OPEN
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError):
            return OPEN
    if isinstance(annotation, ast.BinOp):
        sides = [
            typing_of(side, code, program)
            for side in (annotation.left, annotation.right)
            if not _is_none(side)
        ]
        return sides[0] if len(sides) == 1 or all(side.plain for side in sides) else OPEN
    if isinstance(annotation, ast.Subscript):
        if (dotted(annotation.value) or "").rpartition(".")[2] == "Optional":
            return typing_of(annotation.slice, code, program)
        return OPEN
    name = dotted(annotation)
    if name is None or name.rpartition(".")[2] in _OPEN:
        return OPEN
    if name in _PLAIN:
        return PLAIN
    found = program.resolve(code, name)
    if isinstance(found, Klass):
        return Typing(found)
    return PLAIN if isinstance(found, str) else OPEN


def related(first: Klass, second: Klass) -> bool:
    """Whether one class derives from the other, or they are the same."""
    return first in second.lineage or second in first.lineage


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
