"""Compares reviewbot with real bash on any folders of scripts.

    python acceptance/compare_bash.py DIR… [--table FILE] [--only TEXT] [--verbose]

Each script below a folder is run in a sandbox (bubblewrap; see ``tests/shell/bash/bash_recorder.py``) from
the folder, and read by reviewbot; both are told HOME, PWD, USER and what the table gives.  The table is YAML:
path of a script, relative to its folder → ``{env: {NAME: value}, arguments: [word, …]}``; what a script still
lacks is found from messages of bash.  Prints everything wrong, and a line of counts for each folder; exits 1
when anything is wrong, 2 when the sandbox cannot be had.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).parent
COLUMNS = (
    *("scripts", "reached", "launches", "words", "equal", "unknown_env", "unknown_other"),
    *("variables", "variables_unknown", "elsewhere", "wrong"),
)


def main() -> int:
    """Compare every folder; the exit code."""
    sys.path[:0] = [str(HERE.parent / "tests" / "shell" / "bash")]
    from bash_folders import check_sandbox, compare_folder, read_table
    from bash_recorder import MissingProgramError

    options = _options()
    table = read_table(options.table)
    try:
        check_sandbox()
    except MissingProgramError as error:
        print(f"compare_bash: {error}", file=sys.stderr)
        return 2
    wrong = 0
    for folder in options.folders:
        counts = compare_folder(folder, table, only=options.only, verbose=options.verbose)
        figures = (f"{column} {getattr(counts, column)}" for column in COLUMNS)
        print(folder.resolve().name, *figures, sep="  ", flush=True)
        wrong += counts.wrong
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare reviewbot with real bash on folders of scripts.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--table", type=Path, default=HERE / "compare_bash.yaml")
    parser.add_argument("--only", default="", help="only scripts whose path holds this text")
    parser.add_argument("--verbose", action="store_true", help="show unknown words, too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
