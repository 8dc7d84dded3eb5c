"""The configuration that a command works with."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from reviewbot.commands.inputs import Unreadable, load
from reviewbot.errors import ConfigurationError
from reviewbot.settings.model import Settings
from reviewbot.settings.read import find_settings, read_settings
from reviewbot.tree import DirectoryTree


def settings_for(options: Namespace, root: Path) -> Settings:
    """``--config``, else the configuration of the repository at ``root``.

    Raises ConfigurationError for one that cannot be read, or is wrong.
    """
    if options.config is not None:
        return read_settings(_text(Path(options.config), options.config), options.config)

    def read(path: str) -> str | None:
        file = DirectoryTree(root).locate(path)
        return _text(file, path) if file is not None and file.exists() else None

    return find_settings(read)


def _text(file: Path, path: str) -> str:
    source = load(file, path)
    if isinstance(source, Unreadable):
        raise ConfigurationError(f"{path}: the configuration {source.why}")
    return source.text
