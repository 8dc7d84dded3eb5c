"""What ``--fix`` did: each fix in a sentence, the change as a unified diff, and how many there were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reviewbot.checks.model import Finding
from reviewbot.checks.wording import plural
from reviewbot.diff.render import file_patch
from reviewbot.language import say
from reviewbot.report.terminal import Paint, printable
from reviewbot.text import SourceText

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True)
class Applied:
    """A file with fixes: written, or not, and then why."""

    before: SourceText
    after: SourceText
    fixed: tuple[Finding, ...]
    refused: str = ""
    """The end of a sentence that starts with the path; empty where the file was written."""


def fix_report(applied: Sequence[Applied], *, colour: bool = False) -> str:
    """The fixes as text, with a line end."""
    paint = Paint(colour)
    lines = [line for file in applied for line in _file(file, paint)]
    return "\n".join([*lines, _summary(applied)]) + "\n"


def _file(file: Applied, paint: Paint) -> Iterator[str]:
    path = printable(file.before.path)
    if file.refused:
        yield say("{path}: not fixed: it {refused}", path=path, refused=printable(file.refused))
    for finding in file.fixed:
        sentence = printable(finding.fix.description) if finding.fix is not None else ""
        word = say("would fix") if file.refused else say("fixed")
        yield f"{path}:{finding.span.line}: {word} {finding.check}: {sentence}"
    if not file.refused:
        yield paint("bold", f"--- a/{path}")
        yield paint("bold", f"+++ b/{path}")
        for line in file_patch(file.before, file.after).split("\n")[:-1]:
            yield paint(_COLOURS.get(line[:1], ""), printable(line.removesuffix("\r")))
        yield ""


def _summary(applied: Sequence[Applied]) -> str:
    written = [file for file in applied if not file.refused]
    if not applied:
        return say("Nothing to fix.")
    findings = sum(len(file.fixed) for file in written)
    refused = len(applied) - len(written)
    rest = say(", {count} left alone", count=plural(refused, "file")) if refused else ""
    return say(
        "Fixed {count} in {count2}{rest}.",
        count=plural(findings, "finding"),
        count2=plural(len(written), "file"),
        rest=rest,
    )
