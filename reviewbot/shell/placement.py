"""Where a word is written, and the word as other stages see it."""

from __future__ import annotations

from reviewbot.shell.model import Piece, Word
from reviewbot.shell.syntax import Quoted
from reviewbot.shell.syntax import Word as SyntaxWord
from reviewbot.shell.values import Field, Run, Use, origins_of
from reviewbot.text import Span


def model_word(field: Field, fallback: Span) -> Word:
    """The word of a field.  ``fallback`` is for words that stand in no file."""
    runs = [run for run in field.runs if run.text != "" or len(field.runs) == 1]
    pieces = tuple(Piece(run.text, _run_span(run), run.known, run.why) for run in runs)
    return Word(pieces or (Piece(""),), field_span(field) or fallback, origins_of(field.runs), field.many)


def _run_span(run: Run) -> Span | None:
    if run.word is None or not run.text:
        return None
    return run.word.code.span(run.start, run.start + len(run.text))


def field_span(field: Field) -> Span | None:
    """The span where the field is written: see :class:`reviewbot.shell.model.Word`."""
    runs = field.runs
    here = field.word
    if field.alone and (len(runs) == 1 and runs[0].word is here and runs[0].use is None):
        return here.code.span(here.start, here.end)
    key = _key_run(runs)
    if key is None:
        return here.code.span(here.start, here.end)
    container = _container(key, here)
    if container is here and field.alone:
        return here.code.span(here.start, here.end)
    stretch = _stretch(runs, container)
    if stretch is None:
        return here.code.span(here.start, here.end)
    start, end = _with_quotes(container, *stretch)
    return container.code.span(start, end) or here.code.span(here.start, here.end)


def _key_run(runs: tuple[Run, ...]) -> Run | None:
    """The run that holds the first ``=``; else the first that has characters in a file."""
    for run in runs:
        if run.text and "=" in run.text and (run.word is not None or run.use is not None):
            return run
    return next((run for run in runs if run.text and (run.word or run.use)), runs[0] if runs else None)


def _container(run: Run, here: SyntaxWord) -> SyntaxWord:
    """The word in which the run's characters are written; for computed ones, where they are first used."""
    if run.word is not None:
        return run.word
    innermost = None
    use = run.use
    while use is not None:
        innermost = use
        use = use.before
    return here if innermost is None else innermost.word


def _stretch(runs: tuple[Run, ...], container: SyntaxWord) -> tuple[int, int] | None:
    """From the first to the last offset that the runs take in their container."""
    chains = []
    for run in runs:
        uses = _uses_in(run, container)
        if run.word is container:
            uses.append((run.start, run.start + len(run.text or "")))
        if uses:
            chains.append(uses)
    if not chains:
        return None
    shared = 0
    while all(len(chain) > shared + 1 for chain in chains) and len({chain[shared] for chain in chains}) == 1:
        shared += 1
    places = [chain[shared] for chain in chains]
    return min(start for start, _ in places), max(end for _, end in places)


def _uses_in(run: Run, container: SyntaxWord) -> list[tuple[int, int]]:
    """The expansions of the container that the run went through, the outermost first."""
    found = []
    use: Use | None = run.use
    steps = 0
    while use is not None and steps < 200:
        if use.word is container:
            found.append((use.start, use.end))
        use = use.before
        steps += 1
    return found


def _with_quotes(container: SyntaxWord, start: int, end: int) -> tuple[int, int]:
    """Widens a stretch by quotes whose whole inside it takes, and to the whole word where only quotes are left."""
    for part in container.parts:
        if isinstance(part, Quoted):
            inner_start = container.code.text.find(container.code.text[part.end - 1], part.start) + 1
            if start == inner_start and end >= part.end - 1:
                start = part.start
            if end == part.end - 1 and start <= part.start:
                end = part.end
    return start, end
