"""The report for people: findings by file, the written override underlined, fixes as small diffs."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.checks.model import Edit, Finding, Severity
from reviewbot.checks.wording import plural
from reviewbot.language import say
from reviewbot.report.model import Review
from reviewbot.report.terminal import Paint, printable, width
from reviewbot.report.words import confidence_word, counts_in_words, hidden_in_words, severity_word
from reviewbot.review.review import FileReview
from reviewbot.text import SourceText, Span

_COLOURS = {Severity.HIGH: "bold red", Severity.MEDIUM: "bold yellow", Severity.LOW: "bold blue"}
_MAX_LINE = 160


def text_report(review: Review, *, colour: bool = False) -> str:
    """The review as text, with a line end."""
    paint = Paint(colour)
    lines: list[str] = []
    for file in review.files:
        lines.extend(_file(file, paint))
    lines.append(_summary(review, paint))
    return "\n".join(lines) + "\n"


def _file(file: FileReview, paint: Paint) -> Iterator[str]:
    if not file.findings and file.status == "reviewed":
        return
    yield paint("bold", printable(file.path))
    if file.status != "reviewed":
        how = say("partly reviewed: ") if file.status == "partly" else say("skipped: ")
        yield paint("dim", f"  {how}") + printable(file.why)
    for finding in file.findings:
        yield ""
        yield from _finding(finding, file.source, paint)
    yield ""


def _finding(finding: Finding, source: SourceText | None, paint: Paint) -> Iterator[str]:
    span = finding.span
    title = f"{severity_word(finding.severity)}: {finding.check}"
    certainty = "" if finding.confidence == "certain" else f" ({confidence_word(finding.confidence)})"
    yield f"  {span.line}:{span.column} {paint(_COLOURS[finding.severity], title)}{certainty}"
    yield from wrapped(printable(finding.message), "    ", 100)
    if source is not None:
        yield from _excerpt(source, span, paint)
        for related, words in finding.related:
            if related.path == source.path:
                line = paint("dim", f"{related.line:>6} | ") + _clip(printable(source.line(related.line)))
                yield line + paint("dim", f"  <- {printable(words)}")
    for evidence in finding.evidence:
        where = f"{evidence.path}:{evidence.line}"
        yield paint("dim", "    " + say("evidence: ")) + printable(
            " ".join(filter(None, (where, evidence.symbol, f"({evidence.version})")))
        )
    if finding.fix is not None and source is not None:
        yield paint("dim", "    " + say("fix: ")) + printable(finding.fix.description)
        for edit in finding.fix.edits:
            yield from _edit(source, edit, paint)


def wrapped(text: str, indent: str, columns: int, hanging: str | None = None) -> Iterator[str]:
    """The text in lines of at most so many columns, broken at blanks; longer words stay whole.

    ``hanging`` is what lines after the first begin with, where that is not ``indent``.
    """
    start = line = indent
    for word in text.split(" "):
        if line != start and len(line) + len(word) >= columns:
            yield line.rstrip()
            start = line = indent if hanging is None else hanging
        line += word + " "
    yield line.rstrip()


def _excerpt(source: SourceText, span: Span, paint: Paint) -> Iterator[str]:
    text = source.line(span.line)
    end = span.end_column if span.end_line == span.line else len(text) + 1
    before, marked = printable(text[: span.column - 1]), printable(text[span.column - 1 : end - 1])
    yield paint("dim", f"{span.line:>6} | ") + _clip(printable(text))
    pad = "".join("\t" if character == "\t" else " " * width(character) for character in before)
    room = max(1, min(width(marked), _MAX_LINE - len(pad)))
    if len(pad) < _MAX_LINE:
        yield paint("dim", "       | ") + pad + paint("red", "^" * room)


def _edit(source: SourceText, edit: Edit, paint: Paint) -> Iterator[str]:
    yield paint("cyan", say("      @@ lines {first}-{last} @@", first=edit.start_line, last=edit.end_line))
    for number in range(edit.start_line, edit.end_line + 1):
        yield paint("red", "      -" + _clip(printable(source.line(number))))
    for line in SourceText(edit.path, edit.text).lines:
        yield paint("green", "      +" + _clip(printable(line.rstrip("\n").removesuffix("\r"))))


def _clip(text: str) -> str:
    return text if len(text) <= _MAX_LINE else text[: _MAX_LINE - 1] + "…"


def _summary(review: Review, paint: Paint) -> str:
    reviewed = [file for file in review.files if file.status != "skipped"]
    skipped = len(review.files) - len(reviewed)
    files = say(
        "{count} reviewed against {source}", count=plural(len(reviewed), "recipe"), source=review.source
    )
    idle = sum(file.recipe is not None and not file.recipe.launches_seen for file in reviewed)
    rest = say(", {count} without a launch", count=idle) if idle else ""
    rest += (say(", {count} skipped", count=skipped) if skipped else "") + hidden_in_words(review.files)
    if not review.findings:
        return say("No findings: {files}{rest}.", files=files, rest=rest)
    found = paint("bold", plural(len(review.findings), "finding"))
    counts = counts_in_words(review.findings)
    return say("{found} ({counts}) in {files}{rest}.", found=found, counts=counts, files=files, rest=rest)
