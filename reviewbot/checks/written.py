"""How a script writes an override: its value as written, and what to write in its place."""

from __future__ import annotations

from reviewbot.checks.model import Rewrite
from reviewbot.checks.recipe import Recipe
from reviewbot.config.model import Override


def written(recipe: Recipe, override: Override) -> str:
    """The word as written; empty where it stands in another file."""
    span = override.word.span
    return recipe.source.cut(span) if span.path == recipe.source.path else ""


def quote_around(text: str) -> str:
    """The quote around a whole word; empty where there is none."""
    return text[0] if len(text) > 1 and text[0] in "'\"" and text.endswith(text[0]) else ""


def written_value(recipe: Recipe, override: Override) -> str | None:
    """What stands behind the ``=`` of an override, without quotes around the whole word.

    None where the key is not written out in front of it.
    """
    word = written(recipe, override)
    before, equals, text = word.partition("=")
    if not equals or not before.lstrip("'\"").startswith(override.op + override.key):
        return None
    return text.removesuffix(quote_around(word)) if quote_around(word) else text


def with_value(recipe: Recipe, override: Override, text: str, value: str) -> Rewrite | None:
    """The rewrite that gives an override the value ``text``, of which bash makes ``value``."""
    old = written_value(recipe, override)
    if old is None:
        return None
    quote = quote_around(written(recipe, override))
    result = f"{override.op}{override.key}={value}"
    return Rewrite(override.word.span, f"={old}{quote}", f"={text}{quote}", result)
