#!/usr/bin/env bash
# mistake: a blank inside an array element
ARGS=(
    algorithm.adv_estimator=grpo
    data.train_files=/data/train.parquet
    data.val_files=/data/val.parquet
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=vllm
    trainer.experiment_name=long context
)
python3 -m verl.trainer.main_ppo "${ARGS[@]}"
