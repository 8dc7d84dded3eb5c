#!/usr/bin/env bash
# idiom: command substitution of echo, printf, basename and dirname
MODEL_PATH=/mnt/hub/Qwen3-8B
name=$(basename "$MODEL_PATH")
parent=$(basename $(dirname $MODEL_PATH))
joined=$(IFS=,; echo "a,b")
padded=$(printf '%03d' 7)
text=$(echo "two words")
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.model.path="$MODEL_PATH" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.project_name="$parent" \
    trainer.experiment_name="'${name}_${joined}_${padded}_${text}'"
