"""Things in a script that do not do what they look like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reviewbot.shell.model import ShellProblem
from reviewbot.shell.state import Path
from reviewbot.shell.words import Refused

if TYPE_CHECKING:
    from reviewbot.shell.script import Parsed


def problems_in(parsed: Parsed, paths: Sequence[Path]) -> Iterator[ShellProblem]:
    """The problems of a script, from its commands and from the paths through it."""
    error = parsed.error
    if isinstance(error, Refused):
        span = parsed.code.span(error.offset, error.offset + 1) or paths[0].fallback
        yield ShellProblem("syntax", span, f"Bash refuses the script: {error.message}.")
