"""All facts of a source tree."""

from __future__ import annotations

from reviewbot.knowledge.config_classes import read_config_classes, targets_in
from reviewbot.knowledge.config_trees import compose_bases, config_folders, read_config_files
from reviewbot.knowledge.entry_points import modules_of
from reviewbot.knowledge.facts import Facts, make_facts
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.reads.usage import read_usage
from reviewbot.knowledge.source import Sources
from reviewbot.knowledge.traces import traces_of
from reviewbot.knowledge.validators import read_validators
from reviewbot.tree import Tree


def extract(tree: Tree, framework: Framework, version: str) -> Facts:
    """Read a framework's source into facts; ``version`` is what they are labelled with."""
    sources = Sources(tree)
    modules = modules_of(sources, framework)
    traces = traces_of(sources, framework)
    files, unreadable = read_config_files(tree, config_folders(tree, modules.entry_points))
    targets = (target for file in files.values() for target in targets_in(file.data))
    classes = read_config_classes(sources, framework, targets)
    validators = read_validators(sources, framework, modules.entry_points)
    bases, uncomposed = compose_bases(tree, framework, modules.entry_points)
    usage = read_usage(tree, framework, bases)
    return make_facts(
        framework.name,
        version,
        entry_points=modules.entry_points,
        modules=modules.names,
        traces=traces,
        config_files=files,
        bases=bases,
        config_classes=classes,
        validators=validators,
        usage=usage,
        problems=[*sources.problems, *unreadable, *uncomposed, *usage.problems],
    )
