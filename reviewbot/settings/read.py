"""Configuration files and inputs → settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reviewbot.errors import ConfigurationError
from reviewbot.settings.keys import KEYS
from reviewbot.settings.kinds import near
from reviewbot.settings.model import Settings
from reviewbot.settings.nodes import Node, toml_nodes, yaml_nodes

CONFIG_PATHS = (".github/reviewbot.yml", "reviewbot.yml", "pyproject.toml")
"""Where a configuration is looked for; of the last, the table ``tool.reviewbot``."""
_TABLE = ("tool", "reviewbot")


def find_settings(read: Callable[[str], str | None]) -> Settings:
    """The settings of a repository; ``read`` gives the text of its files by path, None where there is none.

    Raises ConfigurationError for a wrong file, and where two files settle something.
    """
    found = [(path, node) for path in CONFIG_PATHS if (node := _node(path, read(path))) is not None]
    if len(found) > 1:
        names = " and ".join(path for path, _ in found)
        raise ConfigurationError(f"There are two configurations, {names}: keep one of them")
    return _settings(found[0][1]) if found else Settings()


def read_settings(text: str, path: str) -> Settings:
    """The settings of one file.  Raises ConfigurationError, which names the file, the line and the setting."""
    node = _node(path, text)
    if node is None:
        raise ConfigurationError(f"{path}: there is no table [{'.'.join(_TABLE)}] in it")
    return _settings(node)


def with_inputs(made: Settings, given: Callable[[str], str]) -> Settings:
    """Settings overlaid with the inputs of the Action, by name; an empty one settles nothing.

    Raises ConfigurationError, which names the input.
    """
    for key in KEYS.values():
        value = given(key.given) if key.given else ""
        if value:
            change: dict[str, Any] = {key.field: key.kind.read(Node(value, f"the input {key.given}"))}
            made = replace(made, **change)
    return made


def _node(path: str, text: str | None) -> Node | None:
    if text is None:
        return None
    return toml_nodes(text, path, _TABLE) if path.endswith(".toml") else yaml_nodes(text, path)


def _settings(node: Node) -> Settings:
    changes: dict[str, Any] = {}
    for name, item in node.items.items():
        if name not in KEYS:
            place = item.place.removesuffix(f" {name}")
            raise ConfigurationError(f"{place} unknown setting {name!r}; {near(name, list(KEYS))}")
        key = KEYS[name]
        changes[key.field] = key.kind.read(item)
    return replace(Settings(), **changes)
