#!/usr/bin/env bash
# idiom: background jobs, wait, $! and an exit status
set -u
mkdir -p logs
pids=()
for gpu in 0 1; do
    CUDA_VISIBLE_DEVICES=$gpu python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/train.parquet \
        data.val_files=/data/val.parquet \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        trainer.n_gpus_per_node=1 \
        trainer.experiment_name="half_$gpu" > "logs/gpu$gpu.log" 2>&1 &
    pids+=($!)
done
wait "${pids[@]}"
status=$?
echo "both ended: $status"
