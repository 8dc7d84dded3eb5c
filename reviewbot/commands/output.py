"""Where output goes: findings on standard output or into a file, the rest on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from reviewbot.errors import InputError
from reviewbot.report.terminal import printable


def write_report(path: str | None, text: str) -> None:
    """Write to a file, or to standard output; raises InputError where the file cannot be written."""
    if path is None:
        _print(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(
            f"{path}: the report cannot be written ({error.strerror or 'unknown error'})"
        ) from error


def _print(text: str) -> None:
    if sys.stdout is None:
        raise InputError("standard output is closed, so the report cannot be written; give --output FILE")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is flushed at exit
        raise InputError(
            f"the report cannot be written to standard output ({error.strerror or 'unknown error'})"
        ) from error


def note(sentence: str) -> None:
    """One line on standard error."""
    print(f"reviewbot: {printable(sentence)}", file=sys.stderr)


def colour_wanted(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that wants colour: ``NO_COLOR`` and ``TERM=dumb`` say no."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream is not None and stream.isatty()


def declared(pairs: Sequence[str] | None) -> dict[str, str]:
    """``NAME=VALUE`` texts of ``--env`` as a mapping; raises InputError for what is none."""
    result = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"--env {pair}: give NAME=VALUE, such as --env NNODES=2")
        result[name] = value
    return result
