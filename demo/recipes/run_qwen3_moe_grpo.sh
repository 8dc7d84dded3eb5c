#!/usr/bin/env bash
# GRPO on a mixture-of-experts model, one node of eight GPUs.
set -xeuo pipefail

model_path=${MODEL_PATH:-Qwen/Qwen3-30B-A3B}
train_file=${TRAIN_FILE:-data/math/train.parquet}
test_file=${TEST_FILE:-data/math/test.parquet}

max_prompt_length=$((1024 * 2))
max_response_length=$((1024 * 8))
gen_tp=4

DATA=(
    data.train_files="${train_file}"
    data.val_files="${test_file}"
    data.train_batch_size=256
    data.max_prompt_length=${max_prompt_length}
    data.max_response_length=${max_response_length}
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp}
    actor_rollout_ref.rollout.gpu_memory_utilization=0.8
    +actor_rollout_ref.rollout.engine_kwargs.vllm.gpu_memory_utilization=0.6
    +actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel=True
    actor_rollout_ref.rollout.engine_kwargs.vllm.max_logprobs=20
)

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    "${DATA[@]}" \
    actor_rollout_ref.model.path="${model_path}" \
    actor_rollout_ref.actor.optim.lr=1e-6 \
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \
    actor_rollout_ref.actor.model_engine=dp \
    "${ROLLOUT[@]}" \
    +trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 \
    trainer.total_epochs=10 \
    "$@"
