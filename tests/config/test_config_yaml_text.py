"""YAML texts that cannot be taken."""

from __future__ import annotations

import pytest

from reviewbot.config.yaml_text import read_yaml, yaml_problem


@pytest.mark.parametrize("text", ['a: !!bool "zz"', 'a: !!int ""', 'a: !!float ""', 'a: !!timestamp "zzz"'])
def test_a_tag_that_does_not_fit(text: str) -> None:
    with pytest.raises(ValueError, match="a value is not what its tag says") as caught:
        read_yaml(text)
    assert yaml_problem(caught.value) == "a value is not what its tag says"
