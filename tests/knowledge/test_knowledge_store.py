"""Knowledge as checks ask it: bundled releases, source trees, and input that is of no use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from reviewbot.config.model import UNKNOWN, Base, Refusal
from reviewbot.errors import InputError
from reviewbot.knowledge.bundled import BundledKnowledge
from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.composed import cached_base
from reviewbot.knowledge.interface import Knowledge
from reviewbot.knowledge.store import bundled_versions, holds_framework, open_knowledge
from reviewbot.knowledge.verl import VERL
from reviewbot.logic import Truth
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]
EXPERTS = "actor_rollout_ref.rollout.expert_parallel_size"
NO_CACHE = Cache(None)

FORK = {
    "verl/version/version": "0.10.0.dev\n",
    "verl/trainer/main_ppo.py": """
        import hydra

        @hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
        def main(config):
            pass
        """,
    "verl/trainer/config/ppo_trainer.yaml": "defaults: [rollout@rollout: vllm, _self_]\nepochs: 1\n",
    "verl/trainer/config/rollout/vllm.yaml": "name: vllm\n",
    "verl/trainer/config/rollout/sglang.yaml": "name: sglang\n",
    "recipe/own.py": """
        @hydra.main(config_path="../verl/trainer/config", config_name="ppo_trainer.yaml")
        def run(config): ...
        """,
    "verl/workers/rollout/server.py": """
        class Server:
            def launch(self):
                engine_kwargs = self.config.get("engine_kwargs", {}).get("vllm", {})
                args = {"dtype": self.config.dtype, **engine_kwargs}
                args["flag"] = self.config.expert_parallel_size > 1
                Engine(**args)
        """,
}


def bundled(version: str | None = None) -> Knowledge:
    return open_knowledge(source=None, source_name="", version=version, cache=NO_CACHE)


def test_newest_release_is_the_default() -> None:
    assert bundled().version == bundled_versions(VERL)[-1]
    assert bundled("v0.9.1").source == "verl 0.9.1 (bundled)"
    assert bundled().origin == "bundled"


def test_the_releases_that_must_be_there() -> None:
    assert {"0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1"} <= set(bundled_versions(VERL))


@pytest.mark.parametrize(("version", "nearest"), [("0.9.7", "0.9.1"), ("0.7.9", "0.7.1"), ("0.1", "0.5.0")])
def test_unknown_version(version: str, nearest: str) -> None:
    with pytest.raises(InputError, match=rf"{version} .*nearest: {nearest}\).*--source"):
        bundled(version)


def test_a_source_that_is_not_the_framework(make_tree: MakeTree) -> None:
    tree = make_tree({"README.md": "nothing"})
    assert not holds_framework(tree)
    with pytest.raises(InputError, match=r"^here does not hold the source of verl"):
        open_knowledge(source=tree, source_name="here", version=None)


@pytest.mark.parametrize(
    ("version", "condition", "line"),
    [
        ("0.6.0", f"{EXPERTS} > 1", 238),
        ("0.7.1", f"{EXPERTS} > 1", 366),
        ("0.8.0", "", 322),
        ("0.9.0", "", 355),
        ("0.9.1", "", 402),
    ],
)
def test_the_expert_parallel_flag_by_release(version: str, condition: str, line: int) -> None:
    trace = bundled(version).trace("vllm")
    assert trace is not None
    (write,) = [write for write in trace.writes if write.argument == "enable_expert_parallel"]
    assert (write.stage, write.value, write.condition, write.line) == (
        "after",
        f"{EXPERTS} > 1",
        condition,
        line,
    )


def test_attention_backends_of_sglang_by_release() -> None:
    old, new = bundled("0.6.0").trace("sglang"), bundled("0.9.0").trace("sglang")
    assert old is not None
    assert new is not None
    assert old.only == ("attention_backend",)
    assert old.condition == "actor_rollout_ref.rollout.mode == 'async'"
    assert "mm_attention_backend" in new.honoured
    assert new.only is None


@pytest.mark.parametrize(
    ("version", "drops", "may_drop"),
    [
        ("0.6.1", ("False",), ()),
        ("0.7.0", ("False", "None"), ()),
        ("0.8.0", ("False", "None", "[]"), ()),
        ("0.9.1", ("None", "[]"), ("False",)),
    ],
)
def test_values_that_vllm_never_sees(version: str, drops: tuple[str, ...], may_drop: tuple[str, ...]) -> None:
    trace = bundled(version).trace("vllm")
    assert trace is not None
    assert (trace.drops, trace.may_drop) == (drops, may_drop)


def test_backends_by_release() -> None:
    assert bundled("0.9.1").backends == ("sglang", "trtllm", "vllm")
    assert bundled("0.6.1").backends == ("sglang", "vllm")
    assert bundled("0.9.1").trace("nothing") is None


@pytest.mark.parametrize(
    ("version", "mode", "symbol"),
    [
        ("0.6.1", "sync", "vLLMRollout.__init__"),
        ("0.6.1", "async", "vLLMHttpServerBase.launch_server"),
        ("0.6.1", UNKNOWN, None),
        ("0.9.1", UNKNOWN, "vLLMHttpServer.launch_server"),
        ("0.5.0", "async", None),
        ("0.5.0", "sync", None),
    ],
)
def test_the_trace_of_a_mode(version: str, mode: object, symbol: str | None) -> None:
    """At 0.5.0 the installed vLLM decides between two classes for ``sync``; the server takes no engine_kwargs."""
    values = {"actor_rollout_ref.rollout.mode": mode}
    trace = bundled(version).trace("vllm", lambda key: values.get(key, UNKNOWN))
    assert (trace.symbol if trace is not None else None) == symbol


def test_bundled_entry_points_and_modules() -> None:
    knowledge = bundled("0.9.1")
    entry = knowledge.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    assert (entry.config_dir, entry.config_name, entry.line) == ("verl/trainer/config", "ppo_trainer", 166)
    assert knowledge.entry_point("verl/trainer/main_ppo.py") == entry
    assert knowledge.entry_point("verl.trainer.main_ppo_sync") is None
    assert knowledge.has_module("verl.trainer.main_ppo_sync") is Truth.FALSE
    assert bundled("0.8.0").has_module("verl.trainer.main_ppo_sync") is Truth.TRUE
    assert knowledge.has_module("verl.trainer") is Truth.TRUE
    assert knowledge.has_module("verl.model_merger") is Truth.TRUE
    assert knowledge.has_module("recipe.dapo.main_dapo") is Truth.UNKNOWN


def base_of(
    knowledge: Knowledge, *groups: str, path: str | None = None, name: str | None = None
) -> Base | Refusal:
    entry = knowledge.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    return knowledge.base(entry, path, name, groups)


def test_bundled_bases() -> None:
    knowledge = bundled("0.9.1")
    default = base_of(knowledge)
    megatron = base_of(knowledge, "model_engine=megatron")
    assert isinstance(default, Base)
    assert isinstance(megatron, Base)
    assert default.tree["actor_rollout_ref"]["actor"]["strategy"] == "fsdp"
    assert megatron.tree["actor_rollout_ref"]["actor"]["strategy"] == "megatron"
    assert default.origin == "verl/trainer/config/ppo_trainer.yaml"
    assert default.options["model_engine"] == ("dp", "megatron", "torchtitan", "veomni")
    assert base_of(knowledge, "model_engine=dp", path="./config", name="ppo_trainer.yaml") == default


def test_other_choices_are_composed_from_the_bundled_files() -> None:
    knowledge = bundled("0.9.1")
    mixed = base_of(knowledge, "critic=megatron_critic")
    assert isinstance(mixed, Base)
    assert mixed.groups["critic"] == "megatron_critic"
    assert mixed.groups["actor@actor_rollout_ref.actor"] == "dp_actor"
    refused = base_of(knowledge, "critic=nothing")
    assert isinstance(refused, Refusal)
    assert refused.kind == "no-such-choice"


@pytest.mark.parametrize("version", ["0.6.1", "0.9.1"])
def test_bundled_bases_are_what_the_bundled_files_compose_to(version: str) -> None:
    knowledge = bundled(version)
    assert isinstance(knowledge, BundledKnowledge)
    for row in knowledge.facts.sections["bases"][::4]:
        groups = tuple(f"{group}={choice}" for group, choice in row["choices"])
        stored = knowledge.facts.base(row["dir"], row["name"], [tuple(choice) for choice in row["choices"]])
        composed = cached_base(NO_CACHE, knowledge._tree, row["dir"], row["name"], groups)
        assert stored == composed
        assert json.dumps(stored.tree) == json.dumps(composed.tree) if isinstance(stored, Base) else False


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("/etc", None, "outside-tree"),
        ("../../../..", None, "outside-tree"),
        ("recipe/config", None, "not-bundled"),
        (None, "_generated_ppo_trainer", "not-bundled"),
        (None, "no_such", "no-such-config"),
    ],
)
def test_configs_that_are_not_bundled(path: str | None, name: str | None, kind: str) -> None:
    refusal = base_of(bundled("0.9.1"), path=path, name=name)
    assert isinstance(refusal, Refusal)
    assert refusal.kind == kind
    if kind == "not-bundled":
        assert refusal.message.endswith("--source is needed")


def live(
    make_tree: MakeTree, changes: Mapping[str, str] = MappingProxyType({}), cache: Cache = NO_CACHE
) -> Knowledge:
    return open_knowledge(source=make_tree({**FORK, **changes}), source_name="abc", version=None, cache=cache)


def test_a_source_tree(make_tree: MakeTree) -> None:
    knowledge = live(make_tree)
    assert (knowledge.source, knowledge.origin) == ("verl at abc (read from source)", "source")
    assert (knowledge.version, knowledge.release) == ("abc", "0.10.0")
    assert [entry.module for entry in knowledge.entry_points] == ["verl.trainer.main_ppo"]
    own = knowledge.entry_point("recipe/own.py")
    assert own is not None
    assert (own.module, own.config_dir, own.config_name) == (
        "recipe.own",
        "verl/trainer/config",
        "ppo_trainer",
    )
    assert knowledge.entry_point("recipe.own") == own
    assert knowledge.entry_point("../outside.py") is None
    assert knowledge.has_module("verl.trainer.main_ppo") is Truth.TRUE
    assert knowledge.has_module("verl.trainer") is Truth.TRUE
    assert knowledge.has_module("verl.trainer.gone") is Truth.FALSE
    assert knowledge.has_module("other.module") is Truth.UNKNOWN
    base = base_of(knowledge, "rollout=sglang")
    assert isinstance(base, Base)
    assert base.tree == {"rollout": {"name": "sglang"}, "epochs": 1}
    assert base_of(knowledge, "rollout=sglang") is base
    trace = knowledge.trace("vllm")
    assert trace is not None
    assert knowledge.evidence(trace.path, 6, trace.symbol).version == "abc"
    assert knowledge.readable(trace.writes[-1].value) == "expert_parallel_size > 1"


def test_half_a_tree_says_so_and_claims_nothing(make_tree: MakeTree) -> None:
    files = {
        "verl/trainer/main_ppo.py": "@hydra.main(config_path='config', config_name='x')\ndef main(c: ...\n",
        "verl/workers/rollout/server.py": "engine_kwargs = (",
    }
    knowledge = open_knowledge(source=make_tree(files), source_name="half", version=None, cache=NO_CACHE)
    assert knowledge.entry_point("verl.trainer.main_ppo") is None
    assert knowledge.traces == ()
    assert len(knowledge.problems) == 2
    assert "verl/workers/rollout/server.py has a syntax error in line 1" in knowledge.problems[1]


def test_what_was_read_is_kept_by_content(make_tree: MakeTree, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    first = live(make_tree, cache=cache)
    traces, base = first.traces, base_of(first)
    kept = {path.name for path in tmp_path.rglob("*.json")}
    assert len(kept) == 2
    again = live(make_tree, cache=cache)
    assert (again.traces, base_of(again)) == (traces, base)
    assert {path.name for path in tmp_path.rglob("*.json")} == kept
    server = FORK["verl/workers/rollout/server.py"].replace("> 1", "> 2")
    changed = live(make_tree, {"verl/workers/rollout/server.py": server}, cache)
    assert changed.traces[0].writes[-1].value == f"{EXPERTS} > 2"
    for path in tmp_path.rglob("*.json"):
        path.write_text('{"kind": "traces", "value": {"also": {}, "traces": [{}]}}')
    spoilt = live(make_tree, cache=cache)
    assert (spoilt.traces, base_of(spoilt)) == (traces, base)


def test_a_trace_depends_on_the_functions_it_went_through(make_tree: MakeTree, tmp_path: Path) -> None:
    server = """
        from verl.tools import more

        class Server:
            def launch(self):
                engine_kwargs = self.config.engine_kwargs.vllm
                args = {"x": 1, **engine_kwargs}
                args.update(more(self.config.n))
                Engine(**args)
        """
    files = {"verl/workers/rollout/server.py": server, "verl/tools.py": "def more(n):\n    return {'a': n}\n"}
    cache = Cache(tmp_path)
    assert live(make_tree, files, cache).traces[0].writes[-1].argument == "a"
    files["verl/tools.py"] = "def more(n):\n    return {'b': n}\n"
    assert live(make_tree, files, cache).traces[0].writes[-1].argument == "b"


def test_what_to_set_instead() -> None:
    knowledge = bundled("0.9.1")
    trace = knowledge.trace("vllm")
    assert trace is not None
    parallel = next(write for write in trace.writes if write.argument == "data_parallel_size")
    key = "actor_rollout_ref.rollout.engine_kwargs.vllm.data_parallel_size"
    assert knowledge.replacement(key, 4, parallel) == ("actor_rollout_ref.rollout.data_parallel_size", "4")
    experts = next(write for write in trace.writes if write.argument == "enable_expert_parallel")
    key = "actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel"
    found = knowledge.replacement(key, True, experts)
    assert found is not None
    assert found[0] == EXPERTS
    assert knowledge.replacement(key, False, experts) is None
