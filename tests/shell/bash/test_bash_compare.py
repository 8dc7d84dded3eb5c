"""The comparison itself: what it calls equal, unknown and wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from bash_compare import Comparison, compare
from bash_recorder import Given, Record, Run

from reviewbot.shell.model import Decision, Launch, Piece, ShellResult, Word
from reviewbot.text import Span

SPAN = Span("recipe.sh", 1, 1, 1, 2)
ARGUMENTS = Word((Piece(None, why='"$@"'),), SPAN, many=True)
DATE = Word((Piece("name=run_"), Piece(None, why="$(date)")), SPAN)
FROM_ENV = Word((Piece("dir="), Piece(None, why="$DATA"), Piece("/x")), SPAN)


def word(text: str) -> Word:
    return Word((Piece(text),), SPAN)


def launch(*words: str | Word, env: Mapping[str, str] | None = None, assumed: bool = False) -> Launch:
    argv = tuple(word(item) if isinstance(item, str) else item for item in ("python3", "-m", "main", *words))
    decisions = (Decision("[ -n $X ]", "true", SPAN, assumed),) if assumed else ()
    variables = {name: word(value) for name, value in (env or {}).items()}
    return Launch(SPAN, argv[2], True, argv, argv[3:], variables, decisions)


def record(
    *words: str, env: Mapping[str, str] | None = None, identity: str = "1", caller: str = ""
) -> Record:
    return Record(identity, caller, False, words, env or {})


def ran(*words: str, env: Mapping[str, str] | None = None) -> Record:
    return record("python3", "-m", "main", *words, env=env)


def compared(launches: list[Launch], records: list[Record], given: Given | None = None) -> Comparison:
    return compare(ShellResult(tuple(launches)), Run(tuple(records), 0, ""), given or Given(), {"HOME": "/h"})


def test_equal_words_are_counted() -> None:
    counts = compared([launch("a=1", "b=2")], [ran("a=1", "b=2", env={"HOME": "/h"})]).counts
    assert (counts.reached, counts.launches, counts.words, counts.equal, counts.wrong) == (1, 1, 5, 5, 0)


@pytest.mark.parametrize(
    ("said", "actual"),
    [
        (["a=1"], ["a=2"]),
        (["a=1", "b=2"], ["a=1"]),
        (["a=1"], ["a=1", "b=2"]),
        (["b=2", "a=1"], ["a=1", "b=2"]),
        ([DATE], ["name=other_1"]),
        ([FROM_ENV], ["dir=/data/y"]),
        ([ARGUMENTS], ["a=1"]),
        (["a=1", ARGUMENTS], []),
    ],
    ids=str,
)
def test_what_differs_is_wrong(said: list[str | Word], actual: list[str]) -> None:
    assert compared([launch(*said)], [ran(*actual)]).wrong


def test_a_missing_launch_is_wrong() -> None:
    assert compared([], [ran("a=1")]).counts.wrong == 1


def test_a_launch_that_bash_does_not_start_is_wrong() -> None:
    assert compared([launch("a=1"), launch("b=1")], [ran("a=1")]).counts.wrong == 1


def test_unknown_words_are_told_apart() -> None:
    counts = compared([launch(DATE, FROM_ENV)], [ran("name=run_0801", "dir=/data/x")]).counts
    assert (counts.equal, counts.unknown_env, counts.unknown_other, counts.wrong) == (3, 1, 1, 0)


def test_arguments_stand_for_the_words_that_were_given() -> None:
    counts = compared(
        [launch("a=1", ARGUMENTS, "b=2")], [ran("a=1", "x", "y", "b=2")], Given({}, ("x", "y"))
    ).counts
    assert (counts.equal, counts.unknown_env, counts.wrong) == (5, 2, 0)


def test_launches_are_paired_whatever_their_order() -> None:
    comparison = compared([launch("a=1"), launch("a=2")], [ran("a=2"), ran("a=1")])
    assert comparison.wrong == []


@pytest.mark.parametrize(
    ("said", "actual"),
    [({"A": "1"}, {"A": "2"}), ({}, {"A": "1"}), ({"A": "1"}, {}), ({"HOME": "/x"}, {"HOME": "/h"})],
)
def test_variables_are_compared(said: dict[str, str], actual: dict[str, str]) -> None:
    assert compared([launch(env=said)], [ran(env=actual)]).wrong
    assert compared([launch(env=actual)], [ran(env=actual)]).wrong == []


def test_a_wrapper_counts_as_the_command_or_its_program_does() -> None:
    outer = record("nohup", "python3", "-m", "main", "a=1", identity="0")
    inner = record("python3", "-m", "main", "a=1", identity="1", caller="0")
    wrapped = Launch(SPAN, word("main"), True, tuple(map(word, outer.argv)), (word("a=1"),))
    assert compared([wrapped], [outer, inner]).wrong == []
    assert compared([launch("a=1")], [outer, inner]).wrong == []
    assert compared([launch("a=2")], [outer, inner]).wrong


def test_the_arguments_of_the_program_are_compared_as_well() -> None:
    said = launch("a=1", "b=2")
    assert compared([replace(said, arguments=said.argv[4:])], [ran("a=1", "b=2")]).wrong
    assert compared([replace(said, entry_point=word("other"))], [ran("a=1", "b=2")]).wrong


def test_a_path_that_was_assumed_may_be_the_one_that_ran() -> None:
    counts = compared([launch("a=1"), launch("a=2", assumed=True)], [ran("a=2")]).counts
    assert (counts.elsewhere, counts.wrong) == (1, 0)


@pytest.mark.parametrize(
    "words", [("python3", "-c", "import x.py"), ("python3", "-"), ("ls", "-m"), ("python3",)]
)
def test_what_starts_no_program_is_no_launch(words: tuple[str, ...]) -> None:
    assert compared([], [record(*words)]).counts.launches == 0
