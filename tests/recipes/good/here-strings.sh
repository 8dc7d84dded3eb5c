#!/usr/bin/env bash
# idiom: here-strings read into variables and arrays
spec="8 2 0.7"
read -r n tp util <<< "$spec"
IFS=, read -ra splits <<<"train,val"
read -r first rest <<< "  alpha  beta gamma "
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/${splits[0]}.parquet \
    data.val_files=/data/${splits[1]}.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=$n \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$tp \
    actor_rollout_ref.rollout.gpu_memory_utilization=$util \
    trainer.experiment_name="$first/$rest"
