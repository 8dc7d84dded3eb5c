"""Where in a source tree the evidence of a rule stands."""

from __future__ import annotations

import ast
import re

from reviewbot.knowledge.rules import Rule
from reviewbot.knowledge.source import Function, Module, Sources


def evidence_line(sources: Sources, rule: Rule) -> int | None:
    """The line that a rule stands on, 1-based; None where the file, the symbol or the text is gone."""
    path = rule.evidence.get("path", "")
    absent = rule.evidence.get("absent")
    if absent and _mentioned(sources, path.partition("/")[0], absent):
        return None
    without = rule.evidence.get("without")
    if without and sources.text(without) is not None:
        return None
    text = sources.text(path)
    if text is None:
        return None
    symbol, wanted = rule.evidence.get("symbol", ""), _wanted(rule)
    lines = text.split("\n")
    first, last = 1, len(lines)
    if symbol:
        module = sources.module(path)
        node = None if module is None else _defined(module, symbol)
        if node is None:
            return None
        first, last = node.lineno, node.end_lineno or node.lineno
    if wanted is None:
        return first
    for number, line in enumerate(lines[first - 1 : last], start=first):
        if wanted.search(line):
            return number
    return None


def _mentioned(sources: Sources, package: str, name: str) -> bool:
    """Whether any module of the package has a name in it."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    paths = (path for path in sources.tree.files(package) if path.endswith(".py"))
    return any(word.search(sources.text(path) or "") for path in paths)


def _wanted(rule: Rule) -> re.Pattern[str] | None:
    """What a line of the evidence has."""
    if "text" in rule.evidence:
        return re.compile(r"\s+".join(map(re.escape, rule.evidence["text"].split())))
    if "writes" in rule.evidence:
        return re.compile(rf"""["']{re.escape(rule.evidence["writes"])}["']""")
    return None


def _defined(module: Module, symbol: str) -> ast.ClassDef | Function | None:
    head, _, rest = symbol.partition(".")
    found: ast.ClassDef | Function | None = module.classes.get(head) or module.functions.get(head)
    for name in rest.split(".") if rest else ():
        if found is None:
            return None
        inside = (node for node in ast.walk(found) if isinstance(node, (ast.ClassDef, Function)))
        found = next((node for node in inside if node.name == name and node is not found), None)
    return found
