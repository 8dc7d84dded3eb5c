"""Facts as texts, config trees as nodes, and the cache."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.errors import InputError
from reviewbot.knowledge import cache as cache_module
from reviewbot.knowledge.cache import Cache, default_folder
from reviewbot.knowledge.commands import extract_facts
from reviewbot.knowledge.extract import extract
from reviewbot.knowledge.facts import read_facts
from reviewbot.knowledge.model import EntryPoint
from reviewbot.knowledge.nodes import NodeReader, NodeWriter
from reviewbot.knowledge.paths import rules_folder
from reviewbot.knowledge.verl import VERL
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]

SOURCE = {
    "verl/trainer/main_ppo.py": """
        @hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
        def main(config): ...
        """,
    "verl/trainer/config/ppo_trainer.yaml": """
        defaults:
          - model_engine: dp
          - actor@actor: ${model_engine}_actor
          - _self_
        epochs: 1
        long: {one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8}
        """,
    "verl/trainer/config/model_engine/dp.yaml": "# @package _global_\nmodel_engine: dp\n",
    "verl/trainer/config/model_engine/megatron.yaml": "# @package _global_\nmodel_engine: megatron\n",
    "verl/trainer/config/actor/dp_actor.yaml": "strategy: fsdp\nlr: 1e-6\n",
    "verl/trainer/config/actor/megatron_actor.yaml": "strategy: megatron\nlr: 1e-6\n",
    "verl/trainer/config/broken.yaml": "defaults: [nothing]\n",
    "verl/trainer/config/actor/not_yaml.yaml": "a: [\n",
    "verl/trainer/config/_generated_ppo_trainer.yaml": "epochs: 2\n",
}


def test_extraction(make_tree: MakeTree) -> None:
    facts = extract(make_tree(SOURCE), VERL, "1.0")
    path, folder = "verl/trainer/main_ppo.py", "verl/trainer/config"
    assert facts.entry_points == (EntryPoint("verl.trainer.main_ppo", path, 2, folder, "ppo_trainer"),)
    default = facts.base(folder, "ppo_trainer", ())
    megatron = facts.base(folder, "ppo_trainer", [("model_engine", "megatron")])
    assert default is not None
    assert megatron is not None
    assert default.tree["actor"] == {"strategy": "fsdp", "lr": 1e-6}
    assert megatron.tree["actor"]["strategy"] == "megatron"
    assert facts.base(folder, "ppo_trainer", [("model_engine", "dp")]) is None
    assert facts.base(folder, "other", ()) is None
    assert facts.config_files[f"{folder}/model_engine/dp.yaml"].package == "@package _global_"
    assert not any("_generated_" in path for path in facts.config_files)
    assert len(facts.problems) == 2
    assert facts.has_module("verl.trainer.main_ppo")
    assert not facts.has_module("verl.trainer.main")


def test_text_is_stable_and_one_item_a_line(make_tree: MakeTree) -> None:
    facts = extract(make_tree(SOURCE), VERL, "1.0")
    text = facts.text()
    assert read_facts(text, "x") == facts
    assert read_facts(text, "x").text() == text
    assert extract(make_tree(dict(reversed(SOURCE.items()))), VERL, "1.0").text() == text
    changed = {**SOURCE, "verl/trainer/config/actor/dp_actor.yaml": "strategy: fsdp2\nlr: 1e-6\n"}
    other = extract(make_tree(changed), VERL, "1.0").text()
    assert len(set(text.splitlines()) ^ set(other.splitlines())) <= 8


def test_extract_command(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        extract_facts(str(tmp_path / "none"), "1.0")
    with pytest.raises(InputError, match="does not hold the source of verl"):
        extract_facts(str(tmp_path), "1.0")
    for path, text in SOURCE.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("\n".join(line.removeprefix("        ") for line in text.split("\n")))
    facts = read_facts(extract_facts(str(tmp_path), "1.0"), "x")
    assert (facts.framework, facts.version, len(facts.entry_points)) == ("verl", "1.0", 1)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 0}', "{"])
def test_texts_that_hold_no_facts(text: str) -> None:
    with pytest.raises(InputError, match="x holds no facts"):
        read_facts(text, "x")


@pytest.mark.parametrize(
    "path", sorted((rules_folder() / "verl" / "facts").glob("*.json")), ids=lambda path: path.stem
)
def test_bundled_facts_are_sound(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    facts = read_facts(text, path.name)
    assert facts.text() == text
    assert (facts.framework, facts.version, facts.problems) == ("verl", path.stem, ())
    assert facts.traces
    assert len(text.encode()) <= 420_000
    for entry in facts.entry_points:
        assert facts.base(entry.config_dir, entry.config_name, ()) is not None


PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(st.sampled_from(["=", "%", "a"]), st.text(max_size=30), st.integers()), inner
        ),
    ),
    max_leaves=25,
)


@given(PLAIN)
def test_nodes_give_back_what_was_put_in(value: Any) -> None:
    writer = NodeWriter()
    stored = json.loads(json.dumps([writer.add(value), writer.nodes]))
    assert NodeReader(stored[1]).tree(stored[0]) == value


def test_equal_subtrees_are_stored_once() -> None:
    writer = NodeWriter()
    inner = {f"key_{number}": number for number in range(20)}
    for name in ("a", "b", "c"):
        writer.add({name: dict(inner), "padding of some length": name})
    assert len(writer.nodes) == 4


def test_cache_keeps_values_and_survives_rubbish(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get("kind", ["a"]) is None
    cache.put("kind", ["a", "b"], {"x": [1]})
    assert cache.get("kind", ["a", "b"]) == {"x": [1]}
    assert cache.get("kind", ["ab", ""]) is None
    assert cache.get("other", ["a", "b"]) is None
    (entry,) = tmp_path.rglob("*.json")
    for rubbish in (b"", b"\xff", b"{", b"[]", b"7", b"[" * 100_000, b'{"kind": "other", "value": 1}'):
        entry.write_bytes(rubbish)
        assert cache.get("kind", ["a", "b"]) is None
    assert not list(tmp_path.rglob("*.tmp"))


def test_cache_without_a_place(tmp_path: Path) -> None:
    Cache(None).put("kind", [], 1)
    assert Cache(None).get("kind", []) is None
    blocked = tmp_path / "file"
    blocked.write_text("")
    Cache(blocked).put("kind", [], 1)
    assert Cache(blocked).get("kind", []) is None


def test_cache_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MAX_ENTRIES", 8)
    cache = Cache(tmp_path)
    for number in range(40):
        cache.put("kind", [str(number)], number)
    assert len(list(tmp_path.rglob("*.json"))) <= 8
    assert cache.get("kind", ["39"]) == 39
    monkeypatch.setattr(cache_module, "MAX_BYTES", 10)
    cache.put("kind", ["large"], "x" * 100)
    assert cache.get("kind", ["large"]) is None


def test_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/place")
    assert default_folder() == Path("/some/place/reviewbot")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_folder() == Path("/home/someone/.cache/reviewbot")
