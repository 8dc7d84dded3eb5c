#!/usr/bin/env bash
# idiom: ${X/…/…}, ${X//…/…}, anchored and deleting
NAME="meta-llama/Llama 3.1/8B Instruct"
slug=${NAME// /_}
slug=${slug//\//-}
slug=${slug/#meta-/}
plain=${slug//[^a-zA-Z0-9]/}
short=${slug/%Instruct/it}
digits=${NAME//[!0-9]}
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet data.val_files=/data/val.parquet \
    actor_rollout_ref.model.path="/models/${NAME// /}" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.project_name="$plain" \
    trainer.experiment_name="${short}_${digits}_${slug/a/A}_${slug//l/L}"
