#!/usr/bin/env bash
# idiom: options parsed in a loop with shift, set with set --
set -- --tp 4 --offload --name="from the script"
tp=1
offload=False
while [[ $# -gt 0 ]]; do
    case $1 in
        --tp)
            tp="$2"
            shift 2
            ;;
        --offload) offload=True; shift ;;
        --name=*) name=${1#*=}; shift ;;
        *) break ;;
    esac
done
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.fsdp_config.param_offload=$offload \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$tp \
    trainer.experiment_name="$name"
