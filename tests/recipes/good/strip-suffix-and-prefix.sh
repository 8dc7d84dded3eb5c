#!/usr/bin/env bash
# idiom: ${X%…}, ${X%%…}, ${X#…}, ${X##…}
MODEL=/mnt/models/Qwen/Qwen2.5-VL-7B-Instruct/
MODEL=${MODEL%/}
base=${MODEL##*/}
family=${base%%-*}
owner=${MODEL%/*}
owner=${owner##*/}
data=/data/geo3k.train.parquet
stem=${data%.train*}
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="$data" \
    data.val_files="${data/train/test}" \
    data.image_key=images \
    actor_rollout_ref.model.path=$MODEL \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.project_name="${owner}_${family}" \
    trainer.experiment_name="${base#Qwen}_${stem#/data/}_${base%-*}_${base#*-}"
