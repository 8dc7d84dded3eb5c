"""What is read from a source tree, kept as long as the files that it was read from stay the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.source import Sources
from reviewbot.tree import Tree


def kept(
    cache: Cache,
    tree: Tree,
    kind: str,
    parts: Iterable[str],
    read: Callable[[Sources], Any],
    problems: list[str],
) -> Any:
    """The JSON value that ``read`` makes of a tree.

    ``parts`` are what it depends on besides the files that it asks for.  Sentences about files that cannot be read
    are added to ``problems``.
    """
    parts = list(parts)
    entry = cache.get(kind, parts)
    if isinstance(entry, dict) and _holds(entry, tree):
        problems += [str(problem) for problem in entry["problems"]]
        return entry["made"]
    sources = Sources(tree)
    made = read(sources)
    files = {path: mark(text) for path, text in sources.read.items()}
    cache.put(kind, parts, {"made": made, "problems": sources.problems, "files": files})
    problems += sources.problems
    return made


def _holds(entry: dict[str, Any], tree: Tree) -> bool:
    files = entry.get("files")
    if not isinstance(files, dict) or "made" not in entry or not isinstance(entry.get("problems"), list):
        return False
    return all(mark(tree.read(str(path))) == known for path, known in files.items())


def mark(text: str | None) -> str:
    """What tells a text from others; empty where there is no text."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
