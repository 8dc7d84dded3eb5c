"""Three-valued evaluation of parsed expressions; see :mod:`reviewbot.knowledge.conditions`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewbot.config.model import UNKNOWN, Plain
from reviewbot.logic import Truth, all_of, any_of

_MAX_NUMBER = 10**18
_MAX_LENGTH = 10_000

Get = Callable[[str], Plain]
"""Gives the value at a config key, or UNKNOWN."""


@dataclass
class Evaluation:
    """One evaluation: each node is worked out once, so that the cost stays linear."""

    get: Get
    values: dict[int, Plain] = field(default_factory=dict)
    truths: dict[int, Truth] = field(default_factory=dict)


def truth_of(node: ast.expr, run: Evaluation) -> Truth:
    """Whether the expression is true."""
    if id(node) not in run.truths:
        run.truths[id(node)] = _decide(node, run)
    return run.truths[id(node)]


def value_of(node: ast.expr, run: Evaluation) -> Plain:
    """The value of the expression."""
    if id(node) not in run.values:
        run.values[id(node)] = _compute(node, run)
    return run.values[id(node)]


def _decide(node: ast.expr, run: Evaluation) -> Truth:
    if isinstance(node, ast.BoolOp):
        truths = (truth_of(value, run) for value in node.values)
        return all_of(truths) if isinstance(node.op, ast.And) else any_of(truths)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return ~truth_of(node.operand, run)
    if isinstance(node, ast.IfExp):
        test = truth_of(node.test, run)
        if test is Truth.UNKNOWN:
            first, second = truth_of(node.body, run), truth_of(node.orelse, run)
            return first if first is second else Truth.UNKNOWN
        return truth_of(node.body if test is Truth.TRUE else node.orelse, run)
    value = value_of(node, run)
    return Truth.UNKNOWN if value is UNKNOWN else Truth.of(bool(value))


def _compute(node: ast.expr, run: Evaluation) -> Plain:
    key = dotted(node)
    if key is not None:
        return _known(run.get(key))
    read = _READERS.get(type(node))
    if read is None:
        return UNKNOWN
    try:
        return read(node, run)
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
        return UNKNOWN


def _known(value: Plain) -> Plain:
    """Interpolations that were left as text say nothing."""
    return UNKNOWN if isinstance(value, str) and "${" in value else value


def _constant(node: ast.Constant, _: Evaluation) -> Plain:
    return node.value if node.value is None or isinstance(node.value, (bool, int, float, str)) else UNKNOWN


def _sequence(node: ast.List | ast.Tuple | ast.Set, run: Evaluation) -> Plain:
    return [value_of(item, run) for item in node.elts]


def _mapping(node: ast.Dict, run: Evaluation) -> Plain:
    if any(key is None for key in node.keys):
        return UNKNOWN
    keys = [value_of(key, run) for key in node.keys if key is not None]
    if any(key is UNKNOWN or isinstance(key, (list, dict)) for key in keys):
        return UNKNOWN
    return dict(zip(keys, (value_of(value, run) for value in node.values), strict=True))


def _boolean(node: ast.BoolOp, run: Evaluation) -> Plain:
    """``and``/``or`` give one of their operands; behind an unknown one only the truth may be known."""
    stop = Truth.FALSE if isinstance(node.op, ast.And) else Truth.TRUE
    value: Plain = UNKNOWN
    for operand in node.values:
        value = value_of(operand, run)
        verdict = truth_of(operand, run)
        if verdict is stop:
            return value if value is not UNKNOWN or not _is_boolean(operand) else stop is Truth.TRUE
        if verdict is Truth.UNKNOWN:
            decided = truth_of(node, run)
            plain = all(_is_boolean(item) for item in node.values)
            return UNKNOWN if decided is Truth.UNKNOWN or not plain else decided is Truth.TRUE
    return value


def _is_boolean(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(_is_boolean(value) for value in node.values)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def _conditional(node: ast.IfExp, run: Evaluation) -> Plain:
    test = truth_of(node.test, run)
    if test is Truth.UNKNOWN:
        first, second = value_of(node.body, run), value_of(node.orelse, run)
        same = _equal(first, second) is True and type(first) is type(second)
        return first if same else UNKNOWN
    return value_of(node.body if test is Truth.TRUE else node.orelse, run)


def _unary(node: ast.UnaryOp, run: Evaluation) -> Plain:
    if isinstance(node.op, ast.Not):
        verdict = truth_of(node.operand, run)
        return UNKNOWN if verdict is Truth.UNKNOWN else verdict is Truth.FALSE
    value = value_of(node.operand, run)
    if value is UNKNOWN or isinstance(node.op, ast.Invert):
        return UNKNOWN
    return -value if isinstance(node.op, ast.USub) else +value


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def _arithmetic(node: ast.BinOp, run: Evaluation) -> Plain:
    left, right = value_of(node.left, run), value_of(node.right, run)
    apply = _ARITHMETIC.get(type(node.op))
    if apply is None or left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        if isinstance(node.op, ast.Pow) and not 0 <= right <= 64:
            return UNKNOWN
        result = apply(left, right)
        return result if isinstance(result, (int, float)) and abs(result) < _MAX_NUMBER else UNKNOWN
    addable = (isinstance(left, str) and isinstance(right, str)) or (
        isinstance(left, list) and isinstance(right, list)
    )
    if isinstance(node.op, ast.Add) and addable and len(left) + len(right) <= _MAX_LENGTH:
        return left + right
    return UNKNOWN


def _comparison(node: ast.Compare, run: Evaluation) -> Plain:
    values = [value_of(operand, run) for operand in (node.left, *node.comparators)]
    verdicts = [
        Truth.of(_compared(kind, left, right))
        for kind, left, right in zip(node.ops, values, values[1:], strict=False)
    ]
    verdict = all_of(verdicts)
    return UNKNOWN if verdict is Truth.UNKNOWN else verdict is Truth.TRUE


_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _compared(kind: ast.cmpop, left: Plain, right: Plain) -> bool | None:
    if isinstance(kind, (ast.In, ast.NotIn)):
        found = _contains(right, left)
        return found if found is None or isinstance(kind, ast.In) else not found
    if isinstance(kind, (ast.Eq, ast.NotEq)):
        same = _equal(left, right)
        return same if same is None or isinstance(kind, ast.Eq) else not same
    if left is UNKNOWN or right is UNKNOWN:
        return None
    if isinstance(kind, (ast.Is, ast.IsNot)):
        if not any(side is None or isinstance(side, bool) for side in (left, right)):
            return None
        return (left is right) == isinstance(kind, ast.Is)
    return bool(_ORDER[type(kind)](left, right))


def _equal(left: Plain, right: Plain) -> bool | None:
    if _has_unknown(left) or _has_unknown(right):
        return None
    return bool(left == right)


def _has_unknown(value: Plain) -> bool:
    if isinstance(value, Mapping):
        return any(_has_unknown(item) for item in value.values())
    if isinstance(value, list):
        return any(_has_unknown(item) for item in value)
    return value is UNKNOWN or (isinstance(value, str) and "${" in value)


def _contains(container: Plain, item: Plain) -> bool | None:
    if container is UNKNOWN or _has_unknown(item):
        return None
    if isinstance(container, list):
        verdicts = [_equal(element, item) for element in container]
        return True if True in verdicts else None if None in verdicts else False
    if isinstance(container, (str, Mapping)):
        return item in container
    return None


def _subscript(node: ast.Subscript, run: Evaluation) -> Plain:
    owner = value_of(node.value, run)
    if isinstance(node.slice, ast.Slice) or owner is UNKNOWN:
        return UNKNOWN
    index = value_of(node.slice, run)
    return UNKNOWN if index is UNKNOWN else _known(owner[index])


_TYPES: dict[str, Any] = {
    "str": str,
    "bool": bool,
    "int": int,
    "float": (float, int),
    "list": list,
    "tuple": list,
    "set": list,
    "dict": Mapping,
    "Mapping": Mapping,
}


def _is_instance(node: ast.Call, run: Evaluation) -> Plain:
    value = value_of(node.args[0], run)
    names = _type_names(node.args[1])
    if value is UNKNOWN or any(name not in _TYPES for name in names):
        return UNKNOWN
    if isinstance(value, Mapping) and "_target_" in value:
        return UNKNOWN  # at run time it is an object of that class
    return any(isinstance(value, _TYPES[name]) for name in names)


def _type_names(node: ast.expr) -> list[str]:
    """The names in ``int``, ``(int, str)`` and ``int | str``."""
    if isinstance(node, ast.Tuple):
        return [name for item in node.elts for name in _type_names(item)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _type_names(node.left) + _type_names(node.right)
    return [node.id if isinstance(node, ast.Name) else ""]


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "len": len,
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "abs": abs,
    "min": min,
    "max": max,
    "sum": sum,
    "any": any,
    "all": all,
    "list": list,
    "tuple": list,
    "set": list,
}
FUNCTIONS = frozenset({*_FUNCTIONS, "isinstance"})
"""Calls of the language."""

METHODS = frozenset(
    {"startswith", "endswith", "lower", "upper", "strip", "lstrip", "rstrip", "split", "rsplit"}
)
"""Methods of strings in the language; ``.get`` of mappings comes on top."""


def _call(node: ast.Call, run: Evaluation) -> Plain:
    if node.keywords:
        return UNKNOWN
    if isinstance(node.func, ast.Name):
        if node.func.id == "isinstance" and len(node.args) == 2:
            return _is_instance(node, run)
        function = _FUNCTIONS.get(node.func.id)
        arguments = [value_of(argument, run) for argument in node.args]
        if function is None or any(_has_unknown(argument) for argument in arguments):
            return UNKNOWN
        return function(*arguments)
    if isinstance(node.func, ast.Attribute):
        return _method(node.func, [value_of(argument, run) for argument in node.args], run)
    return UNKNOWN


def _method(function: ast.Attribute, arguments: list[Plain], run: Evaluation) -> Plain:
    owner = value_of(function.value, run)
    if any(_has_unknown(argument) for argument in arguments[:1]):
        return UNKNOWN
    if function.attr == "get" and 1 <= len(arguments) <= 2:
        return _got(function, owner, arguments, run)
    if (
        function.attr in METHODS
        and isinstance(owner, str)
        and not any(_has_unknown(item) for item in arguments)
    ):
        return getattr(owner, function.attr)(*arguments)
    return UNKNOWN


def _got(function: ast.Attribute, owner: Plain, arguments: list[Plain], run: Evaluation) -> Plain:
    if isinstance(owner, Mapping):
        return _known(owner.get(arguments[0], arguments[1] if len(arguments) == 2 else None))
    path = dotted(function.value)
    if owner is UNKNOWN and path is not None and isinstance(arguments[0], str):
        return _known(run.get(f"{path}.{arguments[0]}"))
    return UNKNOWN


_READERS: dict[type[ast.expr], Callable[[Any, Evaluation], Plain]] = {
    ast.Constant: _constant,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Dict: _mapping,
    ast.BoolOp: _boolean,
    ast.IfExp: _conditional,
    ast.UnaryOp: _unary,
    ast.BinOp: _arithmetic,
    ast.Compare: _comparison,
    ast.Subscript: _subscript,
    ast.Call: _call,
}


def dotted(node: ast.AST) -> str | None:
    """``a.b.c`` of a chain of attributes that starts at a name; None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))
