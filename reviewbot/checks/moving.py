"""Moving a value to the key that is read."""

from __future__ import annotations

from dataclasses import dataclass

from reviewbot.checks.model import Intent, Rewrite
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Recipe
from reviewbot.checks.wording import shown
from reviewbot.checks.written import quote_around, with_value, written, written_value
from reviewbot.config.model import UNKNOWN, Override, Plain
from reviewbot.language import say


@dataclass(frozen=True)
class Move:
    """What to set instead of an override."""

    setting: str
    """``key=value`` as a recipe would write it."""
    intent: Intent | None
    """None where no fix can be written: another script sets the key."""


def move(
    recipe: Recipe, reading: Reading, override: Override, old: Plain, wanted: tuple[str, str]
) -> Move | None:
    """Set the wanted key instead of an override, whose value is ``old``.

    ``wanted`` is a key and an expression for its value; with ``+`` in front the key may be new to the config.  None
    where the value is not known, the config knows no such key, or the key has that value already.
    """
    key, expression = wanted[0].lstrip("+"), wanted[1]
    value = reading.value(expression)
    if value is UNKNOWN or isinstance(value, (dict, list)):
        return None
    plan = reading.plan
    current = plan.configured.effective.get(key) if plan.configured.effective is not None else None
    op = ""
    if current is None:
        if not wanted[0].startswith("+") and reading.get(key) in (UNKNOWN, value):
            return None
        op = "+"
    elif current.value == value and isinstance(current.value, bool) == isinstance(value, bool):
        return None
    text = _own_text(recipe, override, old, value) or _variable_for(recipe, reading, value) or shown(value)
    existing = current.set_by if current is not None else None
    new = _Replacement(op + key, text, shown(value), existing)
    return Move(f"{new.key}={text}", _replaced(recipe, override, new))


@dataclass(frozen=True)
class _Replacement:
    key: str
    text: str
    """What to write."""
    value: str
    """What bash makes of the text."""
    existing: Override | None
    """The override that sets the key now."""


def _own_text(recipe: Recipe, override: Override, old: Plain, value: Plain) -> str | None:
    """The value as the override writes it, where the same value only moves to another key."""
    if old != value or isinstance(old, bool) != isinstance(value, bool):
        return None
    return written_value(recipe, override)


def _variable_for(recipe: Recipe, reading: Reading, value: Plain) -> str | None:
    """``${gen_tp}`` where an override that takes part has the value through that variable."""
    for setting in reading.used.values():
        if setting.set_by is not None and setting.value == value:
            text = written_value(recipe, setting.set_by)
            if text is not None and text.startswith("${") and text.endswith("}") and text.count("$") == 1:
                return text
    return None


def _replaced(recipe: Recipe, override: Override, new: _Replacement) -> Intent | None:
    line = override.word.span.line
    if new.existing is None or new.existing.word.span == override.word.span:
        word = written(recipe, override)
        quote = quote_around(word)
        text = f"{quote}{new.key}={new.text}{quote}"
        rewrite = Rewrite(override.word.span, word, text, f"{new.key}={new.value}")
        return Intent(
            say("Replace the override by {key}={text}", key=new.key, text=new.text), rewrite=(rewrite,)
        )
    changed = with_value(recipe, new.existing, new.text, new.value)
    if changed is None:
        return None
    description = say(
        "Set {key}={text} on line {line} and delete line {line2}",
        key=new.key,
        text=new.text,
        line=new.existing.word.span.line,
        line2=line,
    )
    return Intent(description, remove=(override.word.span,), rewrite=(changed,))
