"""Interpolations as text: ``${a.b}``, ``${.sibling}``, ``x-${a}``, ``${oc.select:a.b,5}``, nested ones.

Only the forms that are certain are read; ``read_text`` gives None for the rest.  Source of the grammar:
OmegaConf 2.3, ``omegaconf/grammar/OmegaConfGrammarParser.g4``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reviewbot.config.grammar import NotPlainError, plain_value
from reviewbot.config.model import Plain


@dataclass(frozen=True, slots=True)
class NodeReference:
    """``${key}``: the value at another key."""

    key: Text
    """The key, which may hold interpolations itself; leading dots make it relative."""


@dataclass(frozen=True, slots=True)
class ResolverCall:
    """``${name:argument,…}``."""

    name: str
    arguments: tuple[Text, ...]
    """Each argument as written, without blanks around it."""


@dataclass(frozen=True, slots=True)
class Text:
    """Pieces in a row: plain strings and interpolations."""

    pieces: tuple[str | NodeReference | ResolverCall, ...]


def is_interpolation(value: Plain) -> bool:
    """OmegaConf's own test: a string that holds ``${``."""
    return isinstance(value, str) and "${" in value


def is_sure_interpolation(text: str) -> bool:
    """Whether OmegaConf certainly accepts a text that holds ``${``."""
    return len(text) <= _MAX_LENGTH and bool(_SURE.match(text))


def is_missing(value: Plain) -> bool:
    """Whether a value is OmegaConf's mandatory ``???``."""
    return isinstance(value, str) and value == "???"


@lru_cache(maxsize=4096)
def read_text(text: str) -> Text | None:
    """The pieces of a text with interpolations; None where it is not certain how OmegaConf reads it."""
    if "\\" in text or len(text) > _MAX_LENGTH:
        return None
    try:
        pieces, end = _pieces(text, 0, "", 0)
    except _UnclearError:
        return None
    return Text(pieces) if end == len(text) else None


def split_key(key: str) -> tuple[int, tuple[str, ...]] | None:
    """Leading dots and parts of a reference's key: ``..a[0].b`` → 2, (a, 0, b); None if malformed."""
    match = _KEY.fullmatch(key)
    if not match:
        return None
    parts = tuple(part.strip("[]") for part in _KEY_PART.findall(match["path"]))
    return len(match["dots"]), parts


def argument_value(text: str) -> Plain:
    """The value of a resolver's plain argument: a scalar, a list or dict of scalars. Raises NotPlainError."""
    if not (_ARGUMENT.fullmatch(text) or _CONTAINER.fullmatch(text)):
        raise NotPlainError(text)
    return plain_value(text)


class _UnclearError(Exception):
    pass


_MAX_LENGTH = 4096
_MAX_DEPTH = 8
_KEY_NAME = r"[$\w]+"
_KEY_PIECE = rf"(?:{_KEY_NAME}|\[{_KEY_NAME}\])"
_KEY = re.compile(rf"(?P<dots>\.*)(?P<path>{_KEY_PIECE}(?:\.{_KEY_NAME}|\[{_KEY_NAME}\])*)", re.ASCII)
_KEY_PART = re.compile(rf"{_KEY_NAME}|\[{_KEY_NAME}\]", re.ASCII)
_RESOLVER = re.compile(r"\s*([A-Za-z_][\w\-]*(?:\.[A-Za-z_][\w\-]*)*)\s*:", re.ASCII)
_CONTAINER = re.compile(r"\[[^\[\]{}'\"$]*\]|\{[^\[\]{}'\"$]*\}")
_ARGUMENT = re.compile(r"[A-Za-z0-9_/\-+.$%*@?|]+|'[^'\\]*'|\"[^\"\\]*\"", re.ASCII)

# OmegaConf's own SIMPLE_INTERPOLATION_PATTERN (omegaconf/grammar_parser.py): texts that it need not parse.
_ACCESS = rf"\.(?:{_KEY_NAME}|\[{_KEY_NAME}\])"
_SURE_NODE = rf"\${{\s*\.*{_KEY_PIECE}(?:{_ACCESS})*\s*}}"
_ID = r"[a-zA-Z_][\w\-]*"
_PLAIN_ARGUMENT = r"[a-zA-Z_0-9/\-\+.$%*@?|]+"
_SURE_CALL = rf"\${{\s*(?:{_ID}(?:\.{_ID})*)?\s*:\s*(?:{_PLAIN_ARGUMENT}(?:\s*,\s*{_PLAIN_ARGUMENT})*)?\s*}}"
_OUTSIDE = r"(?:[^$]|\$(?!{))*"
_SURE = re.compile(rf"{_OUTSIDE}(?:(?:{_SURE_NODE}|{_SURE_CALL}){_OUTSIDE})+$", re.ASCII)


def _pieces(
    text: str, start: int, ends: str, depth: int
) -> tuple[tuple[str | NodeReference | ResolverCall, ...], int]:
    """Pieces from ``start`` up to a character of ``ends`` outside quotes and interpolations, or the end."""
    if depth > _MAX_DEPTH:
        raise _UnclearError
    pieces: list[str | NodeReference | ResolverCall] = []
    plain = ""
    position = start
    while position < len(text) and text[position] not in ends:
        if text.startswith("${", position):
            if plain:
                pieces.append(plain)
                plain = ""
            piece, position = _interpolation(text, position + 2, depth)
            pieces.append(piece)
        elif ends and text[position] in "'\"":
            closing = text.find(text[position], position + 1)
            if closing < 0 or "${" in text[position:closing]:
                raise _UnclearError
            plain += text[position : closing + 1]
            position = closing + 1
        elif ends and text[position] in "[{":
            end = _closing(text, position)
            plain += text[position:end]
            position = end
        elif ends and text[position] in "()]":
            raise _UnclearError
        else:
            plain += text[position]
            position += 1
    if plain:
        pieces.append(plain)
    return tuple(pieces), position


def _closing(text: str, start: int) -> int:
    """Where a list or dict without quotes and interpolations in it ends."""
    match = _CONTAINER.match(text, start)
    if not match:
        raise _UnclearError
    return match.end()


def _interpolation(text: str, start: int, depth: int) -> tuple[NodeReference | ResolverCall, int]:
    resolver = _RESOLVER.match(text, start)
    if resolver:
        return _call(text, resolver[1], resolver.end(), depth)
    pieces, end = _key_pieces(text, start, depth)
    if not pieces or end >= len(text):
        raise _UnclearError
    return NodeReference(Text(pieces)), end + 1


def _key_pieces(
    text: str, start: int, depth: int
) -> tuple[tuple[str | NodeReference | ResolverCall, ...], int]:
    """The pieces of a key, which may be in brackets: ``a[0].${b}``."""
    if depth > _MAX_DEPTH:
        raise _UnclearError
    pieces: list[str | NodeReference | ResolverCall] = []
    position = start
    while position < len(text) and text[position] != "}":
        if text.startswith("${", position):
            piece, position = _interpolation(text, position + 2, depth + 1)
            pieces.append(piece)
            continue
        end = position
        while end < len(text) and text[end] != "}" and not text.startswith("${", end):
            end += 1
        pieces.append(text[position:end])
        position = end
    if pieces and isinstance(pieces[0], str):
        pieces[0] = pieces[0].lstrip()
    if pieces and isinstance(pieces[-1], str):
        pieces[-1] = pieces[-1].rstrip()
    return tuple(piece for piece in pieces if piece != ""), position


def _call(text: str, name: str, start: int, depth: int) -> tuple[ResolverCall, int]:
    arguments: list[Text] = []
    position = start
    while True:
        pieces, position = _pieces(text, position, ",}", depth + 1)
        if position >= len(text):
            raise _UnclearError
        arguments.append(_stripped(pieces))
        position += 1
        if text[position - 1] == "}":
            break
    if arguments == [Text(())]:
        arguments = []
    return ResolverCall(name, tuple(arguments)), position


def _stripped(pieces: tuple[str | NodeReference | ResolverCall, ...]) -> Text:
    kept = list(pieces)
    if kept and isinstance(kept[0], str):
        kept[0] = kept[0].lstrip()
    if kept and isinstance(kept[-1], str):
        kept[-1] = kept[-1].rstrip()
    return Text(tuple(piece for piece in kept if piece != ""))
