#!/usr/bin/env bash
# idiom: for (( … )) and an index into two arrays
SEEDS=(11 23 47)
NAMES=(first second third)

for (( i = 0; i < ${#SEEDS[@]}; i++ )); do
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=rloo \
        data.train_files=/data/gsm8k/train.parquet \
        data.val_files=/data/gsm8k/test.parquet \
        data.seed=${SEEDS[i]} \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.actor.data_loader_seed=${SEEDS[$i]} \
        actor_rollout_ref.rollout.name=vllm \
        actor_rollout_ref.rollout.n=4 \
        trainer.experiment_name=seed_${NAMES[$i]}_$((i + 1))_of_${#SEEDS[*]}
done
