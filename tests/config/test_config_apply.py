from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hydra_reference import FILES, Outcome, compose_with_hydra, overrides, pieces, word, write_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewbot.config.apply import apply
from reviewbot.config.arguments import sort_arguments
from reviewbot.config.compose import compose
from reviewbot.config.grammar import Parsed, parse_override
from reviewbot.config.launch import Configured, configure
from reviewbot.config.model import UNKNOWN, Applied, Base, Override, Refusal
from reviewbot.shell.model import Piece, Word
from reviewbot.text import Span
from reviewbot.tree import DirectoryTree

KEYS = st.sampled_from(pieces("keys"))
VALUES = st.sampled_from(pieces("values"))
GROUPS = st.sampled_from(pieces("groups"))
PLAIN = st.one_of(
    st.tuples(st.sampled_from(["", "", "+", "++", "~"]), KEYS, VALUES).map(lambda t: f"{t[0]}{t[1]}={t[2]}"),
    KEYS.map(lambda key: f"~{key}"),
)
COMMANDS = st.lists(st.one_of(PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, GROUPS), max_size=7).map(
    lambda texts: [text for text in texts if isinstance(parse_override(text), Parsed)]
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("tree"))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(COMMANDS)
def test_refusals_and_trees_equal_real_hydra(root: Path, texts: list[str]) -> None:
    real = compose_with_hydra(root / "conf", "main", texts)
    ours = _configured(root, texts)
    if real.tree is None:
        assert ours.refusals, real
        _compare_refusal(ours.refusals[0], real)
    else:
        assert not ours.refusals
        assert ours.applied is not None
        assert repr(ours.applied.tree) == repr(real.tree)


def _configured(root: Path, texts: list[str]) -> Configured:
    return configure(
        sort_arguments([word(text) for text in texts]), lambda _path, _name, groups: _base(root, groups)
    )


_BASES: dict[tuple[str, ...], Base | Refusal] = {}


def _base(root: Path, groups: tuple[str, ...]) -> Base | Refusal:
    if groups not in _BASES:
        _BASES[groups] = compose(DirectoryTree(root), config_dir="conf", config_name="main", groups=groups)
    return _BASES[groups]


def _compare_refusal(refusal: Refusal, real: Outcome) -> None:
    assert refusal.kind == real.kind
    if real.refused:
        assert refusal.override is not None
        assert refusal.override.word.text == real.refused


BASE = Base(
    {
        "a": {"x": 1, "none": None, "d": {"p": 1, "q": [1, 2]}, "empty": {}, "env": "${oc.env:HOME}"},
        "b": {"d": "${a.d}", "x": "${a.x}"},
    },
    "main",
    {},
)


def run(*texts: str) -> Applied:
    return apply(BASE, overrides(*texts))


def test_it_goes_on_after_a_refusal() -> None:
    applied = run("a.nope=1", "a.x=2", "+a.x=3", "~a.gone", "a.none=4")
    assert [
        (refusal.kind, refusal.override and refusal.override.word.text) for refusal in applied.refusals
    ] == [
        ("no-such-key", "a.nope=1"),
        ("append-exists", "+a.x=3"),
        ("delete-missing", "~a.gone"),
    ]
    assert applied.tree["a"]["x"] == 2
    assert applied.tree["a"]["none"] == 4
    assert "nope" not in applied.tree["a"]
    assert BASE.tree["a"]["x"] == 1


def test_messages_are_hydras_in_one_sentence() -> None:
    messages = [refusal.message for refusal in run("a.nope=1", "+a.x=3", "~a.gone", "~a.x=7").refusals]
    assert messages == [
        "Could not override 'a.nope': to append to your config use +a.nope=1",
        "Could not append to config, an item is already at 'a.x': either remove + prefix: 'a.x=3', "
        "or add a second + to add or override it: '++a.x=3'",
        "Could not delete from config, 'a.gone' does not exist",
        "Could not delete from config, the value of 'a.x' is 1 and not 7",
    ]


@pytest.mark.parametrize(
    ("texts", "kinds"),
    [
        (("+a.none=1",), []),
        (("+a.d={r: 1}",), []),
        (("+a.d.q=[3]",), []),
        (("a.d={r: 1}",), ["no-such-key"]),
        (("+a.d.p=2",), ["append-exists"]),
        (("++a.d.p=2",), []),
        (("a.x.y=1",), ["no-such-key"]),
        (("+a.x.y=1",), []),
        (("a.d=[1]",), ["type"]),
        (("+b.d.r=1",), []),
        (("+b.d.p=1",), ["append-exists"]),
        (("+a.d.r=1", "+b.d.r=2"), ["append-exists"]),
        (("+b.d.r=2", "+a.d.r=1"), []),
        (("b.d.p=1",), ["no-such-key"]),
        (("a@b=1",), ["no-such-group"]),
    ],
)
def test_rules(texts: tuple[str, ...], kinds: list[str]) -> None:
    assert [refusal.kind for refusal in run(*texts).refusals] == kinds


def test_force_add_replaces_an_interpolated_node() -> None:
    assert run("++b.d.r=1").tree["b"]["d"] == {"r": 1}


def test_the_environment_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/a/secret")
    for texts in (("+a.env=1",), ("+a.env=x", "~a.env"), ("~a.env",), ("+a.env.y=1",)):
        applied = run(*texts)
        assert "/a/secret" not in repr(applied)
    assert "env" not in run("~a.env").tree["a"]
    assert run("+a.env=1").tree["a"]["env"] == 1


def test_set_by_follows_each_leaf() -> None:
    applied = run("a.x=2", "a.d.p=3", "+a.d={p: 4, n: {m: 5}}", "a.none=6", "a.x=7", "+new.key=8", "~a.none")
    assert {key: override.word.text for key, override in applied.set_by.items()} == {
        "a.x": "a.x=7",
        "a.d.p": "+a.d={p: 4, n: {m: 5}}",
        "a.d.n.m": "+a.d={p: 4, n: {m: 5}}",
        "new.key": "+new.key=8",
    }
    assert [(earlier.word.text, later.word.text) for earlier, later in applied.superseded] == [
        ("a.d.p=3", "+a.d={p: 4, n: {m: 5}}"),
        ("a.x=2", "a.x=7"),
        ("a.none=6", "~a.none"),
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("+a.d={p: 2, n: 1}", "a.d.p=3"),
        ("a.x=1", "a.none=2"),
        ("+a.empty={}", "+a.empty.k=1"),
        ("a.d.p=1", "+a.d={n: 1}"),
        ("a.nope=1", "a.nope=2"),
    ],
)
def test_what_is_left_of_an_override_is_not_superseded(texts: tuple[str, ...]) -> None:
    assert run(*texts).superseded == ()


def test_a_null_takes_a_whole_dict() -> None:
    applied = run("a.d.p=3", "a.d=null")
    assert applied.tree["a"]["d"] is None
    assert [later.word.text for _, later in applied.superseded] == ["a.d=null"]


def not_known(op: str, key: str) -> Override:
    return Override(
        Word((Piece(f"{op}{key}="), Piece(None, why="$(date)")), Span("x", 1, 1, 1, 2)),
        op,
        key,
        None,
        UNKNOWN,
    )


@pytest.mark.parametrize(
    ("op", "key", "kinds"),
    [
        ("", "a.x", []),
        ("", "a.d", []),
        ("", "a.nope", ["no-such-key"]),
        ("+", "a.x", []),
        ("+", "a.new", []),
        ("++", "a.d.p", []),
        ("~", "a.x", []),
        ("~", "a.nope", ["delete-missing"]),
        ("+", "b.x", []),
    ],
)
def test_unknown_values_are_no_reason_to_refuse(op: str, key: str, kinds: list[str]) -> None:
    applied = apply(BASE, [not_known(op, key)])
    assert [refusal.kind for refusal in applied.refusals] == kinds
    if not kinds and op != "~":
        node: Any = applied.tree
        for part in key.split("."):
            node = node[part]
        assert node is UNKNOWN


def test_nothing_is_claimed_below_a_node_that_is_not_known() -> None:
    applied = apply(
        BASE, [not_known("", "a.d"), *overrides("a.d.what=1", "+a.d.p=2", "+a.d.q.r=3", "~a.d.p", "+b.d.p=1")]
    )
    assert applied.refusals == ()
    assert applied.tree["a"]["d"] is UNKNOWN


def test_ordinary_overrides_do_not_import_hydra() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests/config')\n"
        "from hydra_reference import overrides\n"
        "from reviewbot.config.apply import apply\n"
        "from reviewbot.config.effective import EffectiveConfig\n"
        "from reviewbot.config.model import Base\n"
        "base = Base({'a': {'x': 1, 'd': '${a.l}', 'l': [1], 'n': None}}, 'm', {})\n"
        "applied = apply(base, overrides('a.x=2', '+a.n=[x]', '++b={c: 1}', '~a.l', 'a.d=${a.x}', '+a.x=1', 'z=1'))\n"
        "assert EffectiveConfig(applied).get('a.d').value == 2\n"
        "assert [r.kind for r in applied.refusals] == ['append-exists', 'no-such-key']\n"
        "sys.exit('hydra' in sys.modules or 'omegaconf' in sys.modules or 'yaml' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_fixture_tree_composes(root: Path) -> None:
    assert set(FILES) == {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert compose_with_hydra(root / "conf", "main", []).tree is not None
