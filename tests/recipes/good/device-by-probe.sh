#!/usr/bin/env bash
# idiom: the device found by a probe, or given
DEVICE=${DEVICE:-gpu}
case "$DEVICE" in
    gpu) DEVICE_ARGS=(trainer.device=cuda actor_rollout_ref.rollout.gpu_memory_utilization=0.8) ;;
    npu) DEVICE_ARGS=(trainer.device=npu actor_rollout_ref.rollout.gpu_memory_utilization=0.6) ;;
esac
if [ -z "$DEVICE" ]; then
    DEVICE=$(python3 -c 'import torch_npu' 2>/dev/null && echo npu || echo gpu)
fi
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    "${DEVICE_ARGS[@]}" \
    trainer.experiment_name=on_$DEVICE
