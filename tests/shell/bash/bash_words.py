"""Words of reviewbot's beside the words that bash passed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bash_recorder import Given

from reviewbot.shell.model import Word

MOST_CELLS = 250_000
"""Longer lists of words that differ are not aligned."""


@dataclass(frozen=True)
class Pairing:
    """How the words of a launch lie beside those of bash."""

    pairs: tuple[tuple[Word | None, str | None], ...]
    wrong: int


def pair_words(words: Sequence[Word], actual: Sequence[str], given: Given) -> Pairing:
    """The words beside those of bash, with as few wrong ones as possible."""
    words = [word for word in words if given.arguments or not _only_arguments(word)]
    if len(words) == len(actual) and all(map(fits, words, actual)):
        return Pairing(tuple(zip(words, actual, strict=True)), 0)
    if len(words) * len(actual) > MOST_CELLS:
        return Pairing(tuple(zip_longest(words, actual)), max(len(words), len(actual)))
    pairs = tuple(_aligned(words, actual))
    wrong = sum(word is None or text is None or not fits(word, text) for word, text in pairs)
    return Pairing(pairs, wrong)


def _aligned(words: Sequence[Word], actual: Sequence[str]) -> Iterator[tuple[Word | None, str | None]]:
    """Alignment by edit distance; a word that may be many takes any number of actual words."""
    rows, columns = len(words) + 1, len(actual) + 1
    cost = [[0.0] * columns for _ in range(rows)]
    step = [[""] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            options = [] if i or j else [(0.0, "")]
            if i and j:
                same = fits(words[i - 1], actual[j - 1])
                known = words[i - 1].text is not None
                options.append((cost[i - 1][j - 1] + ((0 if known else 0.01) if same else 1.5), "both"))
            if i:
                options.append((cost[i - 1][j] + (0 if words[i - 1].many else 1), "word"))
            if j:
                inside = i > 0 and words[i - 1].many
                options.append((cost[i][j - 1] + (0.02 if inside else 1), "more" if inside else "actual"))
            cost[i][j], step[i][j] = min(options)
    pairs: list[tuple[Word | None, str | None]] = []
    i, j = rows - 1, columns - 1
    while i or j:
        match step[i][j]:
            case "both":
                i, j = i - 1, j - 1
                pairs.append((words[i], actual[j]))
            case "word":
                i -= 1
                if not words[i].many:
                    pairs.append((words[i], None))
            case "more":
                j -= 1
                pairs.append((_open(words[i - 1]), actual[j]))
            case _:
                j -= 1
                pairs.append((None, actual[j]))
    return reversed(pairs)


def _open(word: Word) -> Word:
    """The further words that a word may be: what stands in front belongs to the first."""
    return replace(word, pieces=tuple(piece for piece in word.pieces if piece.text is None))


def fits(word: Word, actual: str) -> bool:
    """Whether bash's text is the word's, or could be where the word is not known."""
    if word.text is not None:
        return word.text == actual
    if word.many:
        return actual.startswith(word.prefix)
    pattern = "".join(".*" if piece.text is None else re.escape(piece.text) for piece in word.pieces)
    return re.fullmatch(pattern, actual, re.DOTALL) is not None


def from_environment(word: Word) -> bool:
    """Whether only variables and arguments that the script was to be given are unknown."""
    reasons = [piece.why for piece in word.pieces if piece.text is None]
    return bool(reasons) and not any(re.search(r"`|[$<>]\((?!\()", reason) for reason in reasons)


def _only_arguments(word: Word) -> bool:
    return word.many and all(re.fullmatch(r'"?\$(\{?[@*](:.*)?\}?)"?', piece.why) for piece in word.pieces)


def shown(words: Sequence[Word]) -> str:
    return " ".join(
        "".join(f"‹{piece.why or '?'}›" if piece.text is None else piece.text for piece in word.pieces)
        + ("…" if word.many else "")
        for word in words
    )
