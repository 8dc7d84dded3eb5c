"""Assignments between their expansion and their effect."""

from __future__ import annotations

from dataclasses import dataclass

from reviewbot.shell.model import Origin
from reviewbot.shell.values import Value


@dataclass(frozen=True, slots=True)
class Prepared:
    """An assignment whose right side is expanded."""

    name: str
    origin: Origin | None
    append: bool
    value: Value = ()
    index: Value | None = None
    elements: list[tuple[Value | None, Value, bool]] | None = None
