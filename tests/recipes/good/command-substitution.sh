#!/usr/bin/env bash
# idiom: command substitution: not known, but it must not break what is around it
stamp=$(date +%Y%m%d_%H%M)
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)
host=`hostname | tr '[:upper:]' '[:lower:]'`
quoted="$(printf '%s' "a \"quoted\" ) word")"
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.project_name="on_${host}" \
    trainer.experiment_name="grpo_${stamp}" \
    trainer.default_local_dir="/ckpt/$(date +%F)/run" \
    trainer.rollout_data_dir="'/dump/$quoted'" \
    trainer.total_epochs=2
