"""Compares what reviewbot says a script would run with what bash ran, word by word.

A known word that differs, and a missing or additional word or launch, is *wrong*.  A word that reviewbot
leaves open is *unknown*, as long as its known pieces fit: because of the environment or the arguments of the
script (``$NAME``, ``"$@"``), or for another reason (``$(date)``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from bash_recorder import Given, Record, Run, is_internal
from bash_words import fits, from_environment, pair_words, shown

from reviewbot.shell.model import Launch, ShellResult

LAUNCHERS = re.compile(r"python[\d.]*|torchrun|accelerate|deepspeed|uv")


@dataclass
class Counts:
    """Figures that add up over scripts."""

    scripts: int = 0
    reached: int = 0
    """Scripts that start a launch under bash."""
    launches: int = 0
    words: int = 0
    equal: int = 0
    unknown_env: int = 0
    unknown_other: int = 0
    variables: int = 0
    """Exported variables."""
    variables_unknown: int = 0
    elsewhere: int = 0
    """Launches that reviewbot has on a path that the defaults do not decide."""
    wrong: int = 0

    def __iadd__(self, other: Counts) -> Counts:
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))
        return self


@dataclass
class Comparison:
    """One script."""

    counts: Counts = field(default_factory=lambda: Counts(scripts=1))
    wrong: list[str] = field(default_factory=list)
    """One line for each wrong word, launch or variable."""
    unknown: list[str] = field(default_factory=list)
    """One line for each word that is unknown for another reason than the environment."""

    def say_wrong(self, text: str) -> None:
        """Count one wrong thing."""
        self.wrong.append(text)
        self.counts.wrong += 1


@dataclass(frozen=True)
class Chain:
    """A launch under bash: the records from the outermost command (``nohup``) to the program itself."""

    records: tuple[Record, ...]

    @property
    def inner(self) -> Record:
        """The program itself."""
        return self.records[-1]


def compare(result: ShellResult, run: Run, given: Given, declared: Mapping[str, str]) -> Comparison:
    """The comparison of one script; ``declared`` are the variables that both sides were told.

    Alike launches may be one launch of reviewbot's.  What bash does not start is wrong only where the script came to
    its end, on the path that the defaults decide.
    """
    comparison = Comparison()
    chains = launches_under_bash(run)
    comparison.counts.reached = bool(chains)
    comparison.counts.launches = len(chains)
    default = [launch for launch in result.launches if launch.on_default_path]
    assumed = [launch for launch in result.launches if not launch.on_default_path]
    pairs, chains, default = _paired(chains, default, given, declared)
    again, chains = _alike(chains, [launch for _, launch in pairs], given, declared)
    elsewhere, chains, _ = _paired(chains, assumed, given, declared)
    nearest, chains, default = _paired(chains, default, given, declared, only_exact=False)
    comparison.counts.elsewhere = len(elsewhere)
    pairs = [*pairs, *again, *elsewhere, *nearest]
    for chain, launch in pairs:
        _count(comparison, chain, launch, given, declared)
    covered = {record.identity for chain, _ in pairs for record in chain.records[:-1]}
    for chain in chains:
        if chain.records[0].identity not in covered:
            argv = chain.inner.argv
            comparison.say_wrong(f"missing launch: {' '.join(argv[:4])} … ({len(argv)} words)")
    if run.status == 0 and not elsewhere:
        others = [Chain((record,)) for record in run.records if not is_launch(record)]
        for launch in _paired(others, default, given, declared)[2]:
            if f"{launch.argv[0].text}: No such file or directory" in run.errors:
                continue
            where = f"line {launch.span.line}: {shown(launch.argv[:4])} …"
            comparison.say_wrong(f"launch that bash does not start, {where}")
    return comparison


def launches_under_bash(run: Run) -> list[Chain]:
    """The commands that start a Python program, in order."""
    by_identity = {record.identity: record for record in run.records}
    chains = []
    for record in run.records:
        if is_launch(record):
            chain = [record]
            while chain[0].caller in by_identity:
                chain.insert(0, by_identity[chain[0].caller])
            chains.append(Chain(tuple(chain)))
    outer = {record.identity for chain in chains for record in chain.records[:-1]}
    return [chain for chain in chains if chain.inner.identity not in outer]


def is_launch(record: Record) -> bool:
    """Whether a command starts a module or a file of Python."""
    if record.lost or not LAUNCHERS.fullmatch(record.argv[0].rpartition("/")[2]):
        return False
    for word in record.argv[1:]:
        if word in ("-c", "-", "pytest"):
            return False
        if word == "-m" or word.endswith(".py"):
            return True
    return False


Pairs = list[tuple[Chain, Launch]]


def _paired(
    chains: Sequence[Chain],
    launches: Sequence[Launch],
    given: Given,
    declared: Mapping[str, str],
    *,
    only_exact: bool = True,
) -> tuple[Pairs, list[Chain], list[Launch]]:
    """Pairs without a wrong word, or else the best ones, and what is left over."""
    pairs, left = [], list(launches)
    over = []
    for chain in chains:
        costs = [(_wrong(chain, launch, given, declared), at) for at, launch in enumerate(left)]
        cost, at = min(costs, default=(1, -1))
        if at >= 0 and (cost == 0 or not only_exact):
            pairs.append((chain, left.pop(at)))
        else:
            over.append(chain)
    return pairs, over, left


def _alike(
    chains: Sequence[Chain], launches: Sequence[Launch], given: Given, declared: Mapping[str, str]
) -> tuple[Pairs, list[Chain]]:
    """The chains that are like one that was paired, each with its launch; and the others."""
    pairs: Pairs = []
    over = []
    for chain in chains:
        launch = next((item for item in launches if not _wrong(chain, item, given, declared)), None)
        if launch is None:
            over.append(chain)
        else:
            pairs.append((chain, launch))
    return pairs, over


def _wrong(chain: Chain, launch: Launch, given: Given, declared: Mapping[str, str]) -> int:
    trial = Comparison()
    _count(trial, chain, launch, given, declared)
    return trial.counts.wrong


def _count(
    comparison: Comparison, chain: Chain, launch: Launch, given: Given, declared: Mapping[str, str]
) -> None:
    """Add the words and variables of one launch."""
    pairing = min(
        (pair_words(launch.argv, record.argv, given) for record in chain.records),
        key=lambda pairing: pairing.wrong,
    )
    where = f"line {launch.span.line}"
    for word, actual in pairing.pairs:
        comparison.counts.words += actual is not None
        if word is None or actual is None or not fits(word, actual):
            comparison.say_wrong(f"{where}: bash {actual!r}, reviewbot {shown([word]) if word else None}")
        elif word.text is not None:
            comparison.counts.equal += 1
        elif from_environment(word):
            comparison.counts.unknown_env += 1
        else:
            comparison.counts.unknown_other += 1
            comparison.unknown.append(f"{where}: bash {actual!r}, reviewbot {shown([word])}")
    if not pairing.wrong:
        _count_arguments(comparison, chain.inner, launch, given)
    _count_variables(comparison, chain, launch, {**declared, **given.env})


def _count_arguments(comparison: Comparison, inner: Record, launch: Launch, given: Given) -> None:
    """The words after the entry point are those that the program gets."""
    entry = launch.entry_point.text
    if entry is None:
        return
    if entry not in inner.argv:
        comparison.say_wrong(
            f"line {launch.span.line}: entry point {entry!r}, bash {' '.join(inner.argv[:4])}"
        )
        return
    actual = inner.argv[inner.argv.index(entry) + 1 :]
    for word, text in pair_words(launch.arguments, actual, given).pairs:
        if word is None or text is None or not fits(word, text):
            said = shown([word]) if word else None
            comparison.say_wrong(f"line {launch.span.line}: argument under bash {text!r}, reviewbot {said}")


def _count_variables(comparison: Comparison, chain: Chain, launch: Launch, told: Mapping[str, str]) -> None:
    """The exported variables, where they are not what the script was given."""
    outer, inner = chain.records[0].env, chain.inner.env
    for name in sorted(inner.keys() | outer.keys() | launch.env.keys()):
        if is_internal(name):
            continue
        values = {env.get(name) for env in (outer, inner)}
        word = launch.env.get(name)
        if word is None:
            if told.get(name) not in values:
                comparison.say_wrong(
                    f"line {launch.span.line}: variable {name}: bash {values}, reviewbot has none"
                )
            continue
        comparison.counts.variables += 1
        comparison.counts.variables_unknown += word.text is None
        if not any(value is not None and fits(word, value) for value in values):
            comparison.say_wrong(
                f"line {launch.span.line}: variable {name}: bash {values}, reviewbot {shown([word])}"
            )
