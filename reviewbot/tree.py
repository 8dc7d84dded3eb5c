"""Read-only file trees: the reviewed repository, a released package, an overlay of both.

A tree gives text by relative POSIX path and never leaves its root: what resolves outside (``..``, absolute
paths, symbolic links) does not exist, and neither does git's own folder (a checkout may keep a token there).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from reviewbot.text import decode

MAX_FILE_BYTES = 4 * 1024 * 1024
_OWN = ".git"


class Tree(Protocol):
    """A tree of files."""

    def read(self, path: str) -> str | None:
        """The text of a file; None where there is none, or it is too large, not UTF-8 or outside."""

    def files(self, under: str = "") -> Iterator[str]:
        """The relative paths of the files below a folder, sorted."""

    def is_dir(self, path: str) -> bool:
        """Whether a folder with at least one file is there."""


def normal(path: str) -> str | None:
    """A relative path without ``.``, ``..`` and empty parts; None where it is absolute or leaves the tree."""
    if path.startswith("/") or "\0" in path:
        return None
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)


@dataclass(frozen=True)
class DirectoryTree:
    """A folder on disk."""

    root: Path

    def read(self, path: str) -> str | None:
        """See :class:`Tree`."""
        target = self.locate(path)
        if target is None:
            return None
        try:
            status = target.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE_BYTES:
                return None
            return decode(target.read_bytes())
        except (OSError, ValueError):
            return None

    def files(self, under: str = "") -> Iterator[str]:
        """See :class:`Tree`.  Symbolic links to folders are not followed."""
        yield from sorted(self._walk(under))

    def is_dir(self, path: str) -> bool:
        """See :class:`Tree`."""
        return next(self._walk(path), None) is not None

    def locate(self, path: str) -> Path | None:
        """Where on disk a path of the tree is, links resolved; None where outside.  It need not exist."""
        relative = normal(path)
        if not relative:
            return None if relative is None else self._top
        folder, _, name = relative.rpartition("/")
        if folder not in self._folders:
            self._folders[folder] = self._inside(self._top / folder)
        parent = self._folders[folder]
        if parent is None or name.lower() == _OWN:
            return None
        target = parent / name
        try:
            return self._inside(target) if target.is_symlink() else target
        except OSError:
            return None

    @cached_property
    def _top(self) -> Path:
        return self.root.resolve()

    @cached_property
    def _folders(self) -> dict[str, Path | None]:
        """Folders already resolved, by path in the tree: most files are in few folders."""
        return {"": self._top}

    def _inside(self, target: Path) -> Path | None:
        """The target with links resolved; None where it is outside of the root, or git's."""
        try:
            real = target.resolve()
            parts = real.relative_to(self._top).parts
        except (OSError, RuntimeError, ValueError):
            return None
        return None if _OWN in map(str.lower, parts) else real

    def _walk(self, under: str) -> Iterator[str]:
        """The files below a folder, unsorted."""
        relative = normal(under)
        top = self.locate(under)
        if relative is None or top is None:
            return
        waiting: list[tuple[str, str]] = [(str(top), relative + "/" if relative else "")]
        while waiting:
            folder, prefix = waiting.pop()
            for entry in _entries(folder):
                if entry.name.lower() == _OWN:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, f"{prefix}{entry.name}/"))
                elif entry.is_file(follow_symlinks=False) or self._links_to_file(entry):
                    yield prefix + entry.name

    def _links_to_file(self, entry: os.DirEntry[str]) -> bool:
        target = self._inside(Path(entry.path)) if entry.is_symlink() else None
        return target is not None and target.is_file()


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (OSError, ValueError):
        return []


@dataclass(frozen=True)
class SubTree:
    """A folder of a tree, as a tree of its own."""

    whole: Tree
    folder: str
    """A normal path."""

    def read(self, path: str) -> str | None:
        """See :class:`Tree`."""
        relative = normal(path)
        return None if relative is None else self.whole.read(f"{self.folder}/{relative}")

    def files(self, under: str = "") -> Iterator[str]:
        """See :class:`Tree`."""
        relative = normal(under)
        if relative is not None:
            above = len(self.folder) + 1
            yield from (path[above:] for path in self.whole.files(f"{self.folder}/{relative}".rstrip("/")))

    def is_dir(self, path: str) -> bool:
        """See :class:`Tree`."""
        relative = normal(path)
        return relative is not None and self.whole.is_dir(f"{self.folder}/{relative}".rstrip("/"))


@dataclass(frozen=True)
class OverlayTree:
    """A tree with some files replaced (text) or removed (None); their paths are normal ones."""

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
        kept = {path for path in self.below.files(prefix) if path not in self.changes}
        yield from sorted(kept.union(self._changed(prefix, there=True)))

    def is_dir(self, path: str) -> bool:
        """See :class:`Tree`."""
        prefix = normal(path)
        if prefix is None:
            return False
        if any(self._changed(prefix, there=True)):
            return True
        if not any(self._changed(prefix, there=False)):
            return self.below.is_dir(prefix)
        return any(path not in self.changes for path in self.below.files(prefix))

    def _changed(self, prefix: str, there: bool) -> Iterator[str]:
        """The replaced (``there``) or removed files below a folder."""
        return (
            path
            for path, text in self.changes.items()
            if (text is not None) == there and (not prefix or path.startswith(prefix + "/"))
        )
