"""verl, as far as it has to be told; everything else is read from its source."""

from __future__ import annotations

from reviewbot.knowledge.framework import Framework, NodeUse

_ROLLOUT = "actor_rollout_ref.rollout"
_MODEL = "actor_rollout_ref.model"

_HAS_REFERENCE = "algorithm.use_kl_in_reward or actor_rollout_ref.actor.use_kl_loss"
_HAS_CRITIC = "critic.enable if critic.enable is not None else algorithm.adv_estimator == 'gae'"
_NO_TRAINING = (
    "verl.trainer.main_generation_server",
    "verl.trainer.main_generation",
    "verl.trainer.main_eval",
)

VERL = Framework(
    name="verl",
    package="verl",
    marks=("verl/trainer/main_ppo.py", "verl/version/version", "verl/trainer/config/ppo_trainer.yaml"),
    server_dir="verl/workers/rollout",
    backend_key=f"{_ROLLOUT}.name",
    engine_kwargs=_ROLLOUT + ".engine_kwargs.{backend}",
    roots={"self.config": _ROLLOUT, "config": _ROLLOUT, "self.model_config": _MODEL},
    classes={"RolloutConfig": _ROLLOUT, "HFModelConfig": _MODEL},
    version_path="verl/version/version",
    known={
        "self.is_reward_model": "False",
        "self._disaggregation_role": f"opaque('role') if {_ROLLOUT}.disaggregation.enabled else 'null'",
    },
    registry="_ROLLOUT_REGISTRY",
    registry_path="verl/workers/rollout/base.py",
    worker_paths=("verl/workers/fsdp_workers.py", "verl/workers/megatron_workers.py"),
    mode_key=f"{_ROLLOUT}.mode",
    rollout_keys=("reward.reward_model.rollout",),
    transparent=frozenset(
        {"omega_conf_to_dataclass", "to_container", "deepcopy", "copy", "list", "dict", "dumps", "loads"}
    ),
    variants=(("model_engine",), ("engine", "optim")),
    validators=("validate_config",),
    uses=(
        NodeUse(_ROLLOUT),
        NodeUse(_MODEL),
        NodeUse("actor_rollout_ref.actor", never=_NO_TRAINING),
        NodeUse("actor_rollout_ref.ref", _HAS_REFERENCE, never=_NO_TRAINING, changed=True),
        NodeUse("critic", _HAS_CRITIC, never=_NO_TRAINING),
        NodeUse("distillation", "distillation.enabled", never=_NO_TRAINING),
        *(NodeUse(key) for key in ("model", "engine", "optim", "checkpoint", "profiler")),
    ),
)
