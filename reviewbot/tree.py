"""Read-only file trees: the reviewed repository, a released package, an overlay of both.

A tree gives text by relative POSIX path and never leaves its root: what resolves outside (``..``, absolute
paths, symbolic links) does not exist.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from reviewbot.text import decode

MAX_FILE_BYTES = 4 * 1024 * 1024


class Tree(Protocol):
    """A tree of files."""

    def read(self, path: str) -> str | None:
        """The text of a file; None where there is none, or it is too large, not UTF-8, or outside the tree."""

    def files(self, under: str = "") -> Iterator[str]:
        """The relative paths of the files below a folder, sorted."""

    def is_dir(self, path: str) -> bool:
        """Whether a folder with at least one file is there."""


def normal(path: str) -> str | None:
    """A relative path without ``.`` and ``..``; None where it is absolute or leaves the tree."""
    if path.startswith("/") or "\0" in path:
        return None
    parts: list[str] = []
    for part in PurePosixPath(path).parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


@dataclass(frozen=True)
class DirectoryTree:
    """A folder on disk."""

    root: Path

    def read(self, path: str) -> str | None:
        """See :class:`Tree`."""
        target = self._inside(path)
        try:
            if target is None or not target.is_file() or target.stat().st_size > MAX_FILE_BYTES:
                return None
            return decode(target.read_bytes())
        except OSError:
            return None

    def files(self, under: str = "") -> Iterator[str]:
        """See :class:`Tree`.  Symbolic links to folders are not followed; ``.git`` is left out."""
        top = self._inside(under)
        if top is None or not top.is_dir():
            return
        for folder, names, file_names in os.walk(top):
            names[:] = sorted(name for name in names if name != ".git")
            relative = Path(folder).relative_to(self.root.resolve()).as_posix()
            for name in sorted(file_names):
                yield name if relative == "." else f"{relative}/{name}"

    def is_dir(self, path: str) -> bool:
        """See :class:`Tree`."""
        target = self._inside(path)
        return target is not None and target.is_dir()

    def _inside(self, path: str) -> Path | None:
        relative = normal(path)
        if relative is None:
            return None
        root = self.root.resolve()
        try:
            target = (root / relative).resolve()
        except (OSError, RuntimeError):
            return None
        return target if target == root or root in target.parents else None


@dataclass(frozen=True)
class OverlayTree:
    """A tree with some files replaced (text) or removed (None)."""

    below: Tree
    changes: Mapping[str, str | None]

    def read(self, path: str) -> str | None:
        """See :class:`Tree`."""
        relative = normal(path)
        if relative is None:
            return None
        return self.changes[relative] if relative in self.changes else self.below.read(relative)

    def files(self, under: str = "") -> Iterator[str]:
        """See :class:`Tree`."""
        prefix = normal(under)
        if prefix is None:
            return
        added = {
            path
            for path, text in self.changes.items()
            if text is not None and (not prefix or path.startswith(prefix + "/"))
        }
        kept = {path for path in self.below.files(prefix) if path not in self.changes}
        yield from sorted(added | kept)

    def is_dir(self, path: str) -> bool:
        """See :class:`Tree`."""
        return next(self.files(path), None) is not None
