"""``reviewbot rules extract``."""

from __future__ import annotations

from pathlib import Path

from reviewbot.errors import InputError
from reviewbot.knowledge.extract import extract
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.store import FRAMEWORKS, framework_of
from reviewbot.tree import DirectoryTree, Tree


def extract_facts(source: str, version: str) -> str:
    """The text of the facts of a source folder, labelled with a version.

    Raises InputError where the folder is missing or holds no framework.
    """
    tree, framework = tree_at(source)
    return extract(tree, framework, version).text()


def tree_at(source: str) -> tuple[Tree, Framework]:
    """The tree of a source folder, and the framework that it holds.

    Raises InputError where the folder is missing or holds none.
    """
    folder = Path(source)
    if not folder.is_dir():
        raise InputError(
            f"{source}: there is no such folder; --source takes a checkout or an unpacked release"
        )
    tree = DirectoryTree(folder)
    framework = framework_of(tree)
    if framework is None:
        names = " or ".join(item.name for item in FRAMEWORKS)
        raise InputError(f"{source} does not hold the source of {names}")
    return tree, framework
