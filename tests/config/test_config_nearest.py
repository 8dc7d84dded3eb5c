from __future__ import annotations

import pytest

from reviewbot.config.effective import nearest
from reviewbot.config.model import Base

BASE = Base(
    tree={
        "role": {
            "actor": {"lr": 1, "strategy": "dp", "checkpoint": {"save_contents": []}, "use_kl_loss": False},
            "rollout": {
                "name": "vllm",
                "n": 1,
                "tensor_model_parallel_size": 2,
                "prompt_length": 512,
                "engine_kwargs": {"vllm": {}, "sglang": {}},
            },
            "model": {"use_remove_padding": True},
        },
        "data": {"max_prompt_length": 512, "train_batch_size": 8},
        "reward": {"reward_manager": {"name": "naive"}},
        "trainer": {"n_gpus_per_node": 8, "total_epochs": 1, "logger": []},
        "algorithm": {"kl_ctrl": {"kl_coef": 0.1}},
    },
    config_name="main",
    groups={"engine": "dp", "actor@role.actor": "dp_actor", "actor/../optim@role.actor.optim": "sgd"},
    options={"engine": ("dp", "mega"), "actor": ("dp_actor",)},
)


@pytest.mark.parametrize(
    ("key", "first"),
    [
        ("role.actor.engine", "engine"),
        ("trainer.n_gpu_per_node", "trainer.n_gpus_per_node"),
        ("trainer.total_epoch", "trainer.total_epochs"),
        ("trainr.total_epochs", "trainer.total_epochs"),
        ("role.rollout.tensor_parallel_size", "role.rollout.tensor_model_parallel_size"),
        ("role.actor.use_remove_padding", "role.model.use_remove_padding"),
        ("actor.lr", "role.actor.lr"),
        ("role.actor.save_contents", "role.actor.checkpoint.save_contents"),
        ("algorithm.kl_coef", "algorithm.kl_ctrl.kl_coef"),
        ("reward_model.reward_manager", "reward.reward_manager"),
        ("role.rollout.max_prompt_length", "role.rollout.prompt_length"),
        ("data.max_prompt_lenght", "data.max_prompt_length"),
        ("data.max_prompt_len", "data.max_prompt_length"),
        ("lr", "role.actor.lr"),
        ("enginee", "engine"),
        ("role.rollout.vllm.engine_kwargs", "role.rollout.engine_kwargs"),
        ("role.rollout.actor", "role.actor"),
    ],
)
def test_the_likeliest_key_comes_first(key: str, first: str) -> None:
    assert nearest(key, BASE)[:1] == (first,)


@pytest.mark.parametrize("key", ["wholly.unrelated", "data.zzz", "x", "role.rollout.quantum_flux", ""])
def test_nothing_near_gives_nothing(key: str) -> None:
    assert nearest(key, BASE) == ()


def test_no_more_than_asked_and_never_the_key_itself() -> None:
    assert nearest("role.actor.lr", BASE) == ()
    assert len(nearest("role.rollout.use_remove_padding", BASE, n=1)) == 1
    assert nearest("role.rollout.use_remove_padding", BASE, n=0) == ()
