#!/usr/bin/env bash
# idiom: local -n, ${!A[@]}, readonly, declare -i
readonly BASE=/models
declare -r SUFFIX=Instruct
declare -i count=2+3
count+=1
append() {
    local -n target=$1
    shift
    target+=("$@")
}
declare -a ROLLOUT=()
append ROLLOUT actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=$count
sparse=([3]=c [1]=a)
sparse+=(d)
indices="${!sparse[*]}"
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.model.path=$BASE/Qwen2.5-7B-$SUFFIX \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    "${ROLLOUT[@]}" \
    trainer.experiment_name="at_${indices// /-}_${sparse[*]:1:2}"
