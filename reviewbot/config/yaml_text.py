"""YAML texts as OmegaConf reads them: plain values only, no tag builds anything, aliases bounded."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import yaml

from reviewbot.config.change import copied

MAX_CHARACTERS = 256 * 1024
"""Of one file; verl's largest has 40,000."""
MAX_NODES = 50_000
"""Values of one file after its aliases are written out."""


def read_yaml(text: str) -> Any:
    """The plain value of a YAML text: dict, list, string or None, a copy of the caller's own.

    Raises yaml.YAMLError where it is not valid YAML, duplicate keys and unknown tags included, and
    ValueError where it is valid and cannot be taken: another kind of document, aliases without bounds.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"it is too large to be reviewed ({len(text)} characters)")
    try:
        return copied(_read(text))
    except (KeyError, IndexError, AttributeError, TypeError) as error:
        # What PyYAML's constructors raise on a tag whose text is not of its kind: `!!bool zz`, `!!int ""`.
        raise ValueError("a value is not what its tag says") from error


def yaml_problem(error: Exception) -> str:
    """What is wrong with a YAML text, in a few words with its line."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if problem is None or mark is None:
        return " ".join(str(error).split())
    return f"{' '.join(str(problem).split())} in line {mark.line + 1}"


@lru_cache(maxsize=512)
def _read(text: str) -> Any:
    from omegaconf._utils import get_yaml_loader

    if "&" in text and "*" in text:
        _check_aliases(text)
    value = yaml.load(
        text, Loader=get_yaml_loader()
    )  # a SafeLoader with OmegaConf's floats and duplicate check
    if value is not None and not isinstance(value, (dict, list, str)):
        raise ValueError(f"it holds a {type(value).__name__} instead of a mapping")
    _check_plain(value)
    return {value: None} if isinstance(value, str) else value


def _check_aliases(text: str) -> None:
    """Raise where aliases would blow the document up, or where it contains itself."""
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = [(None, 0)]
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            open_nodes.append((event.anchor, 1))
            continue
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise ValueError("an alias refers to what contains it")
            added = sizes[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            added = 1
            if event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, added = open_nodes.pop()
            if anchor:
                sizes[anchor] = added
        else:
            continue
        name, size = open_nodes[-1]
        open_nodes[-1] = (name, size + added)
        if size + added > MAX_NODES:
            raise ValueError(f"its aliases stand for more than {MAX_NODES} values")


def _check_plain(value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _check_plain(key)
            _check_plain(item)
    elif isinstance(value, list):
        for item in value:
            _check_plain(item)
    elif value is not None and not isinstance(value, (bool, int, float, str)):
        raise ValueError(f"it holds a {type(value).__name__}, which is no plain value")
