#!/usr/bin/env bash
# idiom: "$@" in the middle, ${@:1} and $# beside it
echo "got $# more options"
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=reinforce_plus_plus \
    data.train_files=/data/train.parquet \
    "$@" \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    ${@:1} \
    actor_rollout_ref.rollout.name=vllm \
    trainer.total_training_steps=100
