#!/usr/bin/env bash
# idiom: case with alternatives, globs and a default arm
size=${SIZE:-14b}

case "$size" in
    0.5b | 1.5b)
        tp=1
        micro=16 ;;
    [37]b)
        tp=2
        micro=8
        ;;
    1?b|32b)
        tp=4 micro=4
        ;;
    *)
        echo "which model is $size?" >&2
        exit 1
        ;;
esac

case $tp in 1) util=0.5;; *) util=0.8;; esac

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/dapo/train.parquet \
    data.val_files=/data/dapo/aime.parquet \
    actor_rollout_ref.model.path=/models/Qwen2.5-$size \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=$micro \
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=$micro \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=$micro \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$tp \
    actor_rollout_ref.rollout.gpu_memory_utilization=$util
