"""Hydra's override grammar: the text of one argument → operator, key and value.

Plain texts, nearly all that recipes hold, are judged here without importing Hydra (0.16 s); whatever is not
plain goes to Hydra's own parser.  A differential test keeps the two equal.  Source of the rules: Hydra 1.3,
``hydra/grammar/OverrideLexer.g4`` and ``OverrideParser.g4``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reviewbot.config.model import UNKNOWN, Plain


@dataclass(frozen=True, slots=True)
class Parsed:
    """One argument that Hydra's grammar accepts."""

    op: str
    """``""``, ``+``, ``++`` or ``~``."""
    key: str
    """With ``@package`` where there is one."""
    value_text: str | None
    """The text after the first ``=``; None for ``~key``."""
    value: Plain
    """UNKNOWN for a sweep.  Shared between calls: never change it."""
    sweep: str = ""
    """Empty, or what Hydra says of this sweep when ``--multirun`` is not given."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """One argument that Hydra's grammar refuses."""

    message: str
    """Hydra's words in one line."""


@lru_cache(maxsize=16384)
def parse_override(text: str) -> Parsed | Malformed:
    """What Hydra's grammar makes of one argument: ``+a.b=1``, ``~c``, ``group@package=choice``."""
    match = _OVERRIDE.match(text)
    if match:
        op, key, value_text = match["op"] or "", match["key"], None
        if match["assign"] is None:
            if op == "~":
                return Parsed(op, key, None, None)
        else:
            value_text = text[match.end() :]
            try:
                return Parsed(op, key, value_text, plain_value(value_text))
            except NotPlainError:
                pass
        if len(text) > _MAX_JUDGED and value_text is not None:
            return Parsed(op, key, value_text, UNKNOWN)
    return judged_by_hydra(text[:_MAX_JUDGED])


class NotPlainError(Exception):
    """The text needs Hydra's own grammar."""


def plain_value(text: str) -> Plain:
    """The value of a plain text after ``=``.  Raises NotPlainError where only Hydra's grammar can tell."""
    if not text:
        return ""
    value, end = _element(text, 0, in_dict_key=False, depth=0)
    if end != len(text):
        raise NotPlainError(text)
    return value


_ID = r"[A-Za-z_][A-Za-z0-9_\-]*"
_PART = r"(?:[A-Za-z_$][A-Za-z0-9_\-$]*|0|[1-9](?:_?[0-9])*)"
_NAME = r"[A-Za-z_$][A-Za-z0-9_\-$]*"
_PACKAGE = rf"(?:{_PART}(?:\.{_PART})+|{_NAME})"
_OVERRIDE = re.compile(
    rf"(?P<op>\+\+|\+|~)?(?P<key>(?:{_ID}(?:/{_ID})+|{_PACKAGE})(?:@{_PACKAGE})?)(?:(?P<assign>=)|\Z)",
    re.ASCII,
)

_UNQUOTED = r"[A-Za-z0-9_/\-+.$%*@?|:]"
_INTERPOLATION = r"\$\{[^}]+\}"
_PRIMITIVE = re.compile(rf"(?:{_INTERPOLATION}|{_UNQUOTED})+", re.ASCII)
_DICT_KEY = re.compile(r"(?:(?!\$\{)[A-Za-z0-9_/\-+.$%*@?|])+", re.ASCII)
_QUOTED = re.compile(r"'[^'\\]*'|\"[^\"\\]*\"")
_INT_UNSIGNED = r"(?:0|[1-9](?:_?[0-9])*)"
_INT = re.compile(rf"[+-]?{_INT_UNSIGNED}", re.ASCII)
_POINT_FLOAT = rf"(?:{_INT_UNSIGNED}?\.[0-9](?:_?[0-9])*|{_INT_UNSIGNED}\.)"
_FLOAT = re.compile(
    rf"[+-]?(?:(?:{_POINT_FLOAT}|{_INT_UNSIGNED})[eE][+-]?[0-9](?:_?[0-9])*|{_POINT_FLOAT}|(?i:inf|nan))",
    re.ASCII,
)
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_MAX_DEPTH = 20
_MAX_JUDGED = 32 * 1024
"""Characters that Hydra's parser is given: it takes a second for each 100,000."""


def _element(text: str, start: int, *, in_dict_key: bool, depth: int) -> tuple[Plain, int]:
    """One element from ``start`` on, and where it ends."""
    if start >= len(text) or depth > _MAX_DEPTH:
        raise NotPlainError(text)
    first = text[start]
    if not in_dict_key:
        if first == "[":
            return _list(text, start + 1, depth)
        if first == "{":
            return _dict(text, start + 1, depth)
        if first in "'\"":
            quoted = _QUOTED.match(text, start)
            if not quoted:
                raise NotPlainError(text)
            return quoted[0][1:-1], quoted.end()
    match = (_DICT_KEY if in_dict_key else _PRIMITIVE).match(text, start)
    if not match:
        raise NotPlainError(text)
    return _primitive(match[0]), match.end()


def _primitive(text: str) -> Plain:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INT.fullmatch(text):
        if len(text) > 300:
            raise NotPlainError(text)
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _list(text: str, start: int, depth: int) -> tuple[Plain, int]:
    items: list[Plain] = []
    end = _blanks(text, start)
    if text[end : end + 1] == "]":
        return items, end + 1
    while True:
        item, end = _element(text, end, in_dict_key=False, depth=depth + 1)
        items.append(item)
        end = _blanks(text, end)
        if text[end : end + 1] == "]":
            return items, end + 1
        end = _comma(text, end)


def _dict(text: str, start: int, depth: int) -> tuple[Plain, int]:
    items: dict[Plain, Plain] = {}
    end = _blanks(text, start)
    if text[end : end + 1] == "}":
        return items, end + 1
    while True:
        key, end = _element(text, end, in_dict_key=True, depth=depth + 1)
        end = _blanks(text, end)
        if text[end : end + 1] != ":":
            raise NotPlainError(text)
        items[key], end = _element(text, _blanks(text, end + 1), in_dict_key=False, depth=depth + 1)
        end = _blanks(text, end)
        if text[end : end + 1] == "}":
            return items, end + 1
        end = _comma(text, end)


def _blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t":
        position += 1
    return position


def _comma(text: str, position: int) -> int:
    if text[position : position + 1] != ",":
        raise NotPlainError(text)
    return _blanks(text, position + 1)


def judged_by_hydra(text: str) -> Parsed | Malformed:
    """What Hydra's own parser makes of one argument."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.core.override_parser.types import Sweep
    from hydra.errors import HydraException

    try:
        override = OverridesParser.create().parse_overrides([text])[0]
    except (HydraException, ValueError) as error:  # ValueError: an integer of more than 4,300 digits
        return Malformed(_one_line(str(error)))
    except RecursionError:
        return Malformed(f"Error parsing override: nested too deeply ({len(text)} characters)")
    op = {"ADD": "+", "FORCE_ADD": "++", "DEL": "~"}.get(override.type.name, "")
    key = override.get_key_element()[len(op) :]
    value_text = text[text.index("=") + 1 :] if "=" in text else None
    if override.is_sweep_override() or isinstance(override.value(), Sweep):
        return Parsed(op, key, value_text, UNKNOWN, _sweep_message(text, str(override.value_type)))
    return Parsed(op, key, value_text, override.value())


def _sweep_message(text: str, kind: str) -> str:
    if kind.endswith(".SIMPLE_CHOICE_SWEEP"):
        return (
            f"Ambiguous value for argument '{text}': use key=[value1,value2] for a list, quote the value "
            "for a string, or add --multirun to sweep over it"
        )
    return f"Sweep parameters '{text}' requires --multirun"


def _one_line(message: str) -> str:
    kept = [line.strip() for line in message.splitlines() if not line.startswith("See https://hydra.cc")]
    return ": ".join(line for line in kept if line and set(line) != {"^"})
