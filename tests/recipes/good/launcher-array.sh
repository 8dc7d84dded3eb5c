#!/usr/bin/env bash
# idiom: the launcher itself an array, chosen by a condition
USE_UV=${USE_UV:-0}
LAUNCH=(python3)
if [[ "$USE_UV" == 1 ]] && command -v uv > /dev/null; then
    LAUNCH=(uv run --frozen python3)
fi
LAUNCH+=(-u -m verl.trainer.main_ppo)
"${LAUNCH[@]}" \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm
