#!/usr/bin/env bash
# mistake: a variable misspelt where it is set
rollout_tpp=4
use_offload=False
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.actor.fsdp_config.param_offload=${use_offload} \
    actor_rollout_ref.rollout.tensor_model_parallel_size=${rollout_tp}
