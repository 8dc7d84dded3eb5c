"""Compare what is read out of a verl checkout with what a person found out: ``reads.yaml``.

    python acceptance/check_reads.py --source DIR [--list]

``wrong`` is a claim that contradicts the person, ``open`` a key that is left undecided.  ``--list`` prints every key
that is claimed to be dead at the default choices.  Exit code 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import yaml

from reviewbot.knowledge.reads.model import CHECKED, FED, READ, UNREAD, Usage
from reviewbot.knowledge.reads.usage import read_usage
from reviewbot.knowledge.store import FRAMEWORKS
from reviewbot.tree import DirectoryTree

_DEAD = (UNREAD, FED, CHECKED)


def main() -> int:
    options = _options()
    started = time.process_time()
    usage = read_usage(DirectoryTree(options.source), FRAMEWORKS[0])
    print(f"{sum(len(entry.keys) for entry in usage.entries)} keys in {time.process_time() - started:.1f} s")
    rows = yaml.safe_load(Path(__file__).with_name("reads.yaml").read_text(encoding="utf-8"))
    right, undecided, wrong = 0, 0, 0
    for row in rows:
        for wanted in ("dead", "read"):
            for name in row[wanted]:
                key = "actor_rollout_ref" + name[1:] if name.startswith("P.") else name
                outcome, verdict = _judged(usage, row, key, wanted)
                right, undecided, wrong = (
                    right + (outcome == "right"),
                    undecided + (outcome == "open"),
                    wrong + (outcome == "wrong"),
                )
                if outcome != "right":
                    print(f"{outcome}: {row['entry']} {row['given']} {key}: {verdict}, not {wanted}")
    print(f"{right} right, {undecided} open, {wrong} wrong")
    if options.list:
        _list(usage)
    return 1 if wrong else 0


def _judged(usage: Usage, row: dict[str, Any], key: str, wanted: str) -> tuple[str, str]:
    entry = next(item for item in usage.entries if item.module == row["entry"])
    verdict = entry.verdict(key, row["given"])
    if verdict == READ:
        return ("right" if wanted == "read" else "wrong"), verdict
    if verdict in _DEAD:
        return ("right" if wanted == "dead" else "wrong"), verdict
    return "open", verdict


def _list(usage: Usage) -> None:
    for entry in usage.entries:
        for use in entry.keys:
            if use.verdict in _DEAD:
                where = (f"{site.path}:{site.line}" for site in use.sites)
                print(entry.module, use.key, use.verdict, *where, *use.into)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
