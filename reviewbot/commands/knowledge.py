"""Which knowledge a command uses."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from reviewbot.errors import InputError
from reviewbot.git import head_commit
from reviewbot.knowledge.environment.in_use import engine_versions
from reviewbot.knowledge.store import Knowledge, open_knowledge, open_knowledge_of
from reviewbot.settings.apply import add_rules
from reviewbot.settings.model import Settings
from reviewbot.tree import DirectoryTree


def knowledge_for(options: Namespace, root: Path, settings: Settings) -> Knowledge:
    """``--source``, else ``--verl``, else what is settled, else what the repository says; with the rules of the
    settled folders.

    Raises InputError where the source, the version or an engine's version is of no use, ConfigurationError for rules.
    """
    knowledge = _knowledge(options, root, settings)
    add_rules(knowledge, settings, DirectoryTree(root))
    return knowledge


def _knowledge(options: Namespace, root: Path, settings: Settings) -> Knowledge:
    engines = {**settings.engines, **engine_versions(options.engine or ())}
    version = options.verl or settings.framework_version
    if options.source is not None:
        if options.verl is not None:
            raise InputError("--source and --verl exclude each other: the source says which version it is")
        source = Path(options.source)
        if not source.is_dir():
            raise InputError(f"{options.source}: there is no such folder; --source takes a checkout of verl")
        return open_knowledge(
            source=DirectoryTree(source), source_name=_name(source), version=None, engines=engines
        )
    return open_knowledge_of(DirectoryTree(root), _name(root), version=version, engines=engines)


def _name(folder: Path) -> str:
    return head_commit(folder) or folder.resolve().name
