#!/usr/bin/env bash
# idiom: ${X:offset:length}, negative offsets, slices of "$@" in a function
commit=1dda039b9c0ffee
when=2026-08-22
pick() {
    first=$1
    last=${@: -1}
    middle="${*:2:2}"
}
pick alpha beta gamma delta
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.project_name=${commit:0:7}_${commit: -4}_${commit:9} \
    trainer.experiment_name="${when:5:2}/${when:(-2)} $first $last $middle ${when:0:-3}"
