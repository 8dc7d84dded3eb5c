"""The baseline: findings that are known and not said again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from reviewbot.checks.model import Finding
from reviewbot.errors import InputError
from reviewbot.review.review import FileReview

VERSION = 1
MAX_CHARACTERS = 32_000_000
_NAMES = ("fingerprint", "path", "line", "check", "key")


@dataclass(frozen=True)
class Baseline:
    """Known findings, by fingerprint."""

    entries: Mapping[str, Mapping[str, str | int]]

    def hide(self, file: FileReview) -> FileReview:
        """A file's review without the findings that are known."""
        new = tuple(finding for finding in file.findings if finding.fingerprint not in self.entries)
        return replace(file, findings=new, known=len(file.findings) - len(new))

    def gone(self, files: Iterable[FileReview], there: Iterable[str]) -> Baseline:
        """The entries that are found no more.

        ``files`` are reviews of whole files, with all their findings; ``there`` the paths of entries whose files
        still exist.  An entry of a file that was not reviewed is not gone as long as the file is there.
        """
        reviewed = {file.path for file in files if file.status != "skipped"}
        found = {finding.fingerprint for file in files for finding in file.findings}
        kept = set(there) - reviewed
        return Baseline(
            {
                name: entry
                for name, entry in self.entries.items()
                if name not in found and entry["path"] not in kept
            }
        )

    def without(self, other: Baseline) -> Baseline:
        """The entries that another one does not have."""
        return Baseline({name: entry for name, entry in self.entries.items() if name not in other.entries})

    @property
    def paths(self) -> frozenset[str]:
        """The files that the entries speak of."""
        return frozenset(str(entry["path"]) for entry in self.entries.values())


def baseline_of(findings: Iterable[Finding]) -> Baseline:
    """A baseline of these findings."""
    return Baseline(
        {
            finding.fingerprint: {
                "fingerprint": finding.fingerprint,
                "path": finding.span.path,
                "line": finding.span.line,
                "check": finding.check,
                "key": finding.key,
            }
            for finding in findings
        }
    )


def baseline_text(baseline: Baseline) -> str:
    """The text of a baseline's file: JSON, one line an entry, so that a diff of it can be read."""
    ordered = sorted(
        baseline.entries.values(), key=lambda entry: (entry["path"], entry["line"], entry["fingerprint"])
    )
    lines = ",\n".join("    " + json.dumps(entry) for entry in ordered)
    return f'{{\n  "version": {VERSION},\n  "findings": [\n{lines}\n  ]\n}}\n'


def read_baseline(text: str, path: str) -> Baseline:
    """The baseline that a file holds; ``path`` is what errors call it.  Raises InputError."""
    advice = "make it again with --write-baseline"
    try:
        data = json.loads(text) if len(text) <= MAX_CHARACTERS else None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: the baseline is not JSON; {advice}") from error
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise InputError(f"{path}: it is no baseline of version {VERSION}; {advice}")
    entries: dict[str, Mapping[str, str | int]] = {}
    items = data.get("findings")
    for number, item in enumerate(items if isinstance(items, list) else [None], start=1):
        if not isinstance(item, dict) or not all(isinstance(item.get(name), (str, int)) for name in _NAMES):
            raise InputError(
                f"{path}: entry {number} of the baseline lacks one of {', '.join(_NAMES)}; {advice}"
            )
        entries[str(item["fingerprint"])] = {name: item[name] for name in _NAMES}
    return Baseline(entries)
