"""verl, as far as it has to be told; everything else is read from its source."""

from __future__ import annotations

from reviewbot.knowledge.framework import Framework

_ROLLOUT = "actor_rollout_ref.rollout"
_MODEL = "actor_rollout_ref.model"

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
    mode_key=f"{_ROLLOUT}.mode",
    rollout_keys=("reward.reward_model.rollout",),
    transparent=frozenset(
        {"omega_conf_to_dataclass", "to_container", "deepcopy", "copy", "list", "dict", "dumps", "loads"}
    ),
    variants=(("model_engine",), ("engine", "optim")),
    config_classes=("verl/workers/config", "verl/trainer/config", "verl/utils/profiler"),
    validators={"verl/utils/config.py:validate_config": ""},
)
