"""Brace expansion: ``a{b,c}`` and ``{1..5}``."""

from __future__ import annotations

import re
from itertools import chain, pairwise, product

from reviewbot.shell.syntax import Literal, Part, Word

MAX_WORDS = 2000
"""A word that would give more is left as it is."""

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?")
Symbol = Part | tuple[str, int]
"""An unquoted character with its offset, or anything else."""


def brace_expand(word: Word) -> list[list[Part]]:
    """The part lists of the words that braces make of one word."""
    if word.plain is not None and "{" not in word.plain:
        return [word.parts]
    if not any(isinstance(part, Literal) and not part.quoted and "{" in part.text for part in word.parts):
        return [word.parts]
    symbols: list[Symbol] = []
    for part in word.parts:
        if isinstance(part, Literal) and not part.quoted:
            symbols.extend((char, part.start + offset) for offset, char in enumerate(part.text))
        else:
            symbols.append(part)
    if len(symbols) > 50_000:
        return [word.parts]
    try:
        expanded = _expand(symbols, 0)
    except OverflowError:
        return [word.parts]
    return [_joined(symbols) for symbols in expanded]


def _expand(symbols: list[Symbol], depth: int) -> list[list[Symbol]]:
    """Every word that the symbols stand for.  Raises OverflowError past :data:`MAX_WORDS`."""
    if depth > 20:
        raise OverflowError
    choices: list[list[list[Symbol]]] = []
    plain: list[Symbol] = []
    closers = _closers(symbols)
    at = 0
    while at < len(symbols):
        symbol = symbols[at]
        options = None
        if isinstance(symbol, tuple) and symbol[0] == "{" and at in closers:
            options = _options(symbols, at, closers[at], depth)
        if options is None:
            plain.append(symbol)
            at += 1
            continue
        if plain:
            choices.append([plain])
            plain = []
        choices.append(options)
        at = closers[at][-1] + 1
    if plain:
        choices.append([plain])
    count = 1
    for options in choices:
        count *= len(options)
        if count > MAX_WORDS:
            raise OverflowError
    return [list(chain.from_iterable(choice)) for choice in product(*choices)]


def _closers(symbols: list[Symbol]) -> dict[int, list[int]]:
    """For each ``{`` that is closed: the offsets of its own commas and of its ``}``."""
    open_braces: list[tuple[int, list[int]]] = []
    closed = {}
    for at, symbol in enumerate(symbols):
        char = symbol[0] if isinstance(symbol, tuple) else ""
        if char == "{":
            open_braces.append((at, []))
        elif char == "," and open_braces:
            open_braces[-1][1].append(at)
        elif char == "}" and open_braces:
            start, commas = open_braces.pop()
            closed[start] = [*commas, at]
    return closed


def _options(symbols: list[Symbol], start: int, bounds: list[int], depth: int) -> list[list[Symbol]] | None:
    if len(bounds) == 1:
        return _range(symbols, start, bounds[0])
    edges = [start, *bounds]
    options: list[list[Symbol]] = []
    for first, last in pairwise(edges):
        options.extend(_expand(symbols[first + 1 : last], depth + 1))
        if len(options) > MAX_WORDS:
            raise OverflowError
    return options


def _range(symbols: list[Symbol], start: int, end: int) -> list[list[Symbol]] | None:
    inside = symbols[start + 1 : end]
    if not inside or len(inside) > 100 or not all(isinstance(symbol, tuple) for symbol in inside):
        return None
    match = _RANGE.fullmatch("".join(symbol[0] for symbol in inside if isinstance(symbol, tuple)))
    if match is None:
        return None
    at = inside[0][1] if isinstance(inside[0], tuple) else 0
    return [[Literal(at, at + len(inside), text, exact=False)] for text in _range_texts(match)]


def _range_texts(match: re.Match[str]) -> list[str]:
    letters = match[4] is not None
    first, last = (ord(match[4]), ord(match[5])) if letters else (int(match[1]), int(match[2]))
    step = abs(int(match[6] if letters else match[3] or 0) if (match[6] or match[3]) else 1) or 1
    if abs(last - first) // step >= MAX_WORDS:
        raise OverflowError
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    if letters:
        return [chr(number) for number in numbers]
    padded = any(re.match(r"-?0\d", text) for text in (match[1], match[2]))
    width = max(len(match[1]), len(match[2])) if padded else 0
    return [f"{number:0{width}d}" if width else str(number) for number in numbers]


def _joined(symbols: list[Symbol]) -> list[Part]:
    """The parts again, with touching characters in one literal."""
    parts: list[Part] = []
    run: list[str] = []
    start = 0
    for symbol in symbols:
        if isinstance(symbol, tuple) and run and start + len(run) == symbol[1]:
            run.append(symbol[0])
            continue
        if run:
            parts.append(Literal(start, start + len(run), "".join(run)))
            run = []
        if isinstance(symbol, tuple):
            run, start = [symbol[0]], symbol[1]
        else:
            parts.append(symbol)
    if run:
        parts.append(Literal(start, start + len(run), "".join(run)))
    return parts
