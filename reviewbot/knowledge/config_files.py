"""Config files that are at hand as data, read as a tree of files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from reviewbot.knowledge.model import ConfigFile
from reviewbot.tree import normal


@dataclass(frozen=True)
class ConfigFilesTree:
    """The tree of bundled config files."""

    by_path: Mapping[str, ConfigFile]

    def read(self, path: str) -> str | None:
        """See :class:`reviewbot.tree.Tree`."""
        relative = normal(path)
        file = None if relative is None else self.by_path.get(relative)
        if file is None:
            return None
        header = f"# {file.package}\n" if file.package else ""
        return header + ("" if file.data is None else json.dumps(file.data, ensure_ascii=False))

    def files(self, under: str = "") -> Iterator[str]:
        """See :class:`reviewbot.tree.Tree`."""
        prefix = normal(under)
        if prefix is not None:
            yield from (path for path in self._paths if not prefix or path.startswith(f"{prefix}/"))

    def is_dir(self, path: str) -> bool:
        """See :class:`reviewbot.tree.Tree`."""
        return next(self.files(path), None) is not None

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self.by_path)
