#!/usr/bin/env bash
# idiom: a loop over configurations, each split into its fields
configs=(
    "short:1024:2048"
    "medium:2048:8192"
    "long:2048:16384"
)
for config in "${configs[@]}"; do
    IFS=: read -r label prompt response <<< "$config"
    total=$((prompt + response))
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/openr1/train.parquet \
        data.val_files=/data/openr1/test.parquet \
        data.max_prompt_length="$prompt" \
        data.max_response_length="$response" \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.actor.ppo_max_token_len_per_gpu="$total" \
        actor_rollout_ref.rollout.name=vllm \
        actor_rollout_ref.rollout.max_num_batched_tokens="$total" \
        trainer.experiment_name="length_$label"
done
