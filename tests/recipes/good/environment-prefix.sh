#!/usr/bin/env bash
# idiom: variables in front of the command, exported before, unset again
export NCCL_DEBUG=WARN
export HYDRA_FULL_ERROR=1 TOKENIZERS_PARALLELISM=true
declare -x VLLM_LOGGING_LEVEL=INFO
CUDA_DEVICE_MAX_CONNECTIONS=1
export CUDA_DEVICE_MAX_CONNECTIONS
export RAY_DEDUP_LOGS=0
unset RAY_DEDUP_LOGS
export -n NCCL_DEBUG
NOT_EXPORTED=1
PYTHONUNBUFFERED=1 VLLM_USE_V1="1" RUN="a b" python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name="run${RUN-_without}"
