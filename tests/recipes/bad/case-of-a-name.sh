#!/usr/bin/env bash
# mistake: upper and lower case of a variable mixed
PROJECT_NAME=math
EXP_NAME=run1
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.project_name="${PROJECT_NAME}" \
    trainer.default_local_dir=/ckpt/${project_name}/${EXP_NAME}
