"""Draw findings of a checkout at random, to be judged by a person who reads the source.

    python acceptance/sample_findings.py CHECKOUT… [--count 200] [--alike 3] [--seed N] [--list FILE]

At medium and above, all lines, at most ``--alike`` for one check, key and evidence over all checkouts; those of the
first checkout are drawn first, the others fill up the number.  A checkout is called by its folder's name.  The list
is written anew: verdicts (``right``, ``wrong``) and reasons of findings that are in it already are kept.  Prints how
many are judged and how many of those are right; exit code 1 where any is wrong or not judged.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from reviewbot.checks.model import Finding
from reviewbot.knowledge.store import open_knowledge
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree


def main() -> int:
    options = _options()
    found = [(checkout.name, _findings(checkout)) for checkout in options.checkouts]
    drawn = _drawn(found, options.count, options.alike, options.seed)
    known = {_identity(row): row for row in _read(options.list)}
    rows = [_row(checkout, finding) for checkout, finding in drawn]
    for row in rows:
        held = known.get(_identity(row), {})
        row["verdict"], row["reason"] = held.get("verdict", ""), held.get("reason", "")
    options.list.write_text(
        yaml.safe_dump(rows, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8"
    )
    counts = Counter(row["verdict"] or "open" for row in rows)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 0 if set(counts) <= {"right"} else 1


def _findings(checkout: Path) -> list[Finding]:
    tree = DirectoryTree(checkout)
    knowledge = open_knowledge(source=tree, source_name=checkout.name, version=None)
    reviewer = Reviewer(knowledge, tree.read)
    found: list[Finding] = []
    for path in tree.files():
        text = tree.read(path) if path.endswith(".sh") else None
        if text is not None:
            found += reviewer.whole(SourceText(path, text)).findings
    return found


def _drawn(
    found: list[tuple[str, list[Finding]]], count: int, alike: int, seed: int
) -> list[tuple[str, Finding]]:
    seen: Counter[tuple[object, ...]] = Counter()
    drawn: list[tuple[str, Finding]] = []
    for checkout, findings in found:
        shuffled = sorted(findings, key=lambda finding: (finding.span, finding.check, finding.key))
        random.Random(seed).shuffle(shuffled)
        for finding in shuffled:
            places = tuple((item.path, item.symbol) for item in finding.evidence)
            kind = (finding.check, finding.rule, finding.key, places)
            seen[kind] += 1
            if seen[kind] <= alike and len(drawn) < count:
                drawn.append((checkout, finding))
    order = {checkout: place for place, (checkout, _) in enumerate(found)}
    return sorted(drawn, key=lambda item: (order[item[0]], item[1].check, item[1].key, item[1].span))


def _row(checkout: str, finding: Finding) -> dict[str, Any]:
    return {
        "checkout": checkout,
        "check": finding.check,
        "rule": finding.rule,
        "severity": finding.severity.word,
        "confidence": finding.confidence,
        "path": finding.span.path,
        "line": finding.span.line,
        "key": finding.key,
        "value": finding.value,
        "message": finding.message,
        "fix": finding.fix.description if finding.fix is not None else "",
    }


def _identity(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        row[name]
        for name in (
            "checkout",
            "check",
            "rule",
            "severity",
            "path",
            "line",
            "key",
            "value",
            "message",
            "fix",
        )
    )


def _read(path: Path) -> list[dict[str, Any]]:
    return yaml.safe_load(path.read_text(encoding="utf-8")) or [] if path.is_file() else []


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--alike", type=int, default=3)
    parser.add_argument("--seed", type=int, default=20261201)
    parser.add_argument("--list", type=Path, default=Path(__file__).with_name("precision.yaml"))
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
