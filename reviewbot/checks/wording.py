"""Small pieces of messages: code spans, values, places."""

from __future__ import annotations

from typing import Any

from reviewbot.config.model import UNKNOWN, Override, Setting
from reviewbot.language import say
from reviewbot.shell.model import Decision


def code(text: str) -> str:
    """A Markdown code span around any text: the fence is longer than any run of backticks in it."""
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def shown(value: Any) -> str:
    """A config value as a recipe would write it: ``True``, ``null``, ``[1,2]``."""
    if value is UNKNOWN:
        return "…"
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(shown(item) for item in value) + "]"
    return str(value)


def setting_text(override: Override) -> str:
    """An override as text, its value resolved where it is known."""
    if override.word.text is not None:
        return override.word.text
    return f"{override.op}{override.key}=…"


def value_of(key: str, setting: Setting) -> str:
    """What a key is and which line says so: `` `a.b` is `1` by default``."""
    told = {"key": code(key), "value": code(shown(setting.value))}
    if setting.set_by is None:
        return say("{key} is {value} by default", **told)
    return say("{key} is {value} (line {line})", **told, line=setting.set_by.word.span.line)


def on_path(decisions: tuple[Decision, ...]) -> str:
    """`` (where …)`` for a launch that only assumed branches lead to; empty for the default path."""
    assumed = [decision for decision in decisions if decision.assumed]
    if not assumed:
        return ""
    parts = []
    for decision in assumed:
        if decision.taken in ("true", "false"):
            parts.append(
                say("{condition} is {taken}", condition=code(decision.condition), taken=decision.taken)
            )
        else:
            parts.append(
                say("{condition} is {taken}", condition=code(decision.condition), taken=code(decision.taken))
            )
    return say(" (where {conditions})", conditions=say(" and ").join(parts))


def plural(count: int, one: str, many: str | None = None) -> str:
    """``1 file``, ``2 files``; the words are literals, so that a test can find them."""
    return say("{count} " + (one if count == 1 else many or one + "s"), count=count)
