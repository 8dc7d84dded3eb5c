"""Which recipes the workflows of a repository run, directly or through scripts that they call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cached_property

from reviewbot.tree import Tree

FOLDERS = (".github/workflows", ".github/actions")
MAX_READ = 500
"""Files that are read at most; past that every recipe counts as run."""
_CALLED = re.compile(r"[\w./*?{}$@+-]*\.(?:sh|bash|py|yml|yaml|toml|cfg|mk)\b|\bMakefile\b")
_RUN_KEYS = frozenset({"run", "with", "env", "entrypoint", "args", "matrix"})


@dataclass
class Workflows:
    """The workflows of one tree.  Their text is data: nothing of it is run.

    A recipe counts as run where a text that a workflow leads to names it, its file name included: what is said to be
    run by none is named nowhere.
    """

    tree: Tree
    _texts: list[str] = field(default_factory=list)

    def run_none(self, path: str) -> bool:
        """Whether there are workflows, and none of them leads to the recipe."""
        names = self._named
        if names is None:
            return False
        name = path.rsplit("/", 1)[-1]
        return not any(
            called.rsplit("/", 1)[-1] == name or fnmatch(path, f"*{called.lstrip('./')}") for called in names
        )

    @cached_property
    def _named(self) -> frozenset[str] | None:
        """Every script that is named; None where there is no workflow, or there is too much to read."""
        workflows = [
            path for folder in FOLDERS for path in self.tree.files(folder) if path.endswith((".yml", ".yaml"))
        ]
        if not workflows or len(workflows) > MAX_READ:
            return None
        by_name: dict[str, list[str]] = {}
        for path in self.tree.files():
            if path.endswith((".sh", ".bash", ".py", ".mk", "Makefile")):
                by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        named: set[str] = set()
        waiting = [name for path in workflows for name in _called(_commands(self.tree.read(path) or ""))]
        read: set[str] = set()
        while waiting:
            called = waiting.pop()
            if called in named:
                continue
            named.add(called)
            for path in by_name.get(called.rsplit("/", 1)[-1], ()):
                if path in read or not path.endswith(
                    called.lstrip("./").rsplit("$", 1)[-1].rsplit("}", 1)[-1]
                ):
                    continue
                if len(read) == MAX_READ:
                    return None
                read.add(path)
                waiting.extend(_called(self.tree.read(path) or ""))
        return frozenset(named)


def _called(text: str) -> Iterator[str]:
    """Names of scripts in a text; what a variable stands for may be anything."""
    for found in _CALLED.finditer(text):
        yield re.sub(r"\$\{[^}]*\}|\$\w+|\$", "*", found[0])


def _commands(text: str) -> str:
    """What a workflow runs: the values below ``run``, ``with``, ``env``, ``matrix``; all where it is no YAML."""
    import yaml

    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        return text
    return "\n".join(_strings(data, False, 0))


def _strings(node: object, wanted: bool, depth: int) -> Iterator[str]:
    if depth > 40:
        return
    if isinstance(node, dict):
        for name, value in node.items():
            yield from _strings(value, wanted or name in _RUN_KEYS, depth + 1)
    elif isinstance(node, list):
        for item in node:
            yield from _strings(item, wanted, depth + 1)
    elif wanted and isinstance(node, str):
        yield node
