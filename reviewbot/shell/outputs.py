"""What some programs write: those whose output depends on nothing but their arguments and input."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reviewbot.shell.scripts import place_of
from reviewbot.shell.values import Field, Run, computed, unknown

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter

MAX_NUMBERS = 1000
"""Longer sequences are not written out."""


def _basename(_shell: Interpreter, fields: Sequence[Field]) -> list[Run] | None:
    words = [field for field in fields if field.text != "--"]
    if not words or len(words) > 2 or (words[0].text or "").startswith("-"):
        return None
    texts = [field.text for field in words]
    if None in texts:
        return None
    path = (texts[0] or "").rstrip("/") or "/"
    name = path.rpartition("/")[2] or "/"
    suffix = texts[1] if len(texts) > 1 else None
    if suffix and name.endswith(suffix) and name != suffix:
        name = name[: -len(suffix)]
    return [computed(name, words[0].runs), Run("\n")]


def _dirname(_shell: Interpreter, fields: Sequence[Field]) -> list[Run] | None:
    words = [field for field in fields if field.text != "--"]
    if len(words) != 1:
        return None
    text = words[0].text
    if text is None:
        place = place_of(words[0].runs, None)
        return None if not place else [unknown("$(dirname …)", place=posixpath.dirname(place)), Run("\n")]
    folder = posixpath.dirname(text.rstrip("/")) or ("/" if text.startswith("/") else ".")
    return [computed(folder, words[0].runs), Run("\n")]


def _realpath(shell: Interpreter, fields: Sequence[Field]) -> list[Run] | None:
    words = [field for field in fields if not (field.text or "").startswith("-")]
    if len(words) != 1:
        return None
    place = place_of(words[0].runs, shell.shell.folder)
    return None if place is None else [unknown("$(realpath …)", place=place), Run("\n")]


def _seq(_shell: Interpreter, fields: Sequence[Field]) -> list[Run] | None:
    try:
        numbers = [int(field.text or "x") for field in fields]
    except ValueError:
        return None
    if not 1 <= len(numbers) <= 3:
        return None
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0 or abs(numbers[-1] - first) // abs(step) > MAX_NUMBERS:
        return None
    values = range(first, numbers[-1] + (1 if step > 0 else -1), step)
    return [computed(f"{value}\n", (run for field in fields for run in field.runs)) for value in values]


def _cat(shell: Interpreter, fields: Sequence[Field]) -> list[Run] | None:
    stdin = shell.stdin
    if [field.text for field in fields] not in ([], ["-"]) or stdin.runs is None:
        return None
    return list(stdin.runs)


def _tee(shell: Interpreter, _fields: Sequence[Field]) -> list[Run] | None:
    return None if shell.stdin.runs is None else list(shell.stdin.runs)


OUTPUTS: dict[str | None, Callable[[Interpreter, Sequence[Field]], list[Run] | None]] = {
    "basename": _basename,
    "dirname": _dirname,
    "realpath": _realpath,
    "readlink": _realpath,
    "seq": _seq,
    "cat": _cat,
    "tee": _tee,
}
"""By name: what the program writes; None where that is not known."""
