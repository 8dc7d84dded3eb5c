#!/usr/bin/env bash
# mistake: a variable misspelt where it is used
max_prompt_length=1024
max_response_length=4096
python3 -m verl.trainer.main_ppo \
    data.max_prompt_length=$max_prompt_length \
    data.max_response_length=$max_reponse_length \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm
