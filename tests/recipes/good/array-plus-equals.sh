#!/usr/bin/env bash
# idiom: an array that grows with +=
set -euo pipefail

model=Qwen/Qwen2.5-7B-Instruct
OPTIONS=(
    algorithm.adv_estimator=grpo
    data.train_files=/data/gsm8k/train.parquet
    data.val_files=/data/gsm8k/test.parquet
)
OPTIONS+=(data.train_batch_size=512 data.max_prompt_length=1024)
OPTIONS+=(
    actor_rollout_ref.model.path="$model"
    actor_rollout_ref.actor.optim.lr=2e-6
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=vllm
)
OPTIONS+=("trainer.experiment_name=grown_${#OPTIONS[@]}_options")

python3 -m verl.trainer.main_ppo "${OPTIONS[@]}" trainer.total_epochs=3
