#!/usr/bin/env bash
# idiom: associative arrays, declared at once and filled later
declare -A TP=( [7B]=1 [32B]=4 ["72B"]=8 )
declare -A NODES
NODES[7B]=1
NODES["32B"]=2
NODES[72B]=4
for size in 7B 32B; do
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/train.parquet \
        data.val_files=/data/val.parquet \
        actor_rollout_ref.model.path="/models/Qwen2.5-$size" \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        actor_rollout_ref.rollout.tensor_model_parallel_size=${TP[$size]} \
        trainer.nnodes=${NODES[$size]} \
        trainer.experiment_name="${#TP[@]}-${NODES[14B]:-none}"
done
