"""The text of a configuration file → values that know their lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reviewbot.errors import ConfigurationError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MAX_CONFIG = 100_000
"""Characters of a configuration file."""
MAX_VALUES = 20_000
"""How many values it may hold after its aliases are written out."""
MAX_DEPTH = 8
"""How deep its values may be nested: the deepest setting needs three."""


@dataclass(frozen=True)
class Node:
    """A value: a scalar, a tuple of nodes, or a mapping of names to nodes."""

    value: object
    place: str
    """What errors call it: ``reviewbot.yml:3: min-severity``, ``the input paths``."""

    @property
    def items(self) -> Mapping[str, Node]:
        """The nodes of a mapping.  Raises ConfigurationError for anything else."""
        if not isinstance(self.value, dict):
            raise ConfigurationError(f"{self.place} must be a mapping (name: value)")
        return self.value


def yaml_nodes(text: str, path: str) -> Node:
    """The top of a YAML file.  Raises ConfigurationError, which names the file and the line."""
    import yaml

    _bounded(text, path)
    try:
        loader = yaml.SafeLoader(text)
        top = loader.get_single_node()
        return Node({}, path) if top is None else _Yaml(loader, path).node(top, "", 0)
    except (yaml.YAMLError, RecursionError, ValueError, LookupError, AttributeError, TypeError) as error:
        # The last four are what PyYAML's constructors raise on a tag whose text is not of its kind.
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = path if line is None else f"{path}:{line + 1}"
        raise ConfigurationError(f"{where}: this is not YAML") from error


class _Yaml:
    """Makes nodes of PyYAML's."""

    def __init__(self, loader: Any, path: str) -> None:
        self.loader = loader
        self.path = path
        self.count = 0

    def node(self, node: Any, name: str, depth: int) -> Node:
        import yaml

        line = node.start_mark.line + 1
        place = f"{self.path}:{line}: {name}" if name else f"{self.path}:{line}: it"
        self.count += 1
        if depth > MAX_DEPTH:
            raise ConfigurationError(f"{place} is nested too deep")
        if self.count > MAX_VALUES:
            raise ConfigurationError(f"{self.path}: it holds more than {MAX_VALUES} values")
        if isinstance(node, yaml.SequenceNode):
            return Node(tuple(self.node(item, name, depth + 1) for item in node.value), place)
        if not isinstance(node, yaml.MappingNode):
            return Node(self.loader.construct_object(node), place)
        found: dict[str, Node] = {}
        for key, value in node.value:
            word = str(key.value) if isinstance(key, yaml.ScalarNode) else "?"
            inner = f"{name}.{word}" if name else word
            if word in found:
                raise ConfigurationError(f"{self.path}:{key.start_mark.line + 1}: {inner} is given twice")
            made = self.node(value, inner, depth + 1)
            found[word] = Node(made.value, f"{self.path}:{key.start_mark.line + 1}: {inner}")
        return Node(found, place)


def toml_nodes(text: str, path: str, table: tuple[str, ...]) -> Node | None:
    """A table of a TOML file; None where the file has none.

    Raises ConfigurationError for a file that is not TOML and speaks of the table.
    """
    _bounded(text, path)
    header = ".".join(table)
    if header not in text:
        return None
    try:
        data: Any = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
        raise ConfigurationError(f"{path}: this is not TOML: {error}") from error
    for part in table:
        data = data.get(part) if isinstance(data, dict) else None
        if data is None:
            return None
    return _from_toml(data, _Lines(text, path, header), ())


@dataclass(frozen=True)
class _Lines:
    """Finds the lines of a table's names, which a TOML reader does not tell."""

    text: str
    path: str
    header: str

    def place(self, names: tuple[str, ...]) -> str:
        start = self.text.find(f"[{self.header}")
        name = re.escape(names[-1]) if names else re.escape(self.header)
        match = re.compile(rf"(?m)^.*?\b{name}\b").search(self.text, max(start, 0))
        line = self.text.count("\n", 0, match.end()) + 1 if match is not None else 1
        return f"{self.path}:{line}: {'.'.join(names) or self.header}"


def _from_toml(value: Any, lines: _Lines, names: tuple[str, ...]) -> Node:
    place = lines.place(names)
    if isinstance(value, dict):
        if len(names) > MAX_DEPTH:
            raise ConfigurationError(f"{place} is nested too deep")
        return Node({key: _from_toml(item, lines, (*names, key)) for key, item in value.items()}, place)
    if isinstance(value, list):
        return Node(tuple(Node(item, place) for item in value), place)
    return Node(value, place)


def _bounded(text: str, path: str) -> None:
    if len(text) > MAX_CONFIG:
        raise ConfigurationError(f"{path}: it is larger than {MAX_CONFIG} characters")
