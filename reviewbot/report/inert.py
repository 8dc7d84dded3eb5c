"""Text for GitHub's Markdown in which nothing that a pull request wrote can act.

What comes from a pull request stands in code spans and fences that it cannot close.  Prose around it is escaped all
the same, so that a message that forgot its code span neither mentions a team nor opens a comment.
"""

from __future__ import annotations

import re

from reviewbot.checks.wording import code as code_span
from reviewbot.report.terminal import printable

ZERO_WIDTH_SPACE = "\u200b"
MAX_CODE = 300
"""Characters of a code span; longer text is cut in the middle."""

_RUNS = re.compile("`+")
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>|~$!]")
_TRIGGERS = re.compile(r"[@#](?=\w)|(?<=\w):(?=//)|(?<=www)\.|(?<=GH)-(?=\d)|:(?=[\w+-]+:)", re.IGNORECASE)
"""Mentions, references to issues, links, emoji."""
MAX_PROSE = 10_000


def code(text: str) -> str:
    """A code span on one line around any text: control and format characters are written out."""
    return code_span(printable(_shortened(text, MAX_CODE)))


def cell_code(text: str) -> str:
    """A code span for a table cell, where a bar would end the cell even within a code span."""
    return code(text.replace("|", "¦"))


def prose(text: str) -> str:
    """Text on one line without any effect: no markup, HTML, mention, reference or link."""
    return _broken(
        _SPECIAL.sub(lambda found: "&lt;" if found[0] == "<" else "\\" + found[0], _one_line(text))
    )


def message(text: str) -> str:
    """The message of a finding: its code spans as code spans, the rest as prose."""
    line = _one_line(text[:MAX_PROSE])
    pieces: list[str] = []
    at = 0
    while (opening := _RUNS.search(line, at)) is not None:
        closing = next(
            (run for run in _RUNS.finditer(line, opening.end()) if len(run[0]) == len(opening[0])), None
        )
        pieces.append(prose(line[at : opening.start()]))
        if closing is None:
            pieces.append(prose(opening[0]))
            at = opening.end()
            continue
        content = line[opening.end() : closing.start()]
        pieces.append(code(_unpadded(content)))
        at = closing.end()
    return "".join([*pieces, prose(line[at:])])


def fence(text: str, info: str = "") -> str:
    """A fenced block that holds the text as it is; the fence is longer than any run of backticks in it.

    The text is empty or ends in a line end.
    """
    marks = "`" * max(3, 1 + max((len(run) for run in _RUNS.findall(text)), default=0))
    return f"{marks}{info}\n{text}{marks}"


def plain(text: str) -> bool:
    """Whether a text has no control or format characters but tabs and line feeds: it can be a suggestion."""
    return all(printable(line) == line for line in text.split("\n"))


def _one_line(text: str) -> str:
    return printable(" ".join(text.replace("\r", "\n").split("\n")))


def _broken(text: str) -> str:
    """The text with what GitHub would link taken apart by zero-width spaces."""
    return _TRIGGERS.sub(lambda found: found[0] + ZERO_WIDTH_SPACE, text)


def _unpadded(content: str) -> str:
    """The content of a code span without the one blank that Markdown strips from both ends."""
    if content.startswith(" ") and content.endswith(" ") and content.strip():
        return content[1:-1]
    return content


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return f"{text[: limit // 2]}…{text[-limit // 2 :]}"
