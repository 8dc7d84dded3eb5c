"""``unused-suppression``: a comment that is to silence findings silences none.

``# reviewbot: ignore[check, rule] reason`` silences the findings of these checks and rules on the command, assignment
or array elements that begin on the line below it, or on its own line where it stands behind code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.wording import code
from reviewbot.language import say
from reviewbot.shell.comments import Comment, read_comments
from reviewbot.text import SourceText

ID = "unused-suppression"
_MARK = re.compile(r"#\s*reviewbot\s*:\s*ignore\b", re.IGNORECASE)
_WHOLE = re.compile(r"#\s*reviewbot\s*:\s*ignore\s*\[([^\[\]]*)\](.*)", re.IGNORECASE)
_FORM = "# reviewbot: ignore[check] reason"


@dataclass(frozen=True)
class Silenced:
    """Findings, and those that a comment silences."""

    kept: tuple[Finding, ...]
    suppressed: tuple[Finding, ...] = ()


@dataclass
class _Suppression:
    comment: Comment
    names: tuple[str, ...]
    """Empty where the comment is not written as it must be."""
    used: set[str] = field(default_factory=set)

    def covers(self, finding: Finding) -> bool:
        """Whether it silences a finding; notes which of its names does."""
        name = next((item for item in self.names if item in (finding.check, finding.rule)), None)
        if name is None or finding.span.line not in self.comment.lines:
            return False
        self.used.add(name)
        return True


def silenced(source: SourceText, findings: tuple[Finding, ...], known: Sequence[str]) -> Silenced:
    """Take away what comments of ``source`` silence, and report those that silence nothing.

    ``known`` are the names of all checks and rules.
    """
    if "reviewbot" not in source.text.lower():
        return Silenced(findings)
    suppressions = [
        _Suppression(comment, _names(comment.text))
        for comment in read_comments(source)
        if _MARK.match(comment.text)
    ]
    kept: list[Finding] = []
    suppressed: list[Finding] = []
    for finding in findings:
        covering = [
            item for item in suppressions if finding.span.path == source.path and item.covers(finding)
        ]
        (suppressed if covering else kept).append(finding)
    kept += [found for item in suppressions for found in _unused(source, item, known)]
    return Silenced(
        tuple(sorted(kept, key=lambda finding: (finding.span, finding.check, finding.key))), tuple(suppressed)
    )


def _names(text: str) -> tuple[str, ...]:
    match = _WHOLE.match(text)
    return tuple(filter(None, (name.strip() for name in match[1].split(",")))) if match is not None else ()


def _unused(source: SourceText, item: _Suppression, known: Sequence[str]) -> Iterator[Finding]:
    idle = [name for name in item.names if name not in item.used]
    if item.names and not idle:
        return
    span = item.comment.span
    whole = len(idle) == len(item.names)
    yield Finding(
        check=ID,
        severity=Severity.MEDIUM,
        span=span,
        key=", ".join(idle) or "ignore",
        value=item.comment.text,
        message=_message(item, idle, known),
        intent=_deletion(source, item.comment) if whole and item.names and not _slips(idle, known) else None,
    )


def _slips(names: list[str], known: Sequence[str]) -> bool:
    """Whether one of the names is misspelt: to delete the comment would lose what it was meant to silence."""
    return any(name not in known and get_close_matches(name, known, 1) for name in names)


def _message(item: _Suppression, idle: list[str], known: Sequence[str]) -> str:
    if not item.names:
        return say("This comment silences nothing: write it as {form}.", form=code(_FORM))
    strange = next((name for name in idle if name not in known), None)
    if strange is not None:
        near = get_close_matches(strange, known, 1)
        hint = say("; did you mean {name}?", name=code(near[0])) if near else "."
        return say("There is no check or rule {name}{hint}", name=code(strange), hint=hint)
    names = say(" or ").join(map(code, idle))
    if not item.comment.lines:
        return say(
            "Below this comment begins no command, assignment or array element, so it silences no {names}. "
            "Write it on the line above one, or behind one.",
            names=names,
        )
    return say("This comment silences nothing: {names} finds nothing here. Delete it.", names=names)


def _deletion(source: SourceText, comment: Comment) -> Intent | None:
    line = comment.span.line
    if source.line(line)[: comment.span.column - 1].strip():
        return None
    return Intent(
        say("Delete the comment on line {line}", line=line), delete_lines=((line, comment.span.end_line),)
    )
