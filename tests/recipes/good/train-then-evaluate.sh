#!/usr/bin/env bash
# idiom: several entry points in one script, joined by &&, options carried over
CKPT=/ckpt/run7
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.default_local_dir=$CKPT &&
    python3 -m verl.trainer.main_eval \
        data.path=$CKPT/generated.parquet \
        data.prompt_key=prompt \
        custom_reward_function.path=/rewards/math.py || {
    echo "failed" >&2
    exit 1
}
