#!/usr/bin/env bash
# idiom: bash -c with single quotes: the inner shell expands, with positional arguments of its own
export LR=3e-6
NODES=2
ray job submit -- bash -c '
    set -e
    batch=${BATCH_SIZE:-96}
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/train.parquet \
        data.val_files=/data/val.parquet \
        data.train_batch_size=$batch \
        actor_rollout_ref.actor.ppo_mini_batch_size=$batch \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        trainer.nnodes="$1" \
        trainer.project_name='\''inner'\'' \
        "${@:2}"
' inner $NODES trainer.total_epochs=3 'trainer.experiment_name=last one'
