#!/usr/bin/env bash
# idiom: while and until with arithmetic, break and continue
stage=0
until [ $stage -ge 5 ]; do
    stage=$((stage + 1))
    (( stage == 2 )) && continue
    if [ $stage -eq 4 ]; then
        break
    fi
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/stage$stage.parquet \
        data.val_files=/data/val.parquet \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        trainer.experiment_name=stage_$stage
done
k=10
while (( k > 0 )); do k=$(( k - 4 )); done
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/final.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name=final_$k
