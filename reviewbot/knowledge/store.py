"""Knowledge: what reviews ask about a framework, from a source tree at hand or from the bundled facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from reviewbot.errors import InputError
from reviewbot.knowledge.cache import Cache, default_folder
from reviewbot.knowledge.detect import detect_release, submodules
from reviewbot.knowledge.facts import read_facts
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.interface import Knowledge
from reviewbot.knowledge.paths import rules_folder
from reviewbot.knowledge.rules import Rule, load_rules
from reviewbot.knowledge.verl import VERL
from reviewbot.tree import SubTree, Tree

FRAMEWORKS: tuple[Framework, ...] = (VERL,)

__all__ = [
    "FRAMEWORKS",
    "Knowledge",
    "bundled_versions",
    "framework_of",
    "holds_framework",
    "open_knowledge",
    "open_knowledge_of",
    "rules_of",
]


def open_knowledge(
    *,
    source: Tree | None,
    source_name: str,
    version: str | None,
    cache: Cache | None = None,
    engines: Mapping[str, str] | None = None,
) -> Knowledge:
    """The knowledge to review with.

    ``source`` is a tree that holds a framework's source; ``source_name`` its label in reports (a commit, a
    folder).  Without it the bundled facts of ``version`` are used, or of the newest release.  ``engines`` names the
    releases of engines that launches run with.

    Raises InputError for a source that holds no framework, and for a version that is not bundled.
    """
    knowledge = _opened(source, source_name, version, cache)
    knowledge.engine_versions = dict(engines or {})
    return knowledge


def open_knowledge_of(
    repository: Tree, name: str, *, version: str | None, engines: Mapping[str, str] | None = None
) -> Knowledge:
    """The knowledge that a repository's recipes run against.

    Bundled facts of ``version`` where it is asked for; else the repository's own source, labelled ``name``; else that
    of its submodule; else the bundled facts of the release that its lock file or requirements name; else those of
    the newest release.

    Raises InputError for a version that is not bundled.
    """
    if version is not None:
        return open_knowledge(source=None, source_name="", version=version, engines=engines)
    if holds_framework(repository):
        return open_knowledge(source=repository, source_name=name, version=None, engines=engines)
    for folder in submodules(repository):
        if holds_framework(SubTree(repository, folder)):
            knowledge = open_knowledge(
                source=SubTree(repository, folder), source_name=folder, version=None, engines=engines
            )
            knowledge.submodule = True
            return knowledge
    detected = detect_release(repository, FRAMEWORKS[0].name, bundled_versions(FRAMEWORKS[0]))
    if detected is None:
        return open_knowledge(source=None, source_name="", version=None, engines=engines)
    knowledge = open_knowledge(source=None, source_name="", version=detected.release, engines=engines)
    knowledge.named_at = detected.asked.place
    knowledge.notice = detected.problem
    return knowledge


def _opened(source: Tree | None, source_name: str, version: str | None, cache: Cache | None) -> Knowledge:
    if source is not None:
        framework = framework_of(source)
        if framework is None:
            names = " or ".join(item.name for item in FRAMEWORKS)
            raise InputError(
                f"{source_name or 'the source'} does not hold the source of {names}: there is none of "
                + ", ".join(mark for item in FRAMEWORKS for mark in item.marks)
            )
        from reviewbot.knowledge.live import LiveKnowledge

        return LiveKnowledge(
            framework, source, source_name, Cache(default_folder()) if cache is None else cache
        )
    return _bundled(FRAMEWORKS[0], version, cache)


def framework_of(tree: Tree) -> Framework | None:
    """The framework whose source a tree holds."""
    return next((framework for framework in FRAMEWORKS if framework.held_by(tree)), None)


def holds_framework(tree: Tree) -> bool:
    """Whether a tree holds the source of a framework."""
    return framework_of(tree) is not None


def rules_of(framework: Framework) -> tuple[Rule, ...]:
    """The curated rules of a framework."""
    return load_rules(rules_folder() / framework.name)


def bundled_versions(framework: Framework) -> list[str]:
    """The releases that facts are bundled for, oldest first."""
    folder = _facts_folder(framework)
    return sorted((path.stem for path in folder.glob("*.json")), key=_order)


def _bundled(framework: Framework, version: str | None, cache: Cache | None) -> Knowledge:
    from reviewbot.knowledge.bundled import BundledKnowledge

    versions = bundled_versions(framework)
    if not versions:
        raise InputError(f"No facts about {framework.name} are bundled: give its source with --source")
    chosen = versions[-1] if version is None else version.removeprefix("v")
    chosen = next((item for item in versions if _order(item)[0] == _padded(chosen)), chosen)
    if chosen not in versions:
        raise InputError(_unknown(framework, chosen, versions))
    path = _facts_folder(framework) / f"{chosen}.json"
    facts = read_facts(path.read_text(encoding="utf-8"), path.name)
    return BundledKnowledge(framework, facts, Cache(default_folder()) if cache is None else cache)


def _unknown(framework: Framework, version: str, versions: Sequence[str]) -> str:
    nearest = _nearest(version, versions)
    return (
        f"No facts about {framework.name} {version} are bundled; there are {', '.join(versions)} "
        f"(nearest: {nearest}); for any other version give the source with --source"
    )


def _nearest(version: str, versions: Sequence[str]) -> str:
    """The newest release that is not newer than the one asked for; else what looks most like it."""
    if re.fullmatch(r"\d+(\.\d+)*", version):
        older = [candidate for candidate in versions if _order(candidate) <= _order(version)]
        return older[-1] if older else versions[0]
    close = get_close_matches(version, versions, 1)
    return close[0] if close else versions[-1]


def _padded(version: str) -> tuple[int, ...] | None:
    """``0.9`` as the numbers of ``0.9.0``; None for what is no plain release."""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9}){0,2}", version):
        return None
    numbers = tuple(map(int, version.split(".")))
    return numbers + (0,) * (3 - len(numbers))


def _order(version: str) -> tuple[tuple[int, ...], str]:
    return tuple(int(number) for number in re.findall(r"\d+", version)), version


def _facts_folder(framework: Framework) -> Path:
    return rules_folder() / framework.name / "facts"
