"""Small pieces of messages: code spans, values, places."""

from __future__ import annotations

from typing import Any

from reviewbot.config.model import UNKNOWN, Override
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


def on_path(decisions: tuple[Decision, ...]) -> str:
    """`` (where …)`` for a launch that only assumed branches lead to; empty for the default path."""
    assumed = [decision for decision in decisions if decision.assumed]
    if not assumed:
        return ""
    parts = []
    for decision in assumed:
        if decision.taken in ("true", "false"):
            parts.append(f"{code(decision.condition)} is {decision.taken}")
        else:
            parts.append(f"{code(decision.condition)} is {code(decision.taken)}")
    return " (where " + " and ".join(parts) + ")"


def plural(count: int, one: str, many: str | None = None) -> str:
    """``1 file``, ``2 files``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
