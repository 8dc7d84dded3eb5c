"""The files that a command works on, from the disk."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from reviewbot.errors import InputError
from reviewbot.git import repository_root
from reviewbot.text import SourceText, decode
from reviewbot.tree import MAX_FILE_BYTES

RECIPE_GLOBS = ("*.sh", "*.bash")


@dataclass(frozen=True)
class Unreadable:
    """A file that is there and cannot be reviewed."""

    path: str
    why: str
    """The end of a sentence that starts with the path: ``is not UTF-8 text``."""


def working_root() -> Path:
    """The repository that the current folder lies in; the folder itself where it is in none.

    Raises InputError where the current folder has been deleted.
    """
    try:
        here = Path.cwd()
    except OSError as error:
        raise InputError("the current folder is not there any more; change to another one") from error
    return repository_root(here) or here


def load(file: Path, path: str) -> SourceText | Unreadable:
    """A file of the disk as text; ``path`` is what reports call it."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            return Unreadable(path, "is not a regular file")
        if status.st_size > MAX_FILE_BYTES:
            return Unreadable(path, f"is larger than {MAX_FILE_BYTES // 1024 // 1024} MB")
        data = file.read_bytes()
    except OSError as error:
        return Unreadable(path, f"cannot be read ({error.strerror or 'unknown error'})")
    text = decode(data)
    if b"\0" in data:
        return Unreadable(path, "is a binary file, not a script")
    if text is None:
        return Unreadable(path, "is not UTF-8 text")
    return SourceText(path, text)


def is_recipe_name(path: str, globs: Sequence[str] = RECIPE_GLOBS, exclude: Sequence[str] = ()) -> bool:
    """Whether a path matches one of the globs, by its whole path or its last part, and none of ``exclude``.

    A glob that ends with ``/`` stands for all that the folder holds.
    """
    return _matches(path, globs) and not _matches(path, exclude)


def _matches(path: str, globs: Sequence[str]) -> bool:
    name = path.rsplit("/", 1)[-1]
    return any(
        path.startswith(glob) if glob.endswith("/") else fnmatch(path, glob) or fnmatch(name, glob)
        for glob in globs
    )


def expand(
    paths: Sequence[str], root: Path, globs: Sequence[str], exclude: Sequence[str] = ()
) -> Iterator[tuple[Path, str]]:
    """Files and folders that a user named → files with the paths that reports call them, each once.

    A file that is named itself is never left out.

    Raises InputError for a path that does not exist.
    """
    seen: set[str] = set()
    for given in paths:
        path = Path(given)
        if path.is_dir():
            found = [
                file for file in _files(path) if is_recipe_name(relative_name(file, root), globs, exclude)
            ]
        elif path.exists():
            found = [path]
        else:
            raise InputError(
                f"{given}: there is no such file or folder; name a script, a folder, or use --diff"
            )
        for file in found:
            name = relative_name(file, root)
            if name not in seen:
                seen.add(name)
                yield file, name


def relative_name(file: Path, root: Path) -> str:
    """The path relative to the repository, where it lies in it; else as it was given."""
    absolute = Path(os.path.normpath(Path.cwd() / file))
    try:
        return absolute.relative_to(root).as_posix()
    except ValueError:
        return file.as_posix()


def _belongs(parent: Path, name: str) -> bool:
    """Whether a folder's files are the repository's own: a submodule's are those of another one."""
    return not name.startswith(".") and name != "node_modules" and not (parent / name / ".git").exists()


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for parent, names, file_names in os.walk(folder):
        names[:] = sorted(name for name in names if _belongs(Path(parent), name))
        found.extend(Path(parent) / name for name in sorted(file_names))
    return [file for file in found if not file.is_symlink()]
