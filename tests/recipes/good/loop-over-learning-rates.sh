#!/bin/bash
# idiom: a for loop over values, one run each
set -eu

for lr in 1e-6 3e-6 "5e-6"; do
    for coef in 0.0 0.001
    do
        name="lr${lr}-kl${coef}"
        python3 -m verl.trainer.main_ppo \
            algorithm.adv_estimator=grpo \
            data.train_files=/data/gsm8k/train.parquet \
            data.val_files=/data/gsm8k/test.parquet \
            actor_rollout_ref.actor.optim.lr=$lr \
            actor_rollout_ref.actor.use_kl_loss=True \
            actor_rollout_ref.actor.kl_loss_coef=$coef \
            actor_rollout_ref.actor.use_dynamic_bsz=True \
            actor_rollout_ref.rollout.name=vllm \
            trainer.project_name=sweep \
            trainer.experiment_name="$name"
    done
done
