"""All facts of a source tree."""

from __future__ import annotations

from reviewbot.knowledge.config_classes import read_config_classes, targets_in
from reviewbot.knowledge.config_trees import compose_bases, config_folders, read_config_files
from reviewbot.knowledge.entry_points import modules_of
from reviewbot.knowledge.environment.read import read_environment
from reviewbot.knowledge.environment.requirements import read_requirements
from reviewbot.knowledge.facts import Facts, make_facts
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.paths import rules_folder
from reviewbot.knowledge.reads.usage import read_usage
from reviewbot.knowledge.rule_evidence import evidence_line
from reviewbot.knowledge.rules import load_rules
from reviewbot.knowledge.source import Sources
from reviewbot.knowledge.traces import traces_of
from reviewbot.knowledge.validators import read_validators
from reviewbot.tree import Tree


def rule_lines(sources: Sources, framework: Framework) -> dict[str, int]:
    """The lines of the rules whose evidence stands in a source, by rule."""
    lines = {
        rule.id: evidence_line(sources, rule)
        for rule in load_rules(rules_folder() / framework.name)
        if rule.basis == "evidence"
    }
    return {rule: line for rule, line in lines.items() if line is not None}


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
    environment = read_environment(tree, framework)
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
        rule_lines=rule_lines(sources, framework),
        environment=environment,
        requirements=read_requirements(tree, framework.package, version),
        problems=[
            *sources.problems,
            *unreadable,
            *uncomposed,
            *usage.problems,
            *environment.problems,
        ],
    )
