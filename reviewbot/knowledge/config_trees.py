"""A framework's config folders: their files as data, and the trees that they compose to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from reviewbot.config.model import Base, Refusal
from reviewbot.config.search import packages_of, search_path
from reviewbot.knowledge.facts import BundledBase
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import ConfigFile, EntryPoint
from reviewbot.tree import Tree

_PACKAGE = re.compile(r"^#\s*(@package\s+\S+)", re.M)
_GENERATED = "_generated_"
_HEADER = 512


def compose_at(tree: Tree, config_dir: str, config_name: str, groups: tuple[str, ...]) -> Base | Refusal:
    """The base of a config in a tree, with the search path that its primary file or the groups name."""
    from reviewbot.config.compose import compose

    search = search_path(tree, config_dir, config_name, packages_of(tree), groups)
    if isinstance(search, Refusal):
        return search
    return compose(tree, config_dir=config_dir, config_name=config_name, search=search, groups=groups)


def config_folders(tree: Tree, entry_points: Iterable[EntryPoint]) -> list[str]:
    """The config folders of the entry points and of their search paths, sorted, none inside another."""
    found: set[str] = set()
    packages = packages_of(tree)
    for folder in {entry.config_dir for entry in entry_points}:
        found.add(folder)
        for name in primary_names(tree, folder):
            search = search_path(tree, folder, name, packages)
            found.update(() if isinstance(search, Refusal) else search)
    return sorted(found)


def primary_names(tree: Tree, folder: str) -> list[str]:
    """The config names at the top of a folder; generated copies are left out."""
    prefix = f"{folder}/" if folder else ""
    names = (path[len(prefix) :] for path in tree.files(folder))
    return [
        name.removesuffix(".yaml")
        for name in names
        if "/" not in name and name.endswith(".yaml") and not name.startswith(_GENERATED)
    ]


def read_config_files(tree: Tree, folders: Iterable[str]) -> tuple[dict[str, ConfigFile], list[str]]:
    """The YAML files below the folders as data, and a sentence for each that cannot be read."""
    import yaml

    from reviewbot.config.yaml_text import read_yaml

    found: dict[str, ConfigFile] = {}
    problems: list[str] = []
    for folder in folders:
        for path in tree.files(folder):
            if not path.endswith(".yaml") or path.rpartition("/")[2].startswith(_GENERATED):
                continue
            text = tree.read(path)
            try:
                data = None if text is None else read_yaml(text)
            except (yaml.YAMLError, ValueError, RecursionError):
                problems.append(f"{path} is not valid YAML; nothing is claimed from it")
                continue
            header = _PACKAGE.search((text or "")[:_HEADER])
            found[path] = ConfigFile(header[1] if header else "", data)
    return found, problems


def compose_bases(
    tree: Tree,
    framework: Framework,
    entry_points: Iterable[EntryPoint],
    compose_one: Callable[[Tree, str, str, tuple[str, ...]], Base | Refusal] = compose_at,
) -> tuple[list[BundledBase], list[str]]:
    """The base of every config of the entry points, for each choice of the framework's variants.

    The second list has a sentence for each that does not compose.  ``compose_one`` may take them from a cache.
    """
    bases: list[BundledBase] = []
    problems: list[str] = []
    for folder in sorted({entry.config_dir for entry in entry_points}):
        for name in primary_names(tree, folder):
            base = compose_one(tree, folder, name, ())
            if isinstance(base, Refusal):
                problems.append(f"{folder}/{name}.yaml does not compose: {base.message}")
                continue
            bases.append(BundledBase(folder, name, (), base))
            for choices in _variants(framework, name, base):
                groups = tuple(f"{group}={choice}" for group, choice in choices)
                other = compose_one(tree, folder, name, groups)
                if isinstance(other, Base):
                    bases.append(BundledBase(folder, name, tuple(sorted(choices)), other))
    return bases, problems


def _variants(framework: Framework, name: str, base: Base) -> Iterator[list[tuple[str, str]]]:
    for groups in framework.variants:
        if not all(group in base.groups and group in base.options for group in groups):
            continue
        common = set(base.options[groups[0]]).intersection(*(base.options[group] for group in groups))
        if any(choice in name for choice in common):
            continue
        for choice in sorted(common):
            if any(base.groups[group] != choice for group in groups):
                yield [(group, choice) for group in groups]
