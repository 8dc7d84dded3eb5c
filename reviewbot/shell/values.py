"""Values: runs of characters that know where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reviewbot.shell.model import Known, Origin
from reviewbot.shell.syntax import Word

CERTAINTY = {Known.YES: 3, Known.DEFAULT: 2, Known.CHOICE: 1, Known.NO: 0}


class Use(NamedTuple):
    """An expansion that a run went through: where it is written, and the expansion before it."""

    word: Word
    start: int
    end: int
    before: Use | None


class Run(NamedTuple):
    """Characters of one source; see :class:`reviewbot.shell.model.Piece`."""

    text: str | None
    known: Known = Known.YES
    why: str = ""
    word: Word | None = None
    """The word in which exactly these characters are written, from ``start``; None for computed ones."""
    start: int = 0
    env: str = ""
    """The environment variable that would replace the run, had it another value."""
    origins: tuple[Origin, ...] = ()
    use: Use | None = None
    many: bool = False
    """Stands for any number of words."""
    unset: bool = False
    """Unknown, and empty as long as the environment does not set ``env``."""
    place: str | None = None
    """For an unknown path: where it is in the repository."""


Value = tuple[Run, ...]


class Field(NamedTuple):
    """One word after expansion; ``word`` is the word that was expanded."""

    runs: Value
    word: Word
    alone: bool = True
    """Whether the word gave no other field."""

    @property
    def text(self) -> str | None:
        """The text where it is known."""
        return text_of(self.runs)

    @property
    def many(self) -> bool:
        """Whether it may stand for any number of words."""
        return any(run.many for run in self.runs)


def text_of(runs: Iterable[Run]) -> str | None:
    """The text of a value; None where any run is not known."""
    texts = []
    for run in runs:
        if run.text is None or run.many:
            return None
        texts.append(run.text)
    return "".join(texts)


def known_of(runs: Iterable[Run]) -> Known:
    """The least certain of the runs."""
    least = Known.YES
    for run in runs:
        known = Known.NO if run.text is None else run.known
        if CERTAINTY[known] < CERTAINTY[least]:
            least = known
    return least


def weaker(first: Known, second: Known) -> Known:
    """The less certain of two."""
    return first if CERTAINTY[first] < CERTAINTY[second] else second


def origins_of(runs: Iterable[Run]) -> tuple[Origin, ...]:
    """All origins, each once, in order."""
    return tuple(dict.fromkeys(origin for run in runs for origin in run.origins))


def env_of(runs: Sequence[Run]) -> str:
    """The environment variable that the value is a copy of; empty where it is none."""
    names = {run.env for run in runs}
    return names.pop() if len(names) == 1 else ""


def unknown(
    why: str,
    *,
    env: str = "",
    origins: tuple[Origin, ...] = (),
    many: bool = False,
    unset: bool = False,
    place: str | None = None,
) -> Run:
    """A run whose characters are not known."""
    return Run(None, Known.NO, why, env=env, origins=origins, many=many, unset=unset, place=place)


def computed(text: str, runs: Iterable[Run], known: Known = Known.YES) -> Run:
    """Characters that were worked out from other runs."""
    runs = tuple(runs)
    return Run(text, weaker(known, known_of(runs)), origins=origins_of(runs))


def slice_runs(runs: Sequence[Run], start: int, end: int) -> Value:
    """The characters ``start`` to ``end`` of a value whose text is known."""
    pieces = []
    offset = 0
    for run in runs:
        text = run.text or ""
        first, last = max(start - offset, 0), min(end - offset, len(text))
        if first == 0 and last == len(text):
            if text or start <= offset < end:
                pieces.append(run)
        elif first < last:
            pieces.append(cut(run, first, last))
        offset += len(text)
    return tuple(pieces)


def cut(run: Run, first: int, last: int) -> Run:
    """Some of a run's characters."""
    text = run.text or ""
    return Run(
        text[first:last], run.known, run.why, run.word, run.start + first, "", run.origins, run.use, run.many
    )


def used(runs: Iterable[Run], word: Word, start: int, end: int) -> list[Run]:
    """The runs, having gone through the expansion that ``word`` has at ``start`` to ``end``."""
    return [
        Run(text, known, why, at, first, env, origins, Use(word, start, end, use), many, unset, place)
        for text, known, why, at, first, env, origins, use, many, unset, place in runs
    ]


def fed(runs: Iterable[Run], origin: Origin | None) -> Value:
    """The runs, having been assigned by ``origin``."""
    if origin is None:
        return tuple(runs)
    return tuple(
        run
        if origin in run.origins or len(run.origins) >= MAX_ORIGINS
        else run._replace(origins=(*run.origins, origin))
        for run in runs
    )


MAX_ORIGINS = 64
"""Past this many, further assignments of one value are not recorded."""
