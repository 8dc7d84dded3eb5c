"""A small, safe language for conditions and values over config keys.

It is the expression syntax of Python without calls but a few, in which a dotted name is an absolute config
key: ``actor_rollout_ref.rollout.expert_parallel_size > 1``. ``opaque("…")`` stands for what is not in the
config. Nothing is executed: the text is parsed, and the tree is walked within bounds. What cannot be
decided is UNKNOWN.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from reviewbot.config.model import UNKNOWN, Plain
from reviewbot.knowledge.evaluation import Evaluation, Get, dotted, truth_of, value_of
from reviewbot.logic import Truth

MAX_TEXT = 8_000
MAX_NODES = 1_500
MAX_DEPTH = 80


def evaluate(text: str, get: Get) -> Plain:
    """The value of an expression; UNKNOWN where it depends on something unknown, is too large, or
    senseless."""
    node = parsed(text)
    return UNKNOWN if node is None else value_of(node, Evaluation(get))


def truth(text: str, get: Get) -> Truth:
    """Whether a condition holds.  The empty condition always does."""
    if not text.strip():
        return Truth.TRUE
    node = parsed(text)
    return Truth.UNKNOWN if node is None else truth_of(node, Evaluation(get))


@lru_cache(maxsize=4096)
def keys_of(text: str) -> tuple[str, ...]:
    """The config keys that an expression reads, sorted; empty where it cannot be parsed."""
    node = parsed(text)
    return () if node is None else keys_in(node)


def is_expression(text: str) -> bool:
    """Whether the text parses within the bounds."""
    return parsed(text) is not None


def keys_in(node: ast.expr) -> tuple[str, ...]:
    """The config keys that a parsed expression reads, sorted."""
    found: set[str] = set()
    waiting: list[ast.AST] = [node]
    while waiting:
        current = waiting.pop()
        if isinstance(current, ast.Call):
            waiting += _operands(current, found)
            continue
        key = dotted(current)
        if key is not None:
            found.add(key)
            continue
        waiting += ast.iter_child_nodes(current)
    return tuple(sorted(found - {""}))


def _operands(call: ast.Call, found: set[str]) -> list[ast.AST]:
    """What a call reads besides its own name; ``X.get("k")`` reads ``X.k``."""
    arguments: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(call.func, ast.Name):
        return arguments[:1] if call.func.id == "isinstance" else arguments
    if not isinstance(call.func, ast.Attribute):
        return arguments
    owner = dotted(call.func.value)
    if call.func.attr == "get" and owner is not None and call.args and _is_text(call.args[0]):
        found.add(f"{owner}.{ast.literal_eval(call.args[0])}")
        return arguments[1:]
    return [call.func.value, *arguments]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@lru_cache(maxsize=4096)
def parsed(text: str) -> ast.expr | None:
    """The syntax tree of an expression, not to be changed; None where it does not parse within the bounds."""
    if len(text) > MAX_TEXT:
        return None
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return node if within_bounds(node, MAX_NODES, MAX_DEPTH) else None


def within_bounds(node: ast.AST, nodes: int, depth: int) -> bool:
    """Whether a syntax tree has at most so many nodes and levels."""
    level: list[ast.AST] = [node]
    count = 0
    while level and depth >= 0:
        count += len(level)
        if count > nodes:
            return False
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        depth -= 1
    return not level
