#!/usr/bin/env bash
# idiom: a script file of Python instead of a module
cd "$(dirname "$0")/.." || exit 1
PYTHONPATH=. python3 verl/trainer/main_ppo.py \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.total_epochs=2
