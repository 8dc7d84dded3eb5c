"""A commit's files as data, from the archive that GitHub makes of it: nothing is written to the disk."""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from reviewbot.github.errors import GitHubError
from reviewbot.text import decode
from reviewbot.tree import MAX_FILE_BYTES, normal

MAX_FILES = 200_000
MAX_TOTAL = 1024 * 1024 * 1024


@dataclass(frozen=True)
class ArchiveTree:
    """A tree (see :class:`reviewbot.tree.Tree`) whose archive is loaded when it is first asked for something.

    Symbolic links are left out.
    """

    load: Callable[[], bytes]

    def read(self, path: str) -> str | None:
        """The text of a file; None where there is none, or it is too large or not UTF-8."""
        data = self._files.get(normal(path) or "")
        return None if data is None else decode(data)

    def files(self, under: str = "") -> Iterator[str]:
        """The paths of the files below a folder, sorted."""
        prefix = normal(under)
        if prefix is None:
            return
        yield from sorted(path for path in self._files if not prefix or path.startswith(prefix + "/"))

    def is_dir(self, path: str) -> bool:
        """Whether a folder with at least one file is there."""
        return next(self.files(path), None) is not None

    @cached_property
    def _files(self) -> dict[str, bytes]:
        try:
            return dict(_members(self.load()))
        except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
            raise GitHubError(
                f"the archive of the base commit cannot be read ({type(error).__name__})"
            ) from error


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The regular files without the folder that GitHub puts around them."""
    total = 0
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|gz") as archive:
        for count, member in enumerate(archive):
            total += member.size
            if count >= MAX_FILES or total > MAX_TOTAL:
                raise GitHubError("the archive of the base commit is too large; check it out instead")
            path = normal(member.name.partition("/")[2])
            if not member.isreg() or not path or member.size > MAX_FILE_BYTES:
                continue
            file = archive.extractfile(member)
            if file is not None:
                yield path, file.read()
