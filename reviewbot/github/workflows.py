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
_WORD = re.compile(r"[\w./*?{}$@+-]+")
_END = re.compile(r"\.(?:sh|bash|py|yml|yaml|toml|cfg|mk)\b|\bMakefile\b")
_LONGEST = 1000
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
    for word in _WORD.finditer(text):
        start = 0
        for end in _END.finditer(word[0]):
            name = word[0][start : end.end()][-_LONGEST:]
            start = end.end()
            yield re.sub(r"\$\{[^}]*\}|\$\w+|\$", "*", name)


def _commands(text: str) -> str:
    """What a workflow runs: the values below ``run``, ``with``, ``env``, ``matrix``; all where it is no YAML."""
    import yaml

    try:
        # Scalars stay texts, so that no tag can fail to make a value of one.
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        return text
    return "\n".join(_strings(node))


def _strings(top: object) -> Iterator[str]:
    """The texts below the wanted names; each node once, however many aliases lead to it."""
    import yaml

    seen: set[tuple[int, bool]] = set()
    waiting = [(top, False)]
    while waiting:
        node, wanted = waiting.pop()
        if (id(node), wanted) in seen:
            continue
        seen.add((id(node), wanted))
        if isinstance(node, yaml.MappingNode):
            waiting.extend(
                (value, wanted or getattr(name, "value", "") in _RUN_KEYS) for name, value in node.value
            )
        elif isinstance(node, yaml.SequenceNode):
            waiting.extend((item, wanted) for item in node.value)
        elif wanted and isinstance(node, yaml.ScalarNode):
            yield str(node.value)
