"""The launches of the paths through a script, each once, as other stages see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviewbot.shell.code import Code
from reviewbot.shell.model import Decision, Launch, Word
from reviewbot.shell.placement import model_word
from reviewbot.shell.syntax import Word as SyntaxWord
from reviewbot.shell.values import Field, Value, cut
from reviewbot.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """A program that a path starts."""

    span: Span
    argv: Sequence[Field]
    """The words that an observer sees."""
    entry: Field
    joined: bool
    """Whether the module stands in one word with its option: ``-mpackage.module``."""
    is_module: bool
    arguments: Sequence[Field]
    env: Mapping[str, tuple[Value, Span]]
    decisions: tuple[Decision, ...]

    @property
    def assumed(self) -> int:
        """How many branches were assumed on the way."""
        return sum(decision.assumed for decision in self.decisions)


def distinct(started: Sequence[Started], alternatives: Iterable[Decision]) -> tuple[Started, ...]:
    """Each launch once: of those with the same words and environment, the first with the fewest assumptions.

    ``alternatives`` are what the default path did not take.  Decisions of the default path that make no difference
    to a launch, as it is the same whatever is taken there, are left out.
    """
    alike: dict[object, list[Started]] = {}
    identities = _Identities()
    for launch in started:
        alike.setdefault(identities.launch(launch), []).append(launch)
    others: dict[Span, set[str]] = {}
    for decision in alternatives:
        others.setdefault(decision.span, set()).add(decision.taken)
    return tuple(_without_idle_decisions(same, others) for same in alike.values())


def _without_idle_decisions(same: list[Started], others: Mapping[Span, set[str]]) -> Started:
    kept = min(same, key=lambda launch: launch.assumed)
    if kept.assumed or len(same) == 1 or not kept.decisions:
        return kept
    reached: dict[Span, set[str]] = {}
    for launch in same:
        assumed = [decision for decision in launch.decisions if decision.assumed]
        if len({decision.span for decision in assumed}) == 1:
            reached.setdefault(assumed[0].span, set()).add(assumed[0].taken)
    needed = tuple(
        decision
        for decision in kept.decisions
        if not others.get(decision.span) or others[decision.span] - reached.get(decision.span, set())
    )
    return replace(kept, decisions=needed)


class _Identities:
    """What makes two launches the same; worked out once for each value."""

    def __init__(self) -> None:
        self.values: dict[int, tuple[Value, object]] = {}

    def launch(self, launch: Started) -> object:
        return (
            launch.span,
            tuple([self.value(word.runs) for word in launch.argv]),
            tuple([self.value(word.runs) for word in launch.arguments]),
            tuple([(name, self.value(value)) for name, (value, _) in launch.env.items()]),
        )

    def value(self, runs: Value) -> object:
        found = self.values.get(id(runs))
        if found is None or found[0] is not runs:
            texts = tuple(
                (run.text, run.why if run.text is None else "", id(run.word), run.start) for run in runs
            )
            found = self.values[id(runs)] = (runs, texts)
        return found[1]


def model_launches(started: Iterable[Started]) -> tuple[Launch, ...]:
    """The launches as other stages see them."""
    words = _Words()
    return tuple(words.launch(launch) for launch in started)


@dataclass
class _Words:
    """Words, made once for each field and each value."""

    fields: dict[int, Word] = field(default_factory=dict)
    values: dict[tuple[int, Span], Word] = field(default_factory=dict)

    def launch(self, started: Started) -> Launch:
        entry = self.word(started.entry, started.span)
        if started.joined:
            behind = started.entry._replace(runs=_behind(started.entry.runs, 2))
            entry = Word(model_word(behind, started.span).pieces, entry.span, entry.origins)
        return Launch(
            started.span,
            entry,
            started.is_module,
            tuple(self.word(word, started.span) for word in started.argv),
            tuple(self.word(word, started.span) for word in started.arguments),
            {name: self.value(value, span) for name, (value, span) in started.env.items()},
            started.decisions,
        )

    def word(self, word: Field, fallback: Span) -> Word:
        made = self.fields.get(id(word))
        if made is None:
            made = self.fields[id(word)] = model_word(word, fallback)
        return made

    def value(self, value: Value, span: Span) -> Word:
        key = (id(value), span)
        made = self.values.get(key)
        if made is None:
            word = next((run.word for run in value if run.word is not None), None) or _NOWHERE
            made = model_word(Field(value, word, False), span)
            made = self.values[key] = Word(made.pieces, span, made.origins)
        return made


_NOWHERE = SyntaxWord(Code("", (0,), (None,)), 0, 0, [])


def _behind(runs: Value, count: int) -> Value:
    """The runs without their first characters."""
    kept = []
    for run in runs:
        length = len(run.text or "")
        if run.text is not None and count:
            taken = min(count, length)
            count -= taken
            run = cut(run, taken, length)
        kept.append(run)
    return tuple(kept)
