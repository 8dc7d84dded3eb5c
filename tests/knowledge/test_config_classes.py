"""Config classes, what they refuse and write, and where that applies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reviewbot.config.model import UNKNOWN, Base
from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.conditions import truth
from reviewbot.knowledge.config_classes import read_config_classes
from reviewbot.knowledge.interface import Knowledge
from reviewbot.knowledge.model import ClassField, ConfigClass, Constraint
from reviewbot.knowledge.placing import both
from reviewbot.knowledge.source import Sources
from reviewbot.knowledge.store import open_knowledge
from reviewbot.knowledge.verl import VERL
from reviewbot.logic import Truth
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]
ROLLOUT = "actor_rollout_ref.rollout"
ACTOR = "actor_rollout_ref.actor"
NO_CACHE = Cache(None)

CLASSES = {
    "verl/base.py": "class BaseConfig(collections.abc.Mapping):\n    _target_: str = ''\n",
    "verl/conf/__init__.py": """
        from . import actor
        from .actor import *
        from .rollout import RolloutConfig as Rollout
        """,
    "verl/conf/actor.py": """
        from dataclasses import dataclass, field
        from omegaconf import MISSING
        from verl.base import BaseConfig

        @dataclass
        class EngineConfig(BaseConfig):
            strategy: str = "fsdp"

        @dataclass
        class ActorConfig(BaseConfig):
            strategy: str = MISSING
            mini: int = 256
            micro: Optional[int] = None
            names: list[str] = field(default_factory=list)
            made: Any = field(default_factory=lambda: 1)
            needed: int
            shared: ClassVar[int] = 1

            def __post_init__(self):
                assert self.strategy != MISSING
                modes = ["a", "b"]
                if self.mode not in modes:
                    raise ValueError("no")

            def validate(self, n_gpus, batch: int = 1):
                if self.micro is not None:
                    if batch < self.mini:
                        raise ValueError("small")
                    assert self.micro * n_gpus <= self.mini

        @dataclass
        class FSDPActorConfig(ActorConfig):
            fsdp_config: EngineConfig = field(default_factory=EngineConfig)
            engine: BaseConfig = field(default_factory=BaseConfig)

            def __post_init__(self):
                super().__post_init__()
                self.engine = self.fsdp_config
                object.__setattr__(self.engine, "strategy", self.strategy)
                if self.mini > 9:
                    self.mini = 9
                assert self.mini < 10
                self._check(self.micro)

            def _check(self, micro):
                assert micro is None or micro > 0
        """,
    "verl/conf/rollout.py": """
        from other.place import Unreadable

        class RolloutConfig(Unreadable):
            name: str = "vllm"

        class Own:
            x: int = 1
            def __init__(self, **kwargs): ...
        """,
}


def read(make_tree: MakeTree, *targets: str) -> dict[str, ConfigClass]:
    found = read_config_classes(Sources(make_tree(CLASSES)), VERL, targets)
    return {item.target: item for item in found}


def test_fields(make_tree: MakeTree) -> None:
    actor = read(make_tree, "verl.conf.FSDPActorConfig")["verl.conf.FSDPActorConfig"]
    assert (actor.path, actor.symbol, actor.open) == ("verl/conf/actor.py", "FSDPActorConfig", False)
    assert actor.fields == (
        ClassField("strategy", "str", "'???'"),
        ClassField("mini", "int", "256"),
        ClassField("micro", "Optional[int]", "None"),
        ClassField("names", "list[str]", "[]"),
        ClassField("made", "Any", None),
        ClassField("needed", "int", None, required=True),
        ClassField("fsdp_config", "EngineConfig", None),
        ClassField("engine", "BaseConfig", None),
    )


def test_targets(make_tree: MakeTree) -> None:
    found = read(
        make_tree,
        "verl.conf.Rollout",
        "verl.conf.rollout.Own",
        "verl.conf.Gone",
        "other.X",
        "verl.gone.X",
        "",
    )
    assert list(found) == ["verl.conf.Rollout", "verl.conf.rollout.Own"]
    assert all(item.open for item in found.values())


def test_rules(make_tree: MakeTree) -> None:
    actor = read(make_tree, "verl.conf.FSDPActorConfig")["verl.conf.FSDPActorConfig"]
    made, validated = actor.rules
    assert [(item.when, item.requires, item.symbol) for item in made.constraints] == [
        ("", "_self_.strategy != '???'", "ActorConfig.__post_init__"),
        ("", "_self_.mode in ['a', 'b']", "ActorConfig.__post_init__"),
        ("", "(9 if _self_.mini > 9 else _self_.mini) < 10", "FSDPActorConfig.__post_init__"),
        ("", "_self_.micro is None or _self_.micro > 0", "FSDPActorConfig._check"),
    ]
    assert [(item.key, item.value, item.when) for item in made.writes] == [
        ("_self_.engine", "_self_.fsdp_config", ""),
        ("_self_.fsdp_config.strategy", "_self_.strategy", ""),
        ("_self_.mini", "9", "_self_.mini > 9"),
    ]
    assert (validated.method, validated.parameters) == ("validate", ("n_gpus", "batch"))
    assert [(item.when, item.requires) for item in validated.constraints] == [
        ("_self_.micro is not None", "not _arg_.batch < _self_.mini"),
        ("_self_.micro is not None", "_self_.micro * _arg_.n_gpus <= _self_.mini"),
    ]


FORK = CLASSES | {
    "verl/trainer/main_ppo.py": """
        from verl.checks import validate_config, has_critic

        @hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
        def main(config):
            validate_config(config, use_critic=has_critic(config))
        """,
    "verl/trainer/other.py": """
        @hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
        def main(config): ...
        """,
    "verl/checks.py": """
        class Estimator(str, Enum):
            GAE = "gae"

        def has_critic(config):
            if config.critic.enable is not None:
                return bool(config.critic.enable)
            return config.algorithm.kind == Estimator.GAE

        def validate_config(config, use_critic):
            n_gpus = config.trainer.gpus * config.trainer.nodes

            def only_one(first, second, name):
                allowed = {"a": 1, "b": 2}
                if name in allowed:
                    if first is not None and second is not None:
                        raise ValueError(name)

            only_one(config.data.first, config.data.second, "a")
            only_one(config.data.third, config.data.fourth, "c")
            actor = omega_conf_to_dataclass(config.actor_rollout_ref.actor)
            actor.validate(n_gpus, config.data.batch)
            if use_critic:
                assert config.critic.size > 0
            config.trainer.device = "npu"
        """,
    "verl/trainer/config/ppo_trainer.yaml": """
        actor_rollout_ref:
          actor:
            _target_: verl.conf.FSDPActorConfig
            mini: 4
            micro: 2
            fsdp_config: {_target_: verl.conf.EngineConfig}
          rollout: {_target_: verl.conf.Rollout, name: vllm}
          ref: {_target_: verl.conf.FSDPActorConfig, fsdp_config: {_target_: verl.conf.EngineConfig}}
        algorithm: {_target_: verl.conf.ActorConfig, kind: gae}
        critic: {enable: null, size: 1}
        trainer: {gpus: 8, nodes: 2}
        data: {batch: 1, first: 1, second: 2}
        """,
    "recipe/print.py": """
        @hydra.main(config_path="../verl/trainer/config", config_name="ppo_trainer", version_base=None)
        def main(config): ...
        """,
    "verl/workers/rollout/base.py": """
        _ROLLOUT_REGISTRY = {("vllm", "async"): "x.Y"}

        def get_rollout_class(name, mode):
            assert (name, mode) in _ROLLOUT_REGISTRY
        """,
    "verl/workers/engine_workers.py": """
        from verl.workers.rollout.base import get_rollout_class

        class ActorRolloutRefWorker:
            def __init__(self, config):
                self.config = config
                self.full = self.config.model.full
                assert self.config.never.seen

            def init_model(self):
                model = omega_conf_to_dataclass(self.config.model)
                if "ref" in self.role:
                    ref = omega_conf_to_dataclass(self.config.ref)
                    ref.model = deepcopy(model)
                    ref.model.mtp = None
                    with open_dict(self.config.ref):
                        self.config.ref.mini = self.config.ref.pop("micro", None)
                if "actor" in self.role:
                    actor = omega_conf_to_dataclass(self.config.actor)
                    worker = WorkerConfig(engine_config=actor.engine, other=1)
                    worker.engine_config.padding = self.full
                    assert self.config.actor.dynamic == self.config.rollout.dynamic
                    assert self.world_size % self.config.rollout.tp == 0
                get_rollout_class(self.config.rollout.name, self.config.rollout.mode)
                for layer in layers:
                    assert self.config.rollout.each > layer
        """,
    "verl/workers/rollout/server.py": """
        class Server:
            def launch(self):
                engine_kwargs = self.config.get("engine_kwargs", {}).get("vllm", {})
                if self.config.quantization is not None:
                    if self.config.quantization != "fp8":
                        raise ValueError("no")
                Engine(**{"x": 1, **engine_kwargs})
        """,
}


def fork(make_tree: MakeTree, cache: Cache = NO_CACHE) -> tuple[Knowledge, Base]:
    knowledge = open_knowledge(source=make_tree(FORK), source_name="x", version=None, cache=cache)
    entry = knowledge.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    base = knowledge.base(entry, None, None, ())
    assert isinstance(base, Base)
    return knowledge, base


def constraint_texts(knowledge: Knowledge, base: Base, module: str) -> list[tuple[str, str]]:
    entry = knowledge.entry_point(module)
    assert entry is not None
    return [(item.when, item.requires) for item in knowledge.constraints(entry, base.tree)]


def test_placed_constraints(make_tree: MakeTree) -> None:
    found = constraint_texts(*fork(make_tree), "verl.trainer.main_ppo")
    assert ("", f"{ACTOR}.strategy != '???'") in found
    assert ("", "not (data.first is not None and data.second is not None)") in found
    assert not any("data.third" in requires for _, requires in found)
    assert (f"{ACTOR}.micro is not None", f"not (data.batch) < {ACTOR}.mini") in found
    assert (
        f"{ACTOR}.micro is not None",
        f"{ACTOR}.micro * (trainer.gpus * trainer.nodes) <= {ACTOR}.mini",
    ) in found
    server = f"({ROLLOUT}.name == 'vllm') and ({ROLLOUT}.quantization is not None)"
    assert (server, f"{ROLLOUT}.quantization == 'fp8'") in found
    critic = [when for when, requires in found if requires == "critic.size > 0"]
    assert len(critic) == 1
    assert "algorithm.kind == 'gae'" in critic[0]


def test_what_is_not_made_into_its_class_has_no_constraints(make_tree: MakeTree) -> None:
    found = constraint_texts(*fork(make_tree), "verl.trainer.main_ppo")
    assert not any("algorithm.strategy" in requires for _, requires in found)
    assert not any(".ref.strategy" in requires for _, requires in found), (
        "the framework changes this node first"
    )


def test_validators_belong_to_their_entry_point(make_tree: MakeTree) -> None:
    found = constraint_texts(*fork(make_tree), "verl.trainer.other")
    assert ("", f"{ACTOR}.strategy != '???'") in found
    assert not any("data." in requires for _, requires in found)


def test_placed_writes(make_tree: MakeTree) -> None:
    knowledge, base = fork(make_tree)
    entry = knowledge.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    writes = {item.key: item for item in knowledge.config_writes(entry, base.tree)}
    strategy = writes[f"{ACTOR}.fsdp_config.strategy"]
    assert (strategy.value, strategy.when, strategy.path) == (f"{ACTOR}.strategy", "", "verl/conf/actor.py")
    reference = writes["actor_rollout_ref.ref.fsdp_config.strategy"]
    assert "use_kl_loss" in reference.when
    assert writes["trainer.device"].value == "'npu'"


def test_steps_of_a_run(make_tree: MakeTree) -> None:
    knowledge, base = fork(make_tree)
    found = constraint_texts(knowledge, base, "verl.trainer.main_ppo")
    assert ("", f"{ACTOR}.dynamic == {ROLLOUT}.dynamic") in found
    assert ("", f"({ROLLOUT}.name, {ROLLOUT}.mode) in [('vllm', 'async')]") in found
    assert not any("world_size" in requires or ".each" in requires for _, requires in found), (
        "never decidable"
    )
    assert not any("never" in requires for _, requires in found), "the constructor is a step of its own"
    other = constraint_texts(knowledge, base, "verl.trainer.other")
    assert not any(".dynamic" in requires for _, requires in other)


def test_writes_of_the_steps(make_tree: MakeTree) -> None:
    knowledge, base = fork(make_tree)
    entry = knowledge.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    writes = {item.key: item for item in knowledge.config_writes(entry, base.tree)}
    padding = writes[f"{ACTOR}.fsdp_config.padding"]
    assert (padding.value, padding.when, padding.on_object) == ("actor_rollout_ref.model.full", "", True)
    mini = writes["actor_rollout_ref.ref.mini"]
    assert (mini.value, mini.on_object) == ("actor_rollout_ref.ref.micro", False)
    assert "actor_rollout_ref.model.mtp" not in writes, "a copy is written to"
    assert f"{ACTOR}.engine" not in writes, "only another name of fsdp_config"


def test_nothing_is_known_of_entry_points_of_others(make_tree: MakeTree) -> None:
    knowledge, base = fork(make_tree)
    assert constraint_texts(knowledge, base, "recipe.print") == []


def test_classes_of_nodes(make_tree: MakeTree) -> None:
    knowledge, base = fork(make_tree)
    actor = knowledge.node_class(base.tree, ACTOR)
    assert actor is not None
    assert actor.symbol == "FSDPActorConfig"
    assert knowledge.node_class(base.tree, "algorithm") is None
    assert knowledge.node_class(base.tree, "trainer") is None
    assert knowledge.class_has_field(base.tree, f"{ACTOR}.names")
    assert not knowledge.class_has_field(base.tree, f"{ACTOR}.nothing")
    assert not knowledge.class_has_field(base.tree, "algorithm.names")


def test_classes_are_kept_by_content(make_tree: MakeTree, tmp_path: Path) -> None:
    first, base = fork(make_tree, Cache(tmp_path))
    second, _ = fork(make_tree, Cache(tmp_path))
    assert second.node_class(base.tree, ACTOR) == first.node_class(base.tree, ACTOR)
    module = "verl.trainer.main_ppo"
    assert constraint_texts(second, base, module) == constraint_texts(first, base, module)


def getter(tree: Mapping[str, Any], changes: Mapping[str, Any]) -> Callable[[str], Any]:
    def get(key: str) -> Any:
        if key in changes:
            return changes[key]
        node: Any = tree
        for part in key.split("."):
            if not isinstance(node, Mapping) or part not in node:
                return UNKNOWN
            node = node[part]
        return node

    return get


def refused(version: str, changes: Mapping[str, Any], groups: tuple[str, ...] = ()) -> set[Constraint]:
    """What a bundled release refuses of ``main_ppo``'s default config with these changes, and not without them."""
    knowledge = open_knowledge(source=None, source_name="", version=version, cache=NO_CACHE)
    entry = knowledge.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    base = knowledge.base(entry, None, None, groups)
    assert isinstance(base, Base)

    def broken(changed: Mapping[str, Any]) -> set[Constraint]:
        get = getter(base.tree, changed)
        return {
            item
            for item in knowledge.constraints(entry, base.tree)
            if truth(item.when, get) is Truth.TRUE and truth(item.requires, get) is Truth.FALSE
        }

    return broken(changes) - broken({})


@pytest.mark.parametrize(
    ("version", "changes", "line", "symbol"),
    [
        (
            "0.9.1",
            {f"{ROLLOUT}.name": "vllm", f"{ROLLOUT}.expert_parallel_size": 8},
            295,
            "RolloutConfig.__post_init__",
        ),
        ("0.9.1", {f"{ROLLOUT}.mode": "sync"}, 282, "RolloutConfig.__post_init__"),
        (
            "0.9.1",
            {f"{ROLLOUT}.name": "vllm", f"{ROLLOUT}.pipeline_model_parallel_size": 2},
            321,
            "RolloutConfig.__post_init__",
        ),
        ("0.9.1", {f"{ACTOR}.loss_agg_mode": "mean"}, 220, "ActorConfig.__post_init__"),
        ("0.9.1", {f"{ACTOR}.ppo_mini_batch_size": 2048}, 226, "ActorConfig.validate"),
        (
            "0.9.1",
            {f"{ROLLOUT}.name": "sglang", f"{ROLLOUT}.quantization": "int4"},
            312,
            "SGLangHttpServer.launch_server",
        ),
        ("0.9.1", {"data.train_batch_size": 1023}, 124, "validate_config"),
    ],
)
def test_releases_refuse(version: str, changes: Mapping[str, Any], line: int, symbol: str) -> None:
    assert (line, symbol) in {(item.line, item.symbol) for item in refused(version, changes)}


@pytest.mark.parametrize(
    "changes",
    [
        {f"{ROLLOUT}.name": "vllm", f"{ROLLOUT}.expert_parallel_size": 2},
        {f"{ROLLOUT}.name": "vllm"},
        {f"{ROLLOUT}.name": "trtllm", f"{ROLLOUT}.expert_parallel_size": 2},
        {f"{ROLLOUT}.quantization": "fp8", f"{ROLLOUT}.name": "sglang"},
        {f"{ACTOR}.use_dynamic_bsz": True, f"{ACTOR}.ppo_mini_batch_size": 2048},
    ],
)
def test_releases_accept(changes: Mapping[str, Any]) -> None:
    assert refused("0.9.1", changes) == set()


@pytest.mark.parametrize(("version", "written"), [("0.7.1", False), ("0.8.0", True), ("0.9.1", True)])
def test_the_strategy_that_is_not_used_by_release(version: str, written: bool) -> None:
    knowledge = open_knowledge(source=None, source_name="", version=version, cache=NO_CACHE)
    entry = knowledge.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    base = knowledge.base(entry, None, None, ())
    assert isinstance(base, Base)
    keys = {item.key for item in knowledge.config_writes(entry, base.tree) if not item.when}
    assert (f"{ACTOR}.fsdp_config.strategy" in keys) is written


def test_both() -> None:
    assert both("", "") == ""
    assert both("a", "") == both("", "a") == "a"
    assert both("a or b", "c") == "(a or b) and (c)"
