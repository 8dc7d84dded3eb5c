#!/usr/bin/env bash
#SBATCH --job-name=grpo
#SBATCH --nodes=2
# idiom: srun with options, around python3
nodes=2
srun --nodes="$nodes" --ntasks-per-node=1 --export=ALL \
    python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.nnodes=$nodes
