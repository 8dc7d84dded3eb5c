"""``reviewbot show``: what a script would run."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from reviewbot.commands.configuration import settings_for
from reviewbot.commands.inputs import Unreadable, load, relative_name, working_root
from reviewbot.commands.knowledge import knowledge_for
from reviewbot.commands.output import colour_wanted, declared, note, write_report
from reviewbot.errors import ExitCode, InputError
from reviewbot.language import say, speaking
from reviewbot.settings.model import Settings
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree


def run(options: Namespace) -> int:
    """Print the launches of a script; returns the exit code.

    Raises InputError for a script that cannot be read.
    """
    file = Path(options.script)
    if not file.is_file():
        raise InputError(f"{options.script}: there is no such file; name a shell script")
    root = working_root()
    source = load(file, relative_name(file, root))
    if isinstance(source, Unreadable):
        raise InputError(f"{options.script}: it {source.why}; name a shell script")
    settings = settings_for(options, root)
    env = {**settings.env, **declared(options.env)}
    with speaking(options.lang or settings.language):
        return _show(options, root, source, env, settings)


def _show(
    options: Namespace, root: Path, source: SourceText, env: Mapping[str, str], settings: Settings
) -> int:
    if options.format == "json":
        from reviewbot.report.show_report import launches_json
        from reviewbot.shell.script import read_script

        write_report(None, launches_json(read_script(source, env=env, read=DirectoryTree(root).read)))
        return ExitCode.OK
    from reviewbot.checks.recipe import read_recipe
    from reviewbot.report.show_report import recipe_text

    knowledge = knowledge_for(options, root, settings)
    recipe = read_recipe(source, knowledge, env=env, read=DirectoryTree(root).read)
    if not recipe.shell.launches:
        note(say("{path} starts no Python program", path=source.path))
    write_report(None, recipe_text(recipe, knowledge.source, colour=colour_wanted(sys.stdout)))
    return ExitCode.OK
