#!/usr/bin/env bash
# idiom: array elements set, replaced and removed by index; slices
ARGS=(
    algorithm.adv_estimator=gae
    data.train_files=/data/train.parquet
    data.val_files=/data/val.parquet
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=hf
    to.be.removed=1
    trainer.total_epochs=1
)
ARGS[0]=algorithm.adv_estimator=grpo
ARGS[4]="actor_rollout_ref.rollout.name=vllm"
unset 'ARGS[5]'
ARGS[20]=trainer.nnodes=2
first=("${ARGS[@]:0:3}")
rest=("${ARGS[@]:3}")
python3 -m verl.trainer.main_ppo "${first[@]}" "${rest[@]}" "trainer.experiment_name=${#ARGS[@]}"
