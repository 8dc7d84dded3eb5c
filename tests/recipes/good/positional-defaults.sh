#!/usr/bin/env bash
# idiom: positional arguments with defaults, taken off with shift
MODEL=${1:-/models/Qwen3-4B}
GPUS=${2:-8}
shift 2 2>/dev/null || true
[ $# -eq 0 ] && set -- trainer.total_epochs=3 trainer.save_freq=-1
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.model.path=$MODEL \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.n_gpus_per_node=$GPUS
