"""Arguments that a stray blank splits in two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reviewbot.language import say
from reviewbot.shell.launches import Started
from reviewbot.shell.model import Launch, ShellProblem, Word
from reviewbot.text import SourceText, Span

_OVERRIDE = re.compile(r"(?:\+\+|\+|~)?[A-Za-z_][\w./@:-]*=")
_DOTTED_KEY = re.compile(r"(?:\+\+|\+|~)?[A-Za-z_]\w*(?:\.[\w@:/-]+)+")
_HALF_KEY = re.compile(r"(?:(?:\+\+|\+|~)?[A-Za-z_][\w./@:-]*|\+\+?)")
_OPENING = {"[": "]", "{": "}", "(": ")"}


def split_words(source: SourceText, launches: Sequence[Launch]) -> Iterator[ShellProblem]:
    """Neighbours on one line of which only one is an override, among arguments that otherwise are overrides."""
    for launch in launches:
        words = launch.arguments
        around = list(_around_equals(source, words))
        yield from around
        overrides = [bool(_OVERRIDE.match(word.prefix)) for word in words]
        if sum(overrides) < 2 or sum(overrides) * 2 < len(words) - 2:
            continue
        seen = False
        for index in range(len(words) - 1):
            first, second = words[index], words[index + 1]
            option = (
                index > 0 and words[index - 1].prefix.startswith("-") and "=" not in words[index - 1].prefix
            )
            told = any(problem.span.overlaps(word.span) for problem in around for word in (first, second))
            if seen and not told and not option and _touch(source, first.span, second.span):
                problem = _split(source, first, second)
                if problem is not None:
                    yield problem
            seen = seen or overrides[index]


def _around_equals(source: SourceText, words: Sequence[Word]) -> Iterator[ShellProblem]:
    """``key = value``: three arguments."""
    for key, equals, value in zip(words, words[1:], words[2:], strict=False):
        if (
            equals.text == "="
            and _DOTTED_KEY.fullmatch(key.text or "")
            and _touch(source, key.span, equals.span)
            and _touch(source, equals.span, value.span)
        ):
            span = Span(
                key.span.path, key.span.line, key.span.column, value.span.end_line, value.span.end_column
            )
            yield ShellProblem(
                "split-word",
                span,
                say(
                    "Blanks split `{written}` into three arguments, and Hydra refuses each of them: write `{meant}`.",
                    written=source.cut(span),
                    meant=f"{key.text}={source.cut(value.span)}",
                ),
            )


def split_values(launches: Sequence[Started]) -> Iterator[ShellProblem]:
    """Overrides whose value has blanks and stands unquoted: ``key=$NAME``."""
    for launch in launches:
        words = launch.arguments
        for first, second in pairwise(words):
            if first.word is not second.word or first.text is None or second.text is None:
                continue
            key = first.runs[0] if first.runs else None
            if key is None or key.word is not first.word or not _OVERRIDE.match(first.text):
                continue
            span = first.word.code.span(first.word.start, first.word.end)
            if span is not None and not _OVERRIDE.match(second.text):
                yield ShellProblem(
                    "split-word",
                    span,
                    say(
                        "The value of `{source}` holds blanks and is not quoted, so it is split: "
                        "`{text}` becomes an argument of its own, and Hydra refuses it.",
                        source=first.word.source,
                        text=second.text,
                    ),
                )


def _touch(source: SourceText, first: Span, second: Span) -> bool:
    """Whether two words stand on one line with nothing but blanks between them."""
    if not (first.path == second.path == source.path and first.end_line == second.line):
        return False
    if second.column <= first.end_column:
        return False
    between = source.text[
        source.offset(first.end_line, first.end_column) : source.offset(second.line, second.column)
    ]
    return not between.strip(" \t")


def _split(source: SourceText, first: Word, second: Word) -> ShellProblem | None:
    if first.many or second.many or first.text is None:
        return None
    left, right = first.text, second.prefix
    if second.text is not None and not second.text.strip():
        return None
    advice = None
    if not _OVERRIDE.match(left):
        if _HALF_KEY.fullmatch(left) and _OVERRIDE.match(right):
            advice = say("`{left}` is no override", left=left)
        elif _HALF_KEY.fullmatch(left) and right.startswith("="):
            advice = say("`{left}` has lost its value", left=left)
    elif second.text is not None and not _OVERRIDE.match(right) and not right.startswith("-"):
        if left.endswith("="):
            advice = say("`{left}` has lost its value", left=left)
        elif _open(left):
            advice = say("`{left}` is left open", left=left)
        else:
            advice = say("`{text}` is no override", text=second.text)
    if advice is None:
        return None
    span = Span(
        first.span.path, first.span.line, first.span.column, second.span.end_line, second.span.end_column
    )
    written = source.cut(span)
    return ShellProblem(
        "split-word",
        span,
        say(
            "A blank splits `{written}` into two arguments: {advice}, and Hydra refuses it.",
            written=written,
            advice=advice,
        ),
    )


def _open(text: str) -> bool:
    """Whether a bracket stays open."""
    return any(text.count(opening) > text.count(closing) for opening, closing in _OPENING.items())
