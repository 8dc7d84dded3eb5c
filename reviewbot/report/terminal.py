"""Text that is safe to print: what a pull request wrote never moves the cursor or hides itself."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


def printable(text: str) -> str:
    """The text with control, format, surrogate and line-separator characters written as ``\\x1b``; tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return character
    return character.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """The number of terminal cells of a printable text; a tab counts as one."""
    if text.isascii():
        return len(text)
    cells = 0
    for character in text:
        if unicodedata.combining(character):
            continue
        cells += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return cells


@dataclass(frozen=True)
class Paint:
    """Colours, where they are wanted."""

    colour: bool

    def __call__(self, style: str, text: str) -> str:
        """The text in a style: words of bold, dim, red, green, yellow, blue and cyan."""
        if not self.colour or not style or not text:
            return text
        codes = ";".join(_STYLES[word] for word in style.split())
        return f"\x1b[{codes}m{text}\x1b[0m"
