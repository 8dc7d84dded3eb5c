#!/usr/bin/env bash
# idiom: ray job submit -- python3 -m …
RUNTIME_ENV=${RUNTIME_ENV:-./runtime_env.yaml}
ray job submit --runtime-env="${RUNTIME_ENV}" --working-dir . \
    -- \
    python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.nnodes=4
