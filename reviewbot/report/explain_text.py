"""Explanations as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.explain.model import Explanation
from reviewbot.report.explain_words import Item, Section, sections, title
from reviewbot.report.terminal import Paint, printable
from reviewbot.report.text_report import wrapped

_COLUMNS = 100


def explanation_text(explanation: Explanation, *, colour: bool = False) -> str:
    """The explanation, with a line end."""
    paint = Paint(colour)
    lines = [paint("bold", printable(title(explanation)))]
    for section in sections(explanation):
        lines.append("")
        lines.extend(_section(section, paint))
    return "\n".join(lines) + "\n"


def _section(section: Section, paint: Paint) -> Iterator[str]:
    if section.heading:
        yield paint("bold", section.heading)
    for number, item in enumerate(section.items):
        if number and not section.heading:
            yield ""
        yield from _item(item, paint, "  " if section.heading else "")


def _item(item: Item, paint: Paint, indent: str) -> Iterator[str]:
    if item.text:
        yield from wrapped(printable(item.text), indent, _COLUMNS, indent + "  " if indent else "")
    if item.evidence is not None:
        place = item.evidence
        yield paint("dim", printable(f"{indent}  {place.path}:{place.line} {place.symbol}"))
    for line in item.block.splitlines():
        yield indent + printable(line) if line else ""
