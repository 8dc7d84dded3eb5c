"""The program: one place where every error ends as one sentence and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0, 1, 2, 3 or 130."""
    _leave_current_folder()
    _mend_streams()
    from reviewbot.errors import ExitCode, ReviewbotError

    try:
        from reviewbot.cli import run

        return run(sys.argv[1:] if arguments is None else arguments)
    except ReviewbotError as error:
        _say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        _say("interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader has gone: keep Python from failing again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except Exception as error:  # the boundary: whatever it is, the user gets a sentence and a log
        _say(f"internal error ({type(error).__name__}); please report it with the log at {_log()}")
        return ExitCode.INTERNAL


def _leave_current_folder() -> None:
    """Take the current folder off ``sys.path``: a reviewed checkout may hold a ``yaml.py``."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH120, PTH100 - before pathlib loads
    try:
        current = os.getcwd()  # noqa: PTH109
    except OSError:  # it has been deleted
        current = ""
    sys.path[:] = [entry for entry in sys.path if entry not in ("", ".", current) or entry == here]


def _mend_streams() -> None:
    """What a stream's encoding lacks is written as ``\\u2026``; a closed standard error takes what is sent to it."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if sys.stderr is None:  # else print() would write to standard output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - it stays open


def _say(sentence: str) -> None:
    from reviewbot.report.terminal import printable

    print(f"reviewbot: {printable(sentence)}", file=sys.stderr)


def _log() -> str:
    """Write the traceback to a new file that only the user can read; returns its path."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="reviewbot-", suffix=".log", delete=False, encoding="utf-8"
    ) as file:
        file.write(f"python {sys.version}\n\n{traceback.format_exc()}")
    return file.name


if __name__ == "__main__":
    sys.exit(main())
