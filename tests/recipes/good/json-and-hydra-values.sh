#!/usr/bin/env bash
# idiom: JSON and Hydra lists and dicts in quotes
train="['/data/gsm8k/train.parquet', '/data/math/train.parquet']"
val='["/data/gsm8k/test.parquet","/data/math/test.parquet"]'
max=3072
kernels='{mode: 3, cudagraph_mode: "FULL_AND_PIECEWISE"}'
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    "data.train_files=$train" \
    data.val_files="$val" \
    +data.apply_chat_template_kwargs="{enable_thinking: false, max_tokens: ${max}}" \
    actor_rollout_ref.model.target_modules='[q_proj,k_proj,"v_proj"]' \
    actor_rollout_ref.actor.checkpoint.save_contents="['model','hf_model']" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config="$kernels" \
    actor_rollout_ref.rollout.cudagraph_capture_sizes="[1,2,4,8,$((max/64))]" \
    "trainer.logger=[console, wandb]" \
    trainer.experiment_name=\'quoted\ for\ hydra\'
