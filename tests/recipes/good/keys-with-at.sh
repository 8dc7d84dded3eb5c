#!/usr/bin/env bash
# idiom: group choices and keys with @
engine=megatron
python3 -m verl.trainer.main_ppo \
    model_engine=$engine \
    actor@actor_rollout_ref.actor=${engine}_actor \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.model.path=/models/Qwen3-30B-A3B \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 \
    actor_rollout_ref.actor.megatron.expert_model_parallel_size=8 \
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_permute_fusion=True \
    actor_rollout_ref.rollout.name=vllm
