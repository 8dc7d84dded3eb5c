#!/usr/bin/env bash
# mistake: an override commented out in the middle of a command
set -x
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    # trainer.critic_warmup=0 \
    trainer.logger=console \
    trainer.project_name=demo \
    trainer.total_epochs=2
