#!/usr/bin/env bash
# idiom: process substitution around a command, extglob and arrays from words
exec > >(cat) 2>&1
readarray -t SPLITS < <(printf '%s\n' train val)
words="one two  three"
list=($words)
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name="${list[2]}_${#list[@]}" \
    2> >(cat >&2)
