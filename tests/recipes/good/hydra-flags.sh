#!/usr/bin/env bash
# idiom: options of Hydra itself before, between and after the overrides
CONFIG_PATH="./config"
python3 -m verl.trainer.main_ppo --config-path="$CONFIG_PATH" --config-name='ppo_trainer.yaml' \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    hydra.run.dir=/tmp/hydra/\${now:%Y-%m-%d} \
    "trainer.default_local_dir='/ckpt/\${trainer.experiment_name}'" \
    trainer.experiment_name=hydra
