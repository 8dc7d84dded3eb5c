#!/usr/bin/env bash
# idiom: a command in a string, split where it is used
nproc=2
COMMON="algorithm.adv_estimator=grpo data.train_files=/data/train.parquet
    data.val_files=/data/val.parquet"
RUN="python3 -m verl.trainer.main_ppo"
$RUN $COMMON \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.agent.num_workers=$nproc
