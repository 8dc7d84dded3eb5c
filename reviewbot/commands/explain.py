"""``reviewbot explain``: what is known about a check, a rule or a config key."""

from __future__ import annotations

import sys
from argparse import Namespace

from reviewbot.commands.configuration import settings_for
from reviewbot.commands.inputs import working_root
from reviewbot.commands.knowledge import knowledge_for
from reviewbot.commands.output import colour_wanted, write_report
from reviewbot.errors import ExitCode
from reviewbot.explain.subject import explain
from reviewbot.language import speaking
from reviewbot.report.explain_json import explanation_json
from reviewbot.report.explain_text import explanation_text


def run(options: Namespace) -> int:
    """Print the explanation; returns the exit code.  Raises InputError for a name that nothing has."""
    root = working_root()
    settings = settings_for(options, root)
    with speaking(options.lang or settings.language):
        found = explain(options.name, knowledge_for(options, root, settings))
        if options.format == "json":
            write_report(None, explanation_json(found))
        else:
            write_report(None, explanation_text(found, colour=colour_wanted(sys.stdout)))
    return ExitCode.OK
