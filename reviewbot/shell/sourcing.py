"""Builtins that run other text or programs: ``eval``, ``source``, ``exec``, ``command``."""

from __future__ import annotations

import re
from contextlib import suppress

from reviewbot.shell.calls import Call
from reviewbot.shell.expansion import runs_code
from reviewbot.shell.external import run_program
from reviewbot.shell.model import Known
from reviewbot.shell.scripts import located, place_of
from reviewbot.shell.state import MAX_CALLS, SUCCESS, Outcome, Return, Stop
from reviewbot.shell.values import Run, unknown


def run_eval(call: Call) -> Outcome:
    """``eval``"""
    shell = call.shell
    runs: list[Run] = []
    for field in call.words:
        runs.extend(((Run(" "),) if runs else ()) + tuple(field.runs))
    if any(run.text is None and (run.many or index == 0) for index, run in enumerate(runs)):
        shell.path.opaque = True
        return Outcome(None, Known.NO, rendered="eval")
    with shell.path.nested(MAX_CALLS):
        shell.run_code(runs_code(runs, shell.shell.script))
    return shell.shell.status


def source(call: Call) -> Outcome:
    """``source`` and ``.``"""
    shell, words = call.shell, call.words
    if not words:
        return Outcome(False, code=2)
    path = located(shell, words[0].runs)
    code = None if path is None else shell.path.files.code(path)
    if code is None:
        shell.path.opaque = True
        return Outcome(None, Known.NO, rendered="source " + (words[0].text or ""))
    state = shell.shell
    saved = state.positional, state.open_arguments, state.script
    if len(words) > 1:
        state.positional, state.open_arguments = [field.runs for field in words[1:]], False
    state.script = code.path
    try:
        with shell.path.nested(MAX_CALLS), suppress(Return):
            shell.run_code(code)
    finally:
        if len(words) > 1:
            state.positional, state.open_arguments = saved[:2]
        state.script = saved[2]
    return state.status


def run_exec(call: Call) -> Outcome:
    """``exec``: the script ends with the program."""
    words = call.words
    while words and (words[0].text or "").startswith("-"):
        words = words[2:] if words[0].text == "-a" else words[1:]
    if not words:
        return SUCCESS
    raise Stop(run_program(call.shell, call.command, words))


def cd(call: Call) -> Outcome:
    """``cd``, ``pushd`` and ``popd``: the folder is taken to be there."""
    words = [field for field in call.words if not re.fullmatch(r"--|-[LPe@]+", field.text or "x")]
    unclear = call.name == "popd" or not words or words[0].text == "-"
    folder = call.shell.shell.folder
    call.shell.shell.folder = None if unclear else place_of(words[0].runs, folder)
    return SUCCESS


def pwd(call: Call) -> Outcome:
    """``pwd``"""
    call.shell.write((unknown("$(pwd)", place=call.shell.shell.folder), Run("\n")))
    return SUCCESS
