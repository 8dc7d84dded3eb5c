#!/usr/bin/env bash
# idiom: many options packed in one string and split unquoted
tp=4
MEGATRON="
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=$tp
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2
	actor_rollout_ref.actor.megatron.param_offload=True
    actor_rollout_ref.ref.megatron.tensor_model_parallel_size=${tp}
"
ROLLOUT="actor_rollout_ref.rollout.name=sglang actor_rollout_ref.rollout.n=8"
ROLLOUT="$ROLLOUT actor_rollout_ref.rollout.gpu_memory_utilization=0.7"
ROLLOUT+="   actor_rollout_ref.rollout.tensor_model_parallel_size=$((tp * 2))"
python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer.yaml \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    $MEGATRON$ROLLOUT \
    trainer.total_epochs=10
