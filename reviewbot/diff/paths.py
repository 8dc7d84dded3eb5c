"""Paths in the headers of a diff: git's quoting, prefixes, and whether a path stays in the repository."""

from __future__ import annotations

import re

DEV_NULL = "/dev/null"
MAX_LENGTH = 10_000
"""Longer than two paths that a file system takes."""

_ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7]{2})')
_LETTERS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_GIT_PREFIX = re.compile(r"[abciow12]/")
"""git's default prefixes, those of ``diff.mnemonicPrefix``, and those of ``git diff --no-index`` with it."""


class PathError(ValueError):
    """A path that cannot be read; the message completes "line N: "."""


def header_path(text: str) -> tuple[str, str]:
    """The path and the timestamp of what follows ``--- ``, ``+++ `` or ``rename from ``, prefix kept."""
    if text.startswith('"'):
        path, rest = _unquote(text)
        return path, rest.strip()
    path, _, stamp = text.partition("\t")
    return path, stamp.strip()


def git_line_paths(text: str) -> tuple[str, str] | None:
    """Both paths of what follows ``diff --git ``, prefixes kept; None where the line does not tell.

    Unquoted paths with spaces leave the line ambiguous; as git does, the split is taken at which both sides
    name the same file.  (A rename has lines of its own that name its paths.)
    """
    if text.startswith('"'):
        old, rest = _unquote(text)
        return old, header_path(rest.removeprefix(" "))[0]
    if text.endswith('"') and ' "' in text:
        old, _, new = text.partition(' "')
        return old, _unquote('"' + new)[0]
    if len(text) > MAX_LENGTH:
        return None
    spaces = [at for at, character in enumerate(text) if character == " "]
    for at in sorted(spaces, key=lambda at: abs(2 * at + 1 - len(text))):
        old, new = text[:at], text[at + 1 :]
        if old == new or len(spaces) == 1 or common_tail(old, new):
            return old, new
    return None


def strip_prefixes(old: str, new: str) -> tuple[str, str]:
    """Both paths without their prefixes: ``a/`` and ``b/``, ``i/`` and ``w/``, others, or none.

    Two equal paths have no prefixes, since git's differ.
    """
    if old == new:
        return old, new
    if DEV_NULL in (old, new):
        return _without_git_prefix(old), _without_git_prefix(new)
    if _GIT_PREFIX.match(old) and _GIT_PREFIX.match(new):
        return old[2:], new[2:]
    tail = common_tail(old, new)
    return (tail, tail) if tail and not old.startswith("/") and not new.startswith("/") else (old, new)


def common_tail(old: str, new: str) -> str:
    """The longest path in which both end, not counting the first folder of either; empty for none."""
    tail: list[str] = []
    for left, right in zip(reversed(old.split("/")[1:]), reversed(new.split("/")[1:]), strict=False):
        if left != right:
            break
        tail.append(left)
    return "/".join(reversed(tail))


def unsafe(path: str) -> str | None:
    """Why a path is not followed, as the end of a sentence; None where it stays in the repository."""
    parts = path.split("/")
    if not path:
        return "the path is empty"
    if "\0" in path:
        return "the path holds a NUL character"
    if path.startswith("/") or re.match(r"[A-Za-z]:[\\/]", path):
        return "the path is absolute"
    if ".." in parts:
        return "the path leads out of the repository"
    if any(part.lower() == ".git" for part in parts):
        return "the path leads into .git"
    return None


def normal(path: str) -> str:
    """A path that stays in the repository, without ``.`` and empty parts."""
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def _without_git_prefix(path: str) -> str:
    return path[2:] if _GIT_PREFIX.match(path) else path


def _unquote(text: str) -> tuple[str, str]:
    """The path in git's C quoting at the start of a text, and what follows it."""
    match = _QUOTED.match(text)
    if not match:
        raise PathError("the quoted path does not end")
    data = match[1].encode("utf-8", "surrogateescape")
    if _ESCAPE.sub(b"", data).count(b"\\"):
        raise PathError("the quoted path holds an escape that git does not write")
    plain = _ESCAPE.sub(lambda escape: bytes([_character(escape[1])]), data)
    return plain.decode("utf-8", "surrogateescape"), text[match.end() :]


def _character(escape: bytes) -> int:
    return _LETTERS[escape] if escape in _LETTERS else int(escape, 8)
