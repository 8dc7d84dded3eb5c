from __future__ import annotations

import subprocess
import sys

import pytest
from hydra_reference import pieces
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.config.grammar import (
    Malformed,
    NotPlainError,
    Parsed,
    judged_by_hydra,
    parse_override,
    plain_value,
)
from reviewbot.config.model import UNKNOWN

PIECES = st.sampled_from(pieces("grammar"))
VALUES = st.recursive(
    st.sampled_from(
        ["1", "x", "null", "'s p'", "-1.5", "${a}", "a:b", "true", "", " ", "0x1F", "1_0", "_1", "e5"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[" + ",".join(items) + "]"),
        st.lists(inner, max_size=3).map(lambda items: "[ " + " , ".join(items) + " ]"),
        st.lists(
            st.tuples(st.sampled_from(["k", "1", "true", "null", "a-b", "a b", "1.5"]), inner), max_size=3
        ).map(lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items) + "}"),
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["a", "a.b.c", "a/b", "a@b.c", "a.0.b", "$x", "a-b", "a_1.b-2", "0.1", "a.$b", "a/b@c"]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=6).map("".join),
    st.tuples(st.sampled_from(["", "+", "++", "~"]), KEYS, st.lists(PIECES, max_size=4).map("".join)).map(
        lambda parts: f"{parts[0]}{parts[1]}={parts[2]}"
    ),
    st.tuples(KEYS, VALUES).map("=".join),
)


@settings(max_examples=600, deadline=None)
@given(TEXTS)
def test_the_fast_path_equals_hydra(text: str) -> None:
    assert repr(parse_override(text)) == repr(judged_by_hydra(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", ""),
        ("5", 5),
        ("1_000", 1000),
        ("-1e-6", -1e-6),
        ("TRUE", True),
        ("null", None),
        ("None", "None"),
        ("007", "007"),
        ("'5'", "5"),
        ('"a b"', "a b"),
        ("hdfs://host:9000/x", "hdfs://host:9000/x"),
        ("${oc.env:HOME}/data", "${oc.env:HOME}/data"),
        ("['console', \"wandb\"]", ["console", "wandb"]),
        ("{a: {b: [1, 2.5]}, 3: x}", {"a": {"b": [1, 2.5]}, 3: "x"}),
    ],
)
def test_plain_values_need_no_hydra(text: str, value: object) -> None:
    assert repr(plain_value(text)) == repr(value)


@pytest.mark.parametrize(
    "text", ["1,2", "str(5)", "a b", "'a\\'b'", "[", "[1", "{a}", " 5", "é", "a=b", "x" + "[" * 50]
)
def test_other_values_go_to_hydra(text: str) -> None:
    with pytest.raises(NotPlainError):
        plain_value(text)


def test_casts_are_values() -> None:
    assert parse_override("a=str(5)") == Parsed("", "a", "str(5)", "5")
    assert parse_override("~a") == Parsed("~", "a", None, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a=1,2", "Ambiguous value for argument 'a=1,2'"),
        ("a=choice(1,2)", "Sweep parameters 'a=choice(1,2)' requires --multirun"),
        ("a=range(1,3)", "requires --multirun"),
        ("a=interval(0,1)", "requires --multirun"),
        ("a=glob(*)", "requires --multirun"),
    ],
)
def test_sweeps_say_what_hydra_says(text: str, said: str) -> None:
    parsed = parse_override(text)
    assert isinstance(parsed, Parsed)
    assert parsed.value is UNKNOWN
    assert said in parsed.sweep


@pytest.mark.parametrize(
    "text", ["", " ", "actor rollout.n=5", "a[0]=1", "a=[1", "a=int(x)", "=", "a" * 9 + "\u00e9=1"]
)
def test_what_hydra_refuses_has_a_message(text: str) -> None:
    parsed = parse_override(text)
    if text == "=":
        assert parsed == Parsed("", "", "", "")
    else:
        assert isinstance(parsed, Malformed)
        assert parsed.message
        assert "\n" not in parsed.message


def test_hostile_sizes_are_refused_not_fatal() -> None:
    for text in ("a=" + "[" * 3000 + "]" * 3000, "a=" + "9" * 5000):
        assert isinstance(parse_override(text), Malformed)


def test_values_without_end_are_not_known() -> None:
    parsed = parse_override("a.b=" + "x y," * 100_000)
    assert isinstance(parsed, Parsed)
    assert (parsed.key, parsed.value, parsed.sweep) == ("a.b", UNKNOWN, "")


def test_ordinary_overrides_do_not_import_hydra() -> None:
    code = (
        "import sys; from reviewbot.config.grammar import parse_override as p;"
        "[p(t) for t in ('a=1', '+b.c=[x, \"y\"]', '~d', 'e={f: 1e-6}', 'g=${h}/i', 'j@k=l')];"
        "sys.exit('hydra' in sys.modules or 'omegaconf' in sys.modules or 'antlr4' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
