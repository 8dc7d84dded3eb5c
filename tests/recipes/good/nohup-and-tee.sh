#!/usr/bin/env bash
# idiom: nohup, redirections before and between words, a pipe into tee
log=train.log
nohup python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo 2>&1 \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    < /dev/null actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name=first >"$log" &
wait
>>"$log" python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name=second 2>&1 | tee -a "$log"
