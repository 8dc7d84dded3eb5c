from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from reviewbot.logic import Truth, all_of, any_of

T, F, U = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN


@pytest.mark.parametrize(("value", "truth"), [(True, T), (False, F), (None, U)])
def test_the_truth_of_a_bool(value: bool | None, truth: Truth) -> None:
    assert Truth.of(value) is truth


def test_negation() -> None:
    assert [~T, ~F, ~U] == [F, T, U]


@pytest.mark.parametrize(
    "values", [values for length in range(4) for values in product((T, F, U), repeat=length)]
)
def test_both_connectives_hold_whatever_the_unknown_turns_out_to_be(values: tuple[Truth, ...]) -> None:
    choices = [(T, F) if value is U else (value,) for value in values]
    worlds = [[value is T for value in world] for world in product(*choices)]
    for connective, plain in ((all_of, all), (any_of, any)):
        outcomes = {plain(world) for world in worlds}
        assert connective(values) is (Truth.of(outcomes.pop()) if len(outcomes) == 1 else U)


def test_the_decided_stops_the_search() -> None:
    def values(first: Truth) -> Iterator[Truth]:
        yield first
        raise AssertionError("looked further")

    assert all_of(values(F)) is F
    assert any_of(values(T)) is T


def test_a_truth_is_no_bool() -> None:
    for truth in Truth:
        with pytest.raises(TypeError, match="three values"):
            bool(truth)
