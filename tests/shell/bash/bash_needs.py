"""What a script must be given before it reaches its launch: variables and positional arguments."""

from __future__ import annotations

import re
from dataclasses import replace

from bash_compare import launches_under_bash
from bash_recorder import Given, Recorder, Run

ATTEMPTS = 8
MOST_ARGUMENTS = 4
FILLER = "2"
"""A value that does as a number, a name and a path."""


def run_with_needs(recorder: Recorder, script: str, given: Given) -> tuple[Run, Given]:
    """Run a script, and again with whatever it says that it lacks; the last run, and what it was given."""
    run = recorder.run(script, given)
    for _ in range(ATTEMPTS):
        more = _more(run, given)
        if more is None:
            break
        run, given = recorder.run(script, more), more
    return run, given


def _more(run: Run, given: Given) -> Given | None:
    """What the script was given and, in addition, what its error message names."""
    name = _demanded(run)
    if name is not None and not name.isdigit() and name not in given.env:
        return replace(given, env={**given.env, name: FILLER})
    if run.status in (0, None) or launches_under_bash(run) or len(given.arguments) == MOST_ARGUMENTS:
        return None
    return replace(given, arguments=(*given.arguments, FILLER))


def _demanded(run: Run) -> str | None:
    """The variable (or the number of the positional argument) whose absence ended the run."""
    found = re.findall(r": line \d+: !?(\w+): (?!command not found|syntax error)", run.errors)
    names = [name for name in found if re.fullmatch(r"[A-Za-z_]\w*|[1-9]", name)]
    return names[-1] if names and run.status else None
