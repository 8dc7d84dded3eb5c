"""Shell patterns as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

MAX_PATTERN = 1000
"""Longer patterns are not tried."""
MAX_WORK = 10_000_000
"""A match that may take more steps is not tried."""

Fragments = Sequence[tuple[str, bool]]
"""Texts, and whether each is quoted (stands for itself)."""


_SPECIAL = re.compile(r"[*?[]|[@+!]\(")


class UnmatchableError(Exception):
    """The pattern or the text is too large to try."""


def has_pattern(fragments: Fragments) -> bool:
    """Whether anything in it is a pattern character."""
    return any(not quoted and _SPECIAL.search(text) is not None for text, quoted in fragments)


def matches(fragments: Fragments, text: str) -> bool:
    """Whether the whole text matches.  Raises :class:`UnmatchableError`."""
    work(fragments, text)
    return bool(compiled(fragments).fullmatch(text))


def work(fragments: Fragments, text: str, times: int = 1) -> int:
    """How many steps matching ``times`` times may take.  Raises :class:`UnmatchableError` where they are too many."""
    stars = sum(part.count("*") + part.count("(") for part, quoted in fragments if not quoted)
    steps = (len(text) + 1) ** min(stars, 8) * times
    if steps > MAX_WORK:
        raise UnmatchableError
    return int(steps)


def compiled(fragments: Fragments, *, lazy: bool = False) -> re.Pattern[str]:
    """The regular expression of a pattern.  Raises :class:`UnmatchableError`."""
    return _compiled(tuple(fragments), lazy)


@lru_cache(maxsize=500)
def _compiled(fragments: tuple[tuple[str, bool], ...], lazy: bool) -> re.Pattern[str]:
    if sum(len(text) for text, _ in fragments) > MAX_PATTERN:
        raise UnmatchableError
    symbols = [(char, quoted) for text, quoted in fragments for char in text]
    if sum(char in "*(" and not quoted for char, quoted in symbols) > 8:
        raise UnmatchableError
    try:
        source = _Translation(symbols, lazy).sequence("")
        return re.compile(source, re.DOTALL)
    except (re.error, RecursionError) as error:
        raise UnmatchableError from error


class _Translation:
    def __init__(self, symbols: list[tuple[str, bool]], lazy: bool) -> None:
        self.symbols = symbols
        self.at = 0
        self.star = ".*?" if lazy else ".*"

    def sequence(self, stop: str) -> str:
        out = []
        while self.at < len(self.symbols):
            char, quoted = self.symbols[self.at]
            if not quoted and stop and char in stop:
                break
            self.at += 1
            out.append(re.escape(char) if quoted else self.unquoted(char))
        return "".join(out)

    def unquoted(self, char: str) -> str:
        if char in "?*+@!" and self.at < len(self.symbols) and self.symbols[self.at] == ("(", False):
            return self.extended(char)
        if char == "*":
            while self.at < len(self.symbols) and self.symbols[self.at] == ("*", False):
                self.at += 1
            return self.star
        if char == "?":
            return "."
        if char == "[":
            return self.bracket()
        if char == "\\" and self.at < len(self.symbols):
            self.at += 1
            return re.escape(self.symbols[self.at - 1][0])
        return re.escape(char)

    def extended(self, kind: str) -> str:
        self.at += 1
        options = [self.sequence("|)")]
        while self.at < len(self.symbols) and self.symbols[self.at] == ("|", False):
            self.at += 1
            options.append(self.sequence("|)"))
        self.at += 1
        body = "|".join(options)
        if kind == "!":
            return f"(?!(?:{body})$).*"
        if kind in "*+":
            raise UnmatchableError
        return f"(?:{body}){'?' if kind == '?' else ''}"

    def bracket(self) -> str:
        cursor = self.at
        if cursor < len(self.symbols) and self.symbols[cursor][0] in "!^":
            cursor += 1
        if cursor < len(self.symbols) and self.symbols[cursor][0] == "]":
            cursor += 1
        while cursor < len(self.symbols) and self.symbols[cursor][0] != "]":
            if self._starts_class(cursor):
                cursor = self._find(":", "]", cursor + 2) or cursor
            cursor += 1
        if cursor >= len(self.symbols):
            return re.escape("[")
        inside = "".join(
            "\\" + char if quoted and char in "-^!]\\" else char
            for char, quoted in self.symbols[self.at : cursor]
        )
        self.at = cursor + 1
        negated = inside[:1] in ("!", "^")
        inside = inside[1:] if negated else inside
        for name, ranges in _CLASSES.items():
            inside = inside.replace(f"[:{name}:]", ranges)
        inside = inside.replace("[", "\\[").replace("&&", "&\\&").replace("||", "|\\|").replace("~~", "~\\~")
        if inside.startswith("]"):
            inside = "\\" + inside
        return f"[{'^' if negated else ''}{inside}]"

    def _starts_class(self, at: int) -> bool:
        return at + 1 < len(self.symbols) and self.symbols[at][0] == "[" and self.symbols[at + 1][0] == ":"

    def _find(self, first: str, second: str, start: int) -> int:
        for cursor in range(start, len(self.symbols) - 1):
            if self.symbols[cursor][0] == first and self.symbols[cursor + 1][0] == second:
                return cursor + 1
        return 0


_CLASSES = {
    "digit": "0-9", "alpha": "A-Za-z", "alnum": "A-Za-z0-9", "upper": "A-Z", "lower": "a-z", "xdigit": "0-9A-Fa-f",
    "space": r" \t\n\r\f\v", "blank": r" \t", "punct": r"!-/:-@\[-`{-~", "word": "A-Za-z0-9_",
}  # fmt: skip
