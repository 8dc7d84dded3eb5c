#!/usr/bin/env bash
# idiom: subshells keep their changes, groups do not
name=outer
lr=1e-6
(
    name=inner
    lr=2e-6
    export INNER=1
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/train.parquet \
        data.val_files=/data/val.parquet \
        actor_rollout_ref.actor.optim.lr=$lr \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        trainer.experiment_name=$name
)
{ name=group; }
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.optim.lr=$lr \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name=$name
