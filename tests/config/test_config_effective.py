from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hydra_reference import FILES, overrides, write_files
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.config.apply import apply
from reviewbot.config.compose import compose
from reviewbot.config.effective import EffectiveConfig
from reviewbot.config.model import UNKNOWN, Base, Override
from reviewbot.shell.model import Known, Piece, Word
from reviewbot.text import Span
from reviewbot.tree import DirectoryTree

TREE: dict[str, Any] = {
    "a": {
        "x": 1,
        "y": None,
        "deep": {"leaf": "v", "up": "${..x}", "list": [1, "${a.x}", {"in": "${.self}"}]},
    },
    "b": {
        "abs": "${a.x}",
        "node": "${a.deep}",
        "sibling": "${.abs}",
        "text": "n=${a.x}/${a.deep.leaf}/${a.y}",
        "item": "${a.deep.list[1]}",
        "nested": "${a.${c.name}}",
        "select": "${oc.select:a.nope,5}",
        "select_text": "${oc.select:a.nope,'it, is'}",
        "select_found": "${oc.select: a.x , 7}",
        "select_none": "${oc.select:a.nope}",
        "select_dict": "${oc.select:a.nope,{}}",
        "select_inner": "${oc.select:a.nope,${a.x}}",
        "decoded": "${oc.decode:'1e3'}",
        "env": "${oc.env:HOME}",
        "env_default": "${oc.env:NOPE,3}",
        "through_env": "${.env}",
        "missing": "${a.gone}",
        "must": "???",
        "to_must": "${.must}",
        "cycle": "${.back}",
        "back": "${.cycle}",
        "own": "${b}",
        "custom": "${hydra:runtime.cwd}",
        "broken": "${",
        "escaped": "\\${a.x}",
    },
    "c": {"name": "x"},
}


def effective(*texts: str, tree: dict[str, Any] = TREE) -> EffectiveConfig:
    return EffectiveConfig(apply(Base(tree, "main", {}), overrides(*texts)))


def value(config: EffectiveConfig, key: str) -> Any:
    setting = config.get(key)
    assert setting is not None, key
    return setting.value


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("a.x", 1),
        ("a.y", None),
        ("a.deep.up", 1),
        ("a.deep.list.1", 1),
        ("b.abs", 1),
        ("b.node.leaf", "v"),
        ("b.node.up", 1),
        ("b.sibling", 1),
        ("b.text", "n=1/v/None"),
        ("b.item", 1),
        ("b.nested", 1),
        ("b.select", 5),
        ("b.select_text", "it, is"),
        ("b.select_found", 1),
        ("b.select_none", None),
        ("b.select_dict", {}),
        ("b.select_inner", 1),
        ("b.decoded", 1000.0),
        ("b.must", "???"),
    ],
)
def test_interpolations_within_the_tree(key: str, expected: object) -> None:
    assert repr(value(effective(), key)) == repr(expected)


@pytest.mark.parametrize(
    "key",
    [
        "env",
        "env_default",
        "through_env",
        "missing",
        "to_must",
        "cycle",
        "back",
        "own",
        "custom",
        "broken",
        "escaped",
    ],
)
def test_what_leaves_the_tree_is_not_known(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/a/secret")
    setting = effective().get(f"b.{key}")
    assert setting is not None
    assert (setting.value, setting.known) == (UNKNOWN, Known.NO)


@pytest.mark.parametrize("key", ["nope", "a.nope", "a.x.y", "a.deep.list.7", "a.y.z", "b.node.nope"])
def test_keys_that_are_not_there(key: str) -> None:
    assert effective().get(key) is None


def test_a_dict_comes_with_its_interpolations_resolved() -> None:
    assert value(effective(), "b.node") == {"leaf": "v", "up": 1, "list": [1, 1, {"in": UNKNOWN}]}


def test_who_set_a_value_and_by_which_way() -> None:
    config = effective("a.x=2", "b.sibling=${.abs}", "a.deep.leaf=w")
    setting = config.get("b.abs")
    assert setting is not None
    assert setting.set_by is not None
    assert (setting.value, setting.set_by.key, setting.via) == (2, "a.x", ("a.x",))
    far = config.get("b.node.leaf")
    assert far is not None
    assert far.set_by is not None
    assert (far.value, far.set_by.key, far.via) == ("w", "a.deep.leaf", ("a.deep",))
    own = config.get("c.name")
    assert own is not None
    assert (own.set_by, own.known, own.via) == (None, Known.YES, ())


def with_pieces(key: str, *pieces: Piece, value: Any = UNKNOWN) -> Override:
    text = "".join(piece.text or "" for piece in pieces)
    word = Word((Piece(f"{key}="), *pieces), Span("x", 1, 1, 1, 2))
    return Override(word, "", key, None if value is UNKNOWN else text, value)


def test_the_least_certain_piece_decides() -> None:
    base = Base(TREE, "main", {})
    by_default = with_pieces("a.x", Piece("8", known=Known.DEFAULT), value=8)
    config = EffectiveConfig(apply(base, [by_default]))
    setting = config.get("b.text")
    assert setting is not None
    assert (setting.value, setting.known) == ("n=8/v/None", Known.DEFAULT)


def test_an_unknown_override() -> None:
    unknown = with_pieces("a.deep", Piece(None, why="$X"))
    config = EffectiveConfig(apply(Base(TREE, "main", {}), [unknown, *overrides("a.deep.leaf=7")]))
    setting = config.get("a.deep.up")
    assert setting is not None
    assert (setting.value, setting.set_by, setting.known) == (UNKNOWN, unknown, Known.NO)
    assert value(config, "b.node.up") is UNKNOWN
    assert value(config, "a.deep.leaf") == 7
    assert config.get("a.other") is None


def test_keys_and_leaves() -> None:
    config = effective("+a.new={k: {}, l: [1]}")
    assert config.keys("a") == ("a.x", "a.y", "a.deep.leaf", "a.deep.up", "a.deep.list", "a.new.k", "a.new.l")
    assert config.keys("b.node") == ("b.node.leaf", "b.node.up", "b.node.list")
    assert config.keys("a.x") == ()
    assert config.keys("nope") == ()
    leaves = dict(config.leaves())
    assert set(leaves) == set(config.keys())
    assert leaves["a.new.k"].value == {}


def test_text_that_doubles_is_bounded() -> None:
    tree = {"t0": "x" * 100, **{f"t{n}": f"${{t{n - 1}}}${{t{n - 1}}}" for n in range(1, 40)}}
    assert value(effective(tree=tree), "t39") is UNKNOWN


def test_dicts_that_double_are_bounded() -> None:
    tree: dict[str, Any] = {"d0": {"x": 1}}
    tree |= {f"d{n}": {"l": f"${{d{n - 1}}}", "r": f"${{d{n - 1}}}"} for n in range(1, 30)}
    assert isinstance(value(effective(tree=tree), "d29"), dict)


NAMES = ["p", "q", "r"]
REFERENCES = st.one_of(
    st.sampled_from([1, None, "x", True, 2.5, "???", "a b", "${oc.env:NOPE}", "${", "${ p }", "$x", "${p}"]),
    st.sampled_from(
        ["${%s}", "${.%s}", "${..%s}", "t-${%s}", "${%s}${%s}", "${oc.select:%s,9}", "${oc.select:.%s}"]
    ).flatmap(
        lambda form: st.tuples(
            *[st.sampled_from([*NAMES, "p.q", "q.r.p", "r[0]", "q.nope", "r.1"])] * form.count("%s")
        ).map(lambda names: form % names)
    ),
)
TREES = st.dictionaries(
    st.sampled_from(NAMES),
    st.recursive(
        REFERENCES,
        lambda inner: st.one_of(
            st.dictionaries(st.sampled_from(NAMES), inner, max_size=3), st.lists(inner, max_size=2)
        ),
        max_leaves=8,
    ),
    min_size=1,
)


@settings(max_examples=250, deadline=None)
@given(TREES)
def test_known_values_equal_omegaconf(tree: dict[str, Any]) -> None:
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        real = DictConfig(tree)
    except OmegaConfBaseException:
        return
    config = EffectiveConfig(apply(Base(tree, "main", {}), []))
    leaves = config.keys()
    for key in [*leaves, *[f"{name}.{other}" for name in NAMES for other in NAMES]]:
        setting = config.get(key)
        try:
            expected = OmegaConf.select(real, key, throw_on_missing=False)
        except OmegaConfBaseException:
            assert setting is None or setting.value is UNKNOWN or key not in leaves
            continue
        if setting is None or setting.value == "???":
            assert expected is None
        elif not isinstance(setting.value, (dict, list)) and setting.value is not UNKNOWN:
            assert repr(setting.value) == repr(expected)


def test_nothing_of_the_sample_is_unknown_but_the_environment(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    base = compose(DirectoryTree(tmp_path), config_dir="conf", config_name="main")
    assert isinstance(base, Base)
    unknown = {key for key, setting in EffectiveConfig(apply(base, [])).leaves() if setting.value is UNKNOWN}
    assert unknown == {"data.path", "data.loop_a", "data.loop_b"}
