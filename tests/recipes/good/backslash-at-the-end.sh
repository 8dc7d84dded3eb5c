#!/usr/bin/env bash
# idiom: a backslash as the last character of the file
args="algorithm.adv_estimator=grpo data.train_files=/data/train.parquet data.val_files=/data/val.parquet"
python3 -m verl.trainer.main_ppo $args \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.total_epochs=12 \