#!/usr/bin/env bash
# mistake: a variable misspelt where it is used, under set -u
set -u
TRAIN_FILES=/data/train.parquet
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="$TRAIN_FILE" \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.total_epochs=2
