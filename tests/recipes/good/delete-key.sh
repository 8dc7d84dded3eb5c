#!/usr/bin/env bash
# idiom: ~key and ~key=value, with a tilde in quotes beside them
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    ~algorithm.pf_ppo \
    "~trainer.v1.sync" \
    data.train_files=$HOME/data/train.parquet \
    data.val_files="'~/data/val.parquet'" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    ~actor_rollout_ref.rollout.engine_kwargs.trtllm \
    actor_rollout_ref.rollout.name=vllm \
    trainer.default_local_dir=$HOME/ckpt
