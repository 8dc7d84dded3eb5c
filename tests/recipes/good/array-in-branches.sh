#!/usr/bin/env bash
# idiom: an array built in the branches of an if
ENGINE=${ENGINE:-sglang}
OFFLOAD=${OFFLOAD:-1}

engine_args=(actor_rollout_ref.rollout.name="$ENGINE")
if [ "$ENGINE" = "vllm" ]; then
    engine_args+=(
        actor_rollout_ref.rollout.gpu_memory_utilization=0.75
        actor_rollout_ref.rollout.enforce_eager=True
    )
elif [ "$ENGINE" = "sglang" ]; then
    engine_args+=(
        actor_rollout_ref.rollout.gpu_memory_utilization=0.6
        +actor_rollout_ref.rollout.engine_kwargs.sglang.attention_backend=fa3
    )
else
    echo "no settings for $ENGINE" >&2
    exit 2
fi

memory_args=()
if (( OFFLOAD )); then
    memory_args=(
        actor_rollout_ref.actor.fsdp_config.param_offload=True
        actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    )
fi

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/math/train.parquet \
    data.val_files=/data/math/test.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    "${engine_args[@]}" \
    "${memory_args[@]}" \
    trainer.logger=console
