"""``reviewbot review``: review the pull request of the event, in a job of GitHub Actions."""

from __future__ import annotations

import logging
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial

from reviewbot.commands.inputs import RECIPE_GLOBS, is_recipe_name
from reviewbot.github.client import Client
from reviewbot.github.job import Run
from reviewbot.github.runner import Runner, this_runner
from reviewbot.github.transport import Pace, Transport


def run(options: Namespace, pace: Pace | None = None) -> int:
    """Read the event, review, publish; returns the exit code.

    Raises InputError outside of a job, GitHubError where GitHub cannot be read.
    """
    runner = this_runner()
    _log(runner)
    client = Client(Transport(runner.token, runner.api_url, pace or Pace()), runner.repository)
    return Run(runner, client, _is_recipe, bool(options.dry_run)).run()


def _is_recipe(globs: Sequence[str], exclude: Sequence[str]) -> Callable[[str], bool]:
    return partial(is_recipe_name, globs=tuple(globs) or RECIPE_GLOBS, exclude=tuple(exclude))


def _log(runner: Runner) -> None:
    """The log of this package on standard error: what is done, with ``RUNNER_DEBUG`` each request.

    No other package's log is shown, and no header or body is ever logged: the token is in none of it.
    """
    log = logging.getLogger("reviewbot.github")
    if log.handlers:
        return
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(_Inert("reviewbot: %(message)s"))
    log.addHandler(output)
    log.propagate = False
    log.setLevel(logging.DEBUG if runner.debug else logging.INFO)


class _Inert(logging.Formatter):
    """Lines that are no workflow command and hold no control character."""

    def format(self, record: logging.LogRecord) -> str:
        """See :class:`logging.Formatter`."""
        from reviewbot.github.runner import inert_line
        from reviewbot.report.terminal import printable

        return inert_line(printable(super().format(record)))
