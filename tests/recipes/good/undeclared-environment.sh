#!/usr/bin/env bash
# idiom: values that only the environment has: the key is known, the value is not
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="$DATA_ROOT/train.parquet" \
    data.val_files=${DATA_ROOT:?set it}/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.nnodes=${WORLD_SIZE:-1} \
    trainer.n_gpus_per_node=${GPUS:-8} \
    trainer.default_local_dir="$HOME/ckpt/$USER"
