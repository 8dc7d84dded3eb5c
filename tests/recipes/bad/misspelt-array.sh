#!/usr/bin/env bash
# mistake: an array misspelt: its words vanish
ARGS=(
    algorithm.adv_estimator=grpo
    data.train_files=/data/train.parquet
    data.val_files=/data/val.parquet
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=vllm
)
EXTRA_ARGS=(trainer.total_epochs=2 trainer.save_freq=5)
python3 -m verl.trainer.main_ppo "${ARGS[@]}" "${EXTRA_ARG[@]}"
