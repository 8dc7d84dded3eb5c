"""How far long work has come: one line on a terminal that is written over, and nothing anywhere else."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from reviewbot.report.terminal import printable, width

Item = TypeVar("Item")
_FIRST_AFTER = 0.5
"""Seconds: shorter work shows nothing."""
_EVERY = 0.1
_CLEAR = "\r\x1b[K"


def progress(items: Sequence[Item], names: Sequence[str], *, quiet: bool = False) -> Iterator[Item]:
    """The items, one after the other, with the name of the one at work shown on standard error.

    Nothing is shown with ``quiet``, in CI, or where standard error is no terminal.
    """
    if quiet or not _is_wanted():
        yield from items
        return
    started = last = time.monotonic()
    drawn = False
    try:
        for number, (item, name) in enumerate(zip(items, names, strict=True), start=1):
            now = time.monotonic()
            if now - started >= _FIRST_AFTER and (not drawn or now - last >= _EVERY):
                _draw(f"{number}/{len(items)} {name}")
                last, drawn = now, True
            yield item
    finally:
        if drawn:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


@contextmanager
def working_on(what: str) -> Iterator[None]:
    """One line that says what is being done within a ``with`` block; it is gone afterwards."""
    wanted = _is_wanted()
    if wanted:
        _draw(what)
    try:
        yield
    finally:
        if wanted:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


def _is_wanted() -> bool:
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


def _draw(text: str) -> None:
    room = max(20, shutil.get_terminal_size().columns - 1)
    line = printable(f"reviewbot: {text}")
    while width(line) > room:
        line = line[:-1]
    sys.stderr.write(_CLEAR + line)
    sys.stderr.flush()
