from __future__ import annotations

import contextlib
import io

import pytest
from hydra._internal.utils import get_args_parser
from hydra_reference import pieces, word
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.config.arguments import sort_arguments
from reviewbot.config.model import UNKNOWN, Arguments
from reviewbot.config.options import split_options
from reviewbot.shell.model import Piece, Word
from reviewbot.text import Span

TOKENS = st.sampled_from(pieces("command_line"))


@settings(max_examples=1000, deadline=None)
@given(st.lists(TOKENS, max_size=5))
def test_options_are_told_apart_as_argparse_does(texts: list[str]) -> None:
    split = split_options([word(text) for text in texts])
    parser = get_args_parser()
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            real = vars(parser.parse_args(texts))
    except SystemExit:
        assert split.refused
        return
    assert not split.refused
    assert [found.text for found in split.positional] == real["overrides"]
    ours: dict[str, object] = {
        name: False if value is True or value is False else None
        for name, value in real.items()
        if name != "overrides"
    }
    for option in split.options:
        ours[option.name.replace("-", "_")] = True if option.value is None else option.value
    assert ours == {name: value for name, value in real.items() if name != "overrides"}


def sort(*texts: str) -> Arguments:
    return sort_arguments([word(text) for text in texts])


def unknown(*pieces: str | None, many: bool = False, why: str = "$(date)") -> Word:
    """A word of known pieces and, for None, unknown ones."""
    return Word(
        tuple(Piece(piece, why="" if piece is not None else why) for piece in pieces),
        Span("x", 1, 1, 1, 2),
        many=many,
    )


def test_options_and_overrides() -> None:
    found = sort(
        "--config-path=config", "--config-name=main.yaml", "--cfg", "job", "a.b=1", "+c=[x]", "~d", "~e=1"
    )
    assert (found.config_path, found.config_name, found.config_dir) == ("config", "main", None)
    assert [option.text for option in found.options] == ["--cfg", "job"]
    assert [(o.op, o.key, o.value_text, o.value) for o in found.overrides] == [
        ("", "a.b", "1", 1),
        ("+", "c", "[x]", ["x"]),
        ("~", "d", None, None),
        ("~", "e", "1", 1),
    ]
    assert not found.malformed
    assert not found.open
    assert not found.unknown_config


def test_options_behind_the_overrides() -> None:
    found = sort("a=1", "-cn", "other", "--config-dir", "extra")
    assert (found.config_name, found.config_dir) == ("other", "extra")


def test_overrides_on_both_sides_of_an_option_are_refused() -> None:
    found = sort("a=1", "--config-name=x", "b=2")
    assert [override.key for override in found.overrides] == ["a"]
    assert [(bad.text, message) for bad, message in found.malformed] == [
        ("b=2", "unrecognized arguments: b=2")
    ]


def test_what_follows_a_double_dash_is_an_override() -> None:
    found = sort("--", "--config-name=x")
    assert found.config_name is None
    assert [bad.text for bad, _ in found.malformed] == ["--config-name=x"]


@pytest.mark.parametrize("text", ["actor rollout_ref.n=5", " ", "", "a", "a=1,2", "a=range(1,3)"])
def test_what_hydra_refuses_is_malformed(text: str) -> None:
    found = sort("b=1", text)
    assert [override.key for override in found.overrides] == ["b"]
    assert [bad.text for bad, _ in found.malformed] == [text]


def test_sweeps_are_unknown_values_under_multirun() -> None:
    assert sort("a=1,2", "hydra.mode=MULTIRUN").overrides[0].value is UNKNOWN
    found = sort("--multirun", "a=1,2")
    assert found.overrides[0].value is UNKNOWN
    assert not found.malformed
    assert [option.text for option in found.options] == ["--multirun"]


@pytest.mark.parametrize(
    ("given_word", "key"),
    [(unknown("a.b=", None), "a.b"), (unknown("+a.b=x", None, "y"), "a.b"), (unknown("~a=", None), "a")],
)
def test_a_known_key_with_an_unknown_value(given_word: Word, key: str) -> None:
    found = sort_arguments([given_word])
    assert [(o.key, o.value_text, o.value) for o in found.overrides] == [(key, None, UNKNOWN)]
    assert not found.open


@pytest.mark.parametrize(
    "given_word",
    [
        unknown("a.b", None),
        unknown(None),
        unknown(None, "=1"),
        unknown("a=1", many=True),
        unknown("--", None),
    ],
)
def test_words_without_a_known_key_are_open(given_word: Word) -> None:
    found = sort_arguments([given_word])
    assert found.open == (given_word,)
    assert not found.overrides
    assert not found.malformed


def test_a_key_that_no_value_can_save_is_malformed() -> None:
    assert [message for _, message in sort_arguments([unknown("a b=", None)]).malformed]


@pytest.mark.parametrize("flag", ["--config-name", "--config-path", "--config-dir"])
def test_an_unknown_config_is_said_to_be_unknown(flag: str) -> None:
    assert sort_arguments([unknown(f"{flag}=", None)]).unknown_config
    assert sort_arguments([word(flag), unknown(None), word("a=1")]).unknown_config
    assert sort_arguments([unknown(f"{flag}=", None), word(f"{flag}=x")]).unknown_config is False


@pytest.mark.parametrize("why", ["$(pwd)", "$PWD", "${PWD}", "`pwd`"])
def test_a_path_from_the_working_directory_is_known_from_the_root(why: str) -> None:
    found = sort_arguments([unknown("--config-path=", None, "/examples/config", why=why)])
    assert found.config_path == "$PWD/examples/config"
    assert not found.unknown_config
    apart = sort_arguments([word("--config-path"), unknown(None, "/conf", why=why)])
    assert apart.config_path == "$PWD/conf"


def test_many_words_after_a_flag_leave_everything_open() -> None:
    rest = unknown(None, many=True)
    found = sort_arguments([word("--config-name"), rest])
    assert found.unknown_config
    assert found.open == (rest,)
