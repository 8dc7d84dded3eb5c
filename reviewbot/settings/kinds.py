"""The kinds of values that settings take: how each is read, and its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from reviewbot.checks.model import Severity
from reviewbot.errors import ConfigurationError, InputError
from reviewbot.language import LANGUAGES
from reviewbot.settings.model import CheckSettings
from reviewbot.settings.nodes import Node
from reviewbot.tree import normal

LEVELS = {severity.word: severity for severity in Severity}
MAX_COMMENTS = 100
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Kind:
    """One kind of value."""

    read: Callable[[Node], object]
    """Raises ConfigurationError, which begins with the node's place."""
    schema: Mapping[str, object]


def near(word: str, known: list[str]) -> str:
    """The end of a sentence about a name that is not known."""
    found = get_close_matches(word, known, 1)
    return f"did you mean {found[0]}?" if found else f"there are {', '.join(sorted(known))}"


def _texts(node: Node, example: str) -> tuple[str, ...]:
    value = node.value
    if isinstance(value, str):
        found = tuple(value.split())
    elif isinstance(value, tuple):
        found = tuple(item.value for item in value if isinstance(item.value, str) and item.value)
        found = found if len(found) == len(value) else ()
    else:
        found = ()
    if not found:
        raise ConfigurationError(f"{node.place} must be a list of {example}")
    return found


def _globs(node: Node) -> tuple[str, ...]:
    return _texts(node, "globs, such as ['*.sh']")


def _folders(node: Node) -> tuple[str, ...]:
    folders = []
    for text in _texts(node, "folders of this repository, such as ['rules']"):
        folder = normal(text)
        if not folder:
            raise ConfigurationError(f"{node.place} must name folders inside the repository, not {text!r}")
        folders.append(folder)
    return tuple(folders)


def _severity(node: Node) -> Severity:
    if not isinstance(node.value, str) or node.value not in LEVELS:
        raise ConfigurationError(f"{node.place} must be one of {', '.join(LEVELS)}, not {node.value!r}")
    return LEVELS[node.value]


def _level(node: Node) -> str:
    if node.value not in ("none", *LEVELS):
        raise ConfigurationError(f"{node.place} must be one of none, {', '.join(LEVELS)}, not {node.value!r}")
    return str(node.value)


def _count(node: Node) -> int:
    text = str(node.value)
    if (
        not isinstance(node.value, (int, str))
        or isinstance(node.value, bool)
        or not re.fullmatch(r"[0-9]{1,3}", text, re.ASCII)
        or int(text) > MAX_COMMENTS
    ):
        raise ConfigurationError(
            f"{node.place} must be a number from 0 to {MAX_COMMENTS}, not {node.value!r}"
        )
    return int(text)


def _switch(node: Node) -> bool:
    if node.value is True or node.value == "true":
        return True
    if node.value is False or node.value == "false":
        return False
    raise ConfigurationError(f"{node.place} must be true or false, not {node.value!r}")


def _version(node: Node) -> str:
    if not isinstance(node.value, str) or not node.value:
        raise ConfigurationError(f"{node.place} must be a version in quotes, such as '0.9.1'")
    return node.value


def _language(node: Node) -> str:
    if node.value not in LANGUAGES:
        raise ConfigurationError(f"{node.place} must be one of {', '.join(LANGUAGES)}, not {node.value!r}")
    return str(node.value)


def _engines(node: Node) -> Mapping[str, str]:
    from reviewbot.knowledge.environment.in_use import engine_versions

    if isinstance(node.value, str):
        pairs = {text: Node(text, node.place) for text in node.value.split()}
    else:
        pairs = {f"{name}={_version(item)}": item for name, item in node.items.items()}
    try:
        return engine_versions(pairs, "")
    except InputError as error:
        raise ConfigurationError(f"{node.place}: {error}") from error


def _variables(node: Node) -> Mapping[str, str]:
    found = {}
    for name, item in node.items.items():
        if not _VARIABLE.fullmatch(name):
            raise ConfigurationError(f"{item.place}: {name!r} is no name of an environment variable")
        if isinstance(item.value, bool) or not isinstance(item.value, (str, int)):
            raise ConfigurationError(f"{item.place} must be a text in quotes, such as '8'")
        found[name] = str(item.value)
    return found


def _checks(node: Node) -> Mapping[str, CheckSettings]:
    from reviewbot.checks.registry import CHECKS

    known = [check.id for check in CHECKS]
    found = {}
    for name, item in node.items.items():
        if name not in known:
            raise ConfigurationError(f"{item.place}: there is no check {name!r}; {near(name, known)}")
        enabled, severity = True, None
        for inner, value in item.items.items():
            if inner == "enabled":
                enabled = _switch(value)
            elif inner == "severity":
                severity = _severity(value)
            else:
                raise ConfigurationError(
                    f"{value.place}: unknown setting {inner!r}; {near(inner, ['enabled', 'severity'])}"
                )
        found[name] = CheckSettings(enabled, severity)
    return found


def _checks_schema() -> Mapping[str, object]:
    from reviewbot.checks.registry import CHECKS

    one = {
        "type": "object",
        "properties": {"enabled": SWITCH.schema, "severity": SEVERITY.schema},
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {check.id: one for check in CHECKS},
        "additionalProperties": False,
    }


_WORD = {"type": "string", "minLength": 1}
_LIST = {"oneOf": [{"type": "array", "items": _WORD, "minItems": 1}, {"type": "string", "pattern": r"\S"}]}

GLOBS = Kind(_globs, _LIST)
FOLDERS = Kind(_folders, _LIST)
SEVERITY = Kind(_severity, {"enum": list(LEVELS)})
LEVEL = Kind(_level, {"enum": ["none", *LEVELS]})
COUNT = Kind(_count, {"type": "integer", "minimum": 0, "maximum": MAX_COMMENTS})
SWITCH = Kind(_switch, {"type": "boolean"})
VERSION = Kind(_version, _WORD)
LANGUAGE = Kind(_language, {"enum": list(LANGUAGES)})
ENGINES = Kind(_engines, {"type": "object", "additionalProperties": _WORD})
VARIABLES = Kind(
    _variables,
    {
        "type": "object",
        "propertyNames": {"pattern": f"^{_VARIABLE.pattern}$"},
        "additionalProperties": {"type": ["string", "integer"]},
    },
)
CHECK_SETTINGS = Kind(_checks, _checks_schema())
