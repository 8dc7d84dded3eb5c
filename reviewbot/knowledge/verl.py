"""verl, as far as it has to be told; everything else is read from its source."""

from __future__ import annotations

from reviewbot.knowledge.framework import Framework, Hook, NodeUse, Step

_ROLLOUT = "actor_rollout_ref.rollout"
_MODEL = "actor_rollout_ref.model"

_HAS_REFERENCE = "algorithm.use_kl_in_reward or actor_rollout_ref.actor.use_kl_loss"
_HAS_CRITIC = "critic.enable if critic.enable is not None else algorithm.adv_estimator == 'gae'"
_NO_TRAINING = (
    "verl.trainer.main_generation_server",
    "verl.trainer.main_generation",
    "verl.trainer.main_eval",
)

_MAIN = ("verl.trainer.main_ppo",)
_FULLY_ASYNC = ("verl.experimental.fully_async_policy.fully_async_main",)
_ONE_STEP_OFF = ("verl.experimental.one_step_off_policy.main_ppo",)
_V1 = "verl/trainer/ppo/v1"
_SEPARATE = "verl/experimental"

_STEPS = (
    Step("verl/trainer/main_ppo.py", "TaskRunnerV1.run", _MAIN, when="trainer.use_v1"),
    Step("verl/trainer/main_ppo_v0.py", "TaskRunner.run", _MAIN, when="not trainer.use_v1"),
    Step(f"{_V1}/trainer_base.py", "PPOTrainer.__init__", _MAIN, when="trainer.use_v1"),
    Step(f"{_V1}/trainer_base.py", "PPOTrainer.init", _MAIN, when="trainer.use_v1"),
    Step(
        f"{_V1}/trainer_separate_async.py",
        "PPOTrainerSeparateAsync.__init__",
        _MAIN,
        when="trainer.use_v1 and trainer.v1.trainer_mode == 'separate_async'",
    ),
    Step(
        f"{_SEPARATE}/fully_async_policy/fully_async_rollouter.py",
        "FullyAsyncRollouter.__init__",
        _FULLY_ASYNC,
    ),
    Step(
        f"{_SEPARATE}/fully_async_policy/fully_async_rollouter.py",
        "FullyAsyncRollouter._validate_config",
        _FULLY_ASYNC,
    ),
    Step(
        f"{_SEPARATE}/fully_async_policy/fully_async_trainer.py", "FullyAsyncTrainer.__init__", _FULLY_ASYNC
    ),
    Step(f"{_SEPARATE}/one_step_off_policy/ray_trainer.py", "OneStepOffRayTrainer.__init__", _ONE_STEP_OFF),
    Step(
        "verl/workers/engine_workers.py",
        "ActorRolloutRefWorker.init_model",
        (*_MAIN, *_FULLY_ASYNC, *_ONE_STEP_OFF),
        root="actor_rollout_ref",
        without="verl/workers/fsdp_workers.py",
        known={
            "'actor' in self.role": "True",
            "'rollout' in self.role": "True",
            "'ref' in self.role": _HAS_REFERENCE,
        },
    ),
)

_HOOKS = (
    Hook("data.custom_cls.path", ("data",)),
    Hook("data.sampler.class_path", ("data",)),
    Hook("data.datagen.path", ("data",)),
    Hook(f"{_ROLLOUT}.agent.agent_loop_config_path"),
    Hook(f"{_ROLLOUT}.agent.agent_loop_manager_class"),
    Hook(f"{_ROLLOUT}.checkpoint_manager_class"),
    Hook(f"{_ROLLOUT}.checkpoint_engine.custom_backend_module"),
    Hook(f"{_MODEL}.external_lib"),
    Hook("reward.reward_manager.module.path"),
    Hook("reward_model.reward_loop_module_path"),
    Hook("trainer.v1.sampler.custom_sampler.path"),
)

VERL = Framework(
    name="verl",
    package="verl",
    marks=("verl/trainer/main_ppo.py", "verl/version/version", "verl/trainer/config/ppo_trainer.yaml"),
    server_dir="verl/workers/rollout",
    main_entry_point="verl.trainer.main_ppo",
    usual=("verl.trainer.*", *_FULLY_ASYNC, *_ONE_STEP_OFF),
    only_servers=("verl.trainer.main_generation_server",),
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
    makers=frozenset({"omega_conf_to_dataclass"}),
    variants=(("model_engine",), ("engine", "optim")),
    validators=("validate_config",),
    steps=_STEPS,
    uses=(
        NodeUse(_ROLLOUT),
        NodeUse(_MODEL),
        NodeUse("actor_rollout_ref.actor", never=_NO_TRAINING),
        NodeUse(
            "actor_rollout_ref.ref",
            _HAS_REFERENCE,
            never=_NO_TRAINING,
            without="verl.workers.fsdp_workers",
            changed=True,
        ),
        NodeUse("critic", _HAS_CRITIC, never=_NO_TRAINING),
        NodeUse("distillation", "distillation.enabled", never=_NO_TRAINING),
        *(NodeUse(key) for key in ("model", "engine", "optim", "checkpoint", "profiler")),
    ),
    hooks=_HOOKS,
    hook_variables=("VERL_USE_EXTERNAL_MODULES",),
    device_key="trainer.device",
    runtime_paths={"verl/trainer/constants_ppo.py": (*_MAIN, *_FULLY_ASYNC, *_ONE_STEP_OFF)},
    runtime_names={
        "_uses_torch_profiler(config)": "global_profiler.tool == 'torch'",
        "rm_rollout_cfg": "reward.reward_model.rollout",
        "rollout_cfg": _ROLLOUT,
        "config.reward": "reward",
    },
    server_variables={
        "vllm": ("VLLM_",),
        "sglang": ("SGLANG_", "SGL_"),
        "trtllm": ("TRTLLM_", "TRT_LLM_", "TLLM_"),
    },
    on_by_default={"vllm": ("enable_chunked_prefill", "enable_prefix_caching")},
)
