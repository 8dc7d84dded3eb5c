"""Compositions, kept by the content of the config folders that they were made from."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.config.model import Base, Refusal
from reviewbot.config.search import packages_of, search_path
from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.config_trees import compose_at
from reviewbot.knowledge.nodes import NodeReader, NodeWriter
from reviewbot.tree import Tree


def cached_base(
    cache: Cache, tree: Tree, config_dir: str, config_name: str, groups: tuple[str, ...]
) -> Base | Refusal:
    """As :func:`compose_at`; a composition of the same files is taken from the cache."""
    search = search_path(tree, config_dir, config_name, packages_of(tree), groups)
    if isinstance(search, Refusal):
        return search
    parts = [config_dir, config_name, *groups, "", *_contents(tree, [config_dir, *search])]
    stored = cache.get("base", parts)
    base = None if stored is None else _decoded(stored)
    if base is None:
        base = compose_at(tree, config_dir, config_name, groups)
        cache.put("base", parts, _encoded(base))
    return base


def _contents(tree: Tree, folders: list[str]) -> Iterator[str]:
    for folder in folders:
        yield folder
        for path in tree.files(folder):
            if path.endswith((".yaml", ".yml")):
                yield path
                yield tree.read(path) or ""


def _encoded(base: Base | Refusal) -> dict[str, object]:
    if isinstance(base, Refusal):
        return {"kind": base.kind, "message": base.message, "about": base.about}
    nodes = NodeWriter()
    tree = nodes.add(base.tree)
    return {
        "tree": tree,
        "hydra": nodes.add(base.hydra),
        "nodes": nodes.nodes,
        "name": base.config_name,
        "groups": dict(base.groups),
        "options": {group: list(names) for group, names in base.options.items()},
        "origin": base.origin,
    }


def _decoded(stored: dict[str, object]) -> Base | Refusal | None:
    """The value of an entry; None where it is none."""
    try:
        return _read(stored)
    except (TypeError, KeyError, AttributeError, RecursionError):
        return None


def _read(stored: dict[str, object]) -> Base | Refusal:
    if "kind" in stored:
        return Refusal(None, str(stored["kind"]), str(stored["message"]), str(stored["about"]))
    nodes, groups, options = stored["nodes"], stored["groups"], stored["options"]
    if not isinstance(nodes, dict) or not isinstance(groups, dict) or not isinstance(options, dict):
        raise TypeError("not a base")
    reader = NodeReader(nodes)
    return Base(
        tree=reader.tree(stored["tree"]),
        config_name=str(stored["name"]),
        groups=groups,
        options={group: tuple(names) for group, names in options.items()},
        origin=str(stored["origin"]),
        hydra=reader.tree(stored["hydra"]),
    )
