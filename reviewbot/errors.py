"""Errors that a user may see: one sentence, and the exit code that goes with it."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the command line."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    INTERNAL = 3
    INTERRUPTED = 130


class ReviewbotError(Exception):
    """An expected failure.  ``str(error)`` is one sentence that names the input and the way out."""

    exit_code = ExitCode.USAGE


class InputError(ReviewbotError):
    """Something that was given cannot be read or understood: a path, a diff, a version, a source tree."""


class ConfigurationError(ReviewbotError):
    """A configuration file or a rule file of reviewbot itself is wrong."""
