"""A long body from parts: whole items only, within a limit, every fence and fold closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reviewbot.language import say


@dataclass(frozen=True)
class Part:
    """A stretch of a body: what opens it, its items, what closes it.  A part without items is left out."""

    opening: str
    items: tuple[str, ...]
    closing: str = ""
    needed: bool = True
    """False: left out whole where there is no room for its first item."""


def assemble(head: str, parts: Sequence[Part], tail: str, limit: int) -> str:
    """Head, parts and tail (a marker), at most ``limit`` characters, cut on the borders of items."""
    room = limit - len(head) - len(tail) - 4
    pieces = [head]
    for part in parts:
        if not part.items:
            continue
        text = _fitting(part, room)
        if text is not None:
            pieces.append(text)
            room -= len(text) + 2
    return "\n\n".join(filter(None, [*pieces, tail]))


def _more(rest: int) -> str:
    return "\n\n" + say("… and {count} more; the job summary has them all.", count=rest)


def _fitting(part: Part, room: int) -> str | None:
    """As many items as there is room for, and how many were left out; None where not even the frame fits."""
    more = say("… and {count} more; the job summary has them all.", count=len(part.items))
    frame = len(part.opening) + len(part.closing) + len(more) + 12
    shown: list[str] = []
    for item in part.items:
        if frame + len(item) + 1 > room:
            break
        shown.append(item)
        frame += len(item) + 1
    if frame > room or (not shown and not part.needed):
        return None
    rest = len(part.items) - len(shown)
    body = "\n".join(shown) + (_more(rest) if rest else "")
    return part.opening + body + (f"\n\n{part.closing}" if part.closing else "")
