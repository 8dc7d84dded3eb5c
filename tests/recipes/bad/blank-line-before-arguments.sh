#!/usr/bin/env bash
# mistake: a blank line, and after it only "$@" and a redirection
set -e
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.total_epochs=2 \

    trainer.save_freq=5 "$@" 2>&1 | tee run.log
