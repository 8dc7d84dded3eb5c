"""Expressions of a framework's source in terms of config keys: how they are built and written.

In such an expression a dotted name is a config key, and ``opaque("source text", …)`` stands for a value
that the config does not give; further arguments of ``opaque`` are the config values that it is made from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from copy import deepcopy

from reviewbot.knowledge.conditions import MAX_DEPTH, keys_in, parsed, within_bounds
from reviewbot.knowledge.evaluation import dotted

MAX_EXPRESSION_NODES = 120
_MAX_SOURCE = 100

TRUE = ast.Constant(True)
NONE = ast.Constant(None)


def key_expression(key: str) -> ast.expr:
    """The expression of a config key."""
    first, *rest = key.split(".")
    node: ast.expr = ast.Name(first)
    for name in rest:
        node = ast.Attribute(node, name)
    return node


def opaque(source: ast.AST | str, parts: Iterable[ast.expr] = ()) -> ast.expr:
    """A value that the config does not give; ``parts`` are the rewritten expressions it is made from."""
    text = source if isinstance(source, str) else source_text(source)
    keys = sorted({key for part in parts for key in keys_in(part)})
    return ast.Call(ast.Name("opaque"), [ast.Constant(text), *map(key_expression, keys)], [])


def is_opaque(node: ast.AST) -> bool:
    """Whether the expression is an ``opaque``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "opaque"


def bounded(node: ast.expr) -> ast.expr:
    """The expression, or an opaque one of the same keys where it has grown too large."""
    if within_bounds(node, MAX_EXPRESSION_NODES, MAX_DEPTH // 2):
        return node
    return opaque("…", [node])


def negation(node: ast.expr) -> ast.expr:
    """The expression that is true where the other is false."""
    if isinstance(node, ast.Constant):
        return ast.Constant(not node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        opposite = _OPPOSITES.get(type(node.ops[0]))
        if opposite is not None:
            return ast.Compare(node.left, [opposite()], node.comparators)
    return ast.UnaryOp(ast.Not(), node)


_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def conjunction(tests: Iterable[ast.expr]) -> str:
    """The text of "all of these", each once; empty where there is none, ``False`` where one never holds."""
    texts: dict[str, ast.expr] = {}
    for test in tests:
        parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        for part in parts:
            if isinstance(part, ast.Constant) and not part.value:
                return "False"
            if not isinstance(part, ast.Constant):
                texts.setdefault(text_of(part), part)
    nodes = list(texts.values())
    if not nodes:
        return ""
    return text_of(nodes[0] if len(nodes) == 1 else ast.BoolOp(ast.And(), nodes))


def text_of(node: ast.expr) -> str:
    """The text of an expression, the same for every Python version."""
    return ast.unparse(node)


def source_text(node: ast.AST) -> str:
    """The text of source code, shortened to one line; formatted strings are left out."""
    plain = _WithoutFormats().visit(deepcopy(node))
    text = " ".join(ast.unparse(plain).split())
    return text if len(text) <= _MAX_SOURCE else text[: _MAX_SOURCE - 1] + "…"


class _WithoutFormats(ast.NodeTransformer):
    """Formatted strings are written differently by different Python versions."""

    def visit_JoinedStr(self, _: ast.JoinedStr) -> ast.expr:
        """Called by ast for a formatted string."""
        return ast.Constant("…")


def reads_key(node: ast.expr, key: str) -> bool:
    """Whether the expression reads a key, or something below it."""
    return any(found == key or found.startswith(f"{key}.") for found in keys_in(node))


def literal_text(node: ast.AST) -> str | None:
    """The value of a string constant."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def readable(expression: str) -> str:
    """An expression for people: keys without the parts that they all begin with, opaque parts as source.

    ``actor_rollout_ref.rollout.expert_parallel_size > 1`` → ``expert_parallel_size > 1``.
    """
    node = parsed(expression)
    if node is None:
        return expression
    keys = [key.split(".") for key in keys_in(node)]
    shared = 0
    while keys and all(len(key) > shared + 1 and key[shared] == keys[0][shared] for key in keys):
        shared += 1
    return text_of(_Readable(shared).visit(deepcopy(node)))


class _Readable(ast.NodeTransformer):
    def __init__(self, shared: int) -> None:
        self.shared = shared

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Called by ast for ``a.b``."""
        key = dotted(node)
        if key is None:
            self.generic_visit(node)
            return node
        return key_expression(".".join(key.split(".")[self.shared :]))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Called by ast for a call."""
        if is_opaque(node) and isinstance(node.args[0], ast.Constant):
            return ast.Name(str(node.args[0].value))
        self.generic_visit(node)
        return node
