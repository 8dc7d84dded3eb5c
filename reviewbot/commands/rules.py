"""``reviewbot rules``: make and check the knowledge base."""

from __future__ import annotations

from argparse import Namespace

from reviewbot.commands.output import write_report
from reviewbot.errors import ExitCode
from reviewbot.knowledge.commands import extract_facts


def run(options: Namespace) -> int:
    """Run the action; returns the exit code.  Raises InputError for a source that is of no use."""
    write_report(options.output, extract_facts(options.source, options.version))
    return ExitCode.OK
