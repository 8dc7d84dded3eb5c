"""Where config keys are declared: a field of a config class, or a line of a config file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reviewbot.knowledge.reads.model import Site
from reviewbot.knowledge.reads.program import Klass
from reviewbot.tree import Tree

_GENERATED = "_generated_"


@dataclass
class Declarations:
    """Finds the declaration of a key of one entry point."""

    classes: Mapping[str, Iterable[Klass]]
    """The config classes of the nodes, by the nodes' paths."""
    primary: str
    """The entry point's own config file."""
    lines: Mapping[str, Mapping[str, int]]
    """For each config file, the lines of its keys."""
    folder: str
    """The entry point's config folder."""
    _found: dict[str, Site | None] = field(default_factory=dict)

    def of(self, key: str) -> Site | None:
        """Where a key is declared; None where that is not clear."""
        if key not in self._found:
            self._found[key] = self._field(key) or self._line(key)
        return self._found[key]

    def _field(self, key: str) -> Site | None:
        node, _, name = key.rpartition(".")
        for klass in sorted(self.classes.get(node, ()), key=lambda item: (item.module.path, item.qual)):
            for owner in klass.lineage:
                for item in owner.node.body:
                    if (
                        isinstance(item, ast.AnnAssign)
                        and isinstance(item.target, ast.Name)
                        and item.target.id == name
                    ):
                        return Site(owner.module.path, item.lineno, owner.qual)
        return None

    def _line(self, key: str) -> Site | None:
        """The line of a config file whose own path for the key is the longest end of the key.

        A file in a folder (``actor/actor.yaml``) is put below a node that has the folder's name.
        """
        parts = key.split(".")
        for start in range(len(parts)):
            tail, above = ".".join(parts[start:]), parts[start - 1] if start else ""
            held = [
                path for path, lines in self.lines.items() if tail in lines and self._below(path) == above
            ]
            if held:
                path = self.primary if self.primary in held else min(held)
                return Site(path, self.lines[path][tail], "")
        return None

    def _below(self, path: str) -> str:
        """The name of the innermost folder that a file lies in; empty at the top."""
        inside = path.removeprefix(f"{self.folder}/") if self.folder else path
        return inside.rpartition("/")[0].rpartition("/")[2]


def config_lines(tree: Tree, folders: Iterable[str]) -> dict[str, dict[str, int]]:
    """For each config file below the folders: the dotted paths of its keys and their lines, 1-based.

    Files that are no YAML mapping are left out.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found: dict[str, dict[str, int]] = {}
    for folder in folders:
        for path in tree.files(folder):
            text = tree.read(path) if path.endswith(".yaml") else None
            if text is None or path.rpartition("/")[2].startswith(_GENERATED):
                continue
            try:
                top = yaml.compose(text, Loader=loader)
            except (yaml.YAMLError, ValueError, RecursionError):
                continue
            if isinstance(top, yaml.MappingNode):
                found[path] = dict(_keys(top, ""))
    return found


def _keys(top: object, prefix: str) -> Iterator[tuple[str, int]]:
    import yaml

    waiting = [(top, prefix)]
    seen: set[int] = set()
    while waiting:
        node, prefix = waiting.pop()
        if not isinstance(node, yaml.MappingNode) or id(node) in seen:
            continue
        seen.add(id(node))
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                name = f"{prefix}{key.value}"
                yield name, key.start_mark.line + 1
                waiting.append((value, f"{name}."))
