#!/usr/bin/env bash
# idiom: brace expansion, and braces that are none
files=(/data/{gsm8k,math}/train.parquet)
runs=(run{1..3})
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.{train,val}_files=/data/all.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.optim.betas=[0.9,0.99] \
    actor_rollout_ref.rollout.name=vllm \
    +actor_rollout_ref.model.override_config={attn_implementation:eager} \
    +ray_kwargs.ray_init.runtime_env.env_vars={} \
    trainer.experiment_name="'{a,b}_${runs[2]}_${#files[@]}'" \
    trainer.project_name=${files[1]#/}
