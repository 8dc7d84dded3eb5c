"""What ``check`` is asked to do: its options, and behind them the configuration."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass

from reviewbot.checks.model import Severity
from reviewbot.commands.inputs import RECIPE_GLOBS
from reviewbot.commands.output import note
from reviewbot.settings.kinds import LEVELS
from reviewbot.settings.model import Settings


@dataclass(frozen=True)
class Wish:
    """What is reviewed, what is said, and what fails."""

    globs: tuple[str, ...]
    exclude: tuple[str, ...]
    shown: Severity
    """The least severity that is shown: what fails a run is never hidden."""
    fails: Severity | None
    """The least severity that fails; None: none does."""
    quiet: bool

    def note(self, sentence: str) -> None:
        """One line on standard error, unless notes are not wanted."""
        if not self.quiet:
            note(sentence)


def wish_of(options: Namespace, settings: Settings) -> Wish:
    """Options win over the configuration."""
    shown = LEVELS[options.min_severity] if options.min_severity is not None else settings.shown_from
    level = options.fail_level or settings.fail_level
    fails = shown if level is None else LEVELS.get(level)
    return Wish(
        tuple(options.include or settings.paths or RECIPE_GLOBS),
        (*settings.exclude, *(options.exclude or ())),
        shown if fails is None else min(shown, fails),
        fails,
        options.quiet,
    )
