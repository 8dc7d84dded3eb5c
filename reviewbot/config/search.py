"""Where a command's config comes from: the config folder, the config's name, the search path. All inside the
tree."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Protocol

from reviewbot.config.arguments import WORKING_DIRECTORY
from reviewbot.config.grammar import Parsed, parse_override
from reviewbot.config.model import Arguments, Plain, Refusal
from reviewbot.tree import Tree, normal

SEARCH_PATH = "hydra.searchpath"
Packages = Callable[[str], str | None]
"""The folder of a Python package's files in the tree (``verl.trainer.config``), or None where it is not
there."""


class HasConfig(Protocol):
    """An entry point: a module with ``@hydra.main``."""

    @property
    def path(self) -> str:
        """The module's file in the tree."""

    @property
    def config_dir(self) -> str:
        """Folder of the tree that ``config_path`` names."""

    @property
    def config_name(self) -> str:
        """Default config name."""


def packages_of(tree: Tree) -> Packages:
    """Packages as folders from the tree's root, as ``python -m`` there would import them."""

    def folder(package: str) -> str | None:
        path = package.replace(".", "/").strip("/")
        return path if tree.is_dir(path) else None

    return folder


def locate(
    entry: HasConfig, arguments: Arguments, packages: Packages | None = None
) -> tuple[str, str] | Refusal:
    """The config folder and config name of a command.

    A relative ``--config-path`` is relative to the folder of the entry point's file; ``$PWD`` stands for the
    root of the repository. A path outside the tree, or one that is not known, gives a Refusal
    ``outside-tree`` or ``unknown``.
    """
    if arguments.unknown_config:
        return Refusal(None, "unknown", "The config's name or path is not known from the script")
    name = arguments.config_name if arguments.config_name is not None else entry.config_name
    path = arguments.config_path
    if path is None:
        return entry.config_dir, name
    if path.endswith((".yaml", ".yml")):
        return Refusal(
            None, "no-such-config", f"--config-path names a file ({path}): --config-name selects the config"
        )
    if path.startswith("pkg://"):
        folder = packages(path.removeprefix("pkg://").replace("/", ".")) if packages else None
    else:
        folder = _folder(path, posixpath.dirname(entry.path))
    if folder is None:
        return Refusal(None, "outside-tree", f"--config-path {path} lies outside the reviewed tree")
    return folder, name


def search_path(
    tree: Tree, config_dir: str, config_name: str, packages: Packages, groups: Sequence[str] = ()
) -> list[str] | Refusal:
    """The folders of the tree that ``hydra.searchpath`` adds, in order.

    It is read from the primary config, or from the command's ``hydra.searchpath=[…]`` where ``groups`` hold
    one. ``pkg://a.b`` is a package, ``file://x`` and ``x`` are relative to the tree's root. An entry that is
    not in the tree gives a Refusal ``outside-tree``: composing without it would judge another config than the
    command's.
    """
    entries = _given(groups)
    if entries is None:
        entries = _in_primary(tree, config_dir, config_name)
    if isinstance(entries, Refusal):
        return entries
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return Refusal(None, "compose", f"{SEARCH_PATH} must be a list of strings")
    folders: list[str] = []
    for entry in entries:
        folder = _mapped(tree, entry, packages)
        if folder is None:
            return Refusal(
                None, "outside-tree", f"{SEARCH_PATH} names {entry}, which is not in the reviewed tree"
            )
        folders.append(folder)
    return folders


def _given(groups: Sequence[str]) -> Plain:
    """The command's own search path; None where it gives none.  Hydra takes the first."""
    for text in groups:
        parsed = parse_override(text)
        if isinstance(parsed, Parsed) and parsed.op == "" and parsed.key == SEARCH_PATH:
            return [] if parsed.value is None else parsed.value
    return None


def _in_primary(tree: Tree, config_dir: str, config_name: str) -> Plain:
    import yaml

    from reviewbot.config.yaml_text import read_yaml, yaml_problem

    path = posixpath.join(config_dir, config_name.removesuffix(".yaml") + ".yaml")
    text = tree.read(path)
    if text is None or "searchpath" not in text:
        return []
    try:
        node = read_yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return Refusal(None, "compose", f"The config file {path} cannot be read: {yaml_problem(error)}")
    for key in SEARCH_PATH.split("."):
        node = node.get(key) if isinstance(node, dict) else None
    return [] if node is None else node


def _mapped(tree: Tree, entry: str, packages: Packages) -> str | None:
    scheme, separator, rest = entry.partition("://")
    if not separator:
        scheme, rest = "file", entry
    if scheme == "pkg":
        folder = packages(rest.replace("/", ".").strip("."))
    elif scheme == "file":
        folder = _folder(rest, "")
    else:
        folder = None
    return folder if folder is not None and tree.is_dir(folder) else None


def _folder(path: str, relative_to: str) -> str | None:
    if "${" in path or "$(" in path:
        return None
    if path == WORKING_DIRECTORY or path.startswith(f"{WORKING_DIRECTORY}/"):
        return normal(path[len(WORKING_DIRECTORY) + 1 :])
    return normal(posixpath.join(relative_to, path))
