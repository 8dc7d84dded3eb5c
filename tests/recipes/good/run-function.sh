#!/usr/bin/env bash
# idiom: a function that shows a command and runs it
run() {
    echo "+ $*" >&2
    if [ "${DRY_RUN:-0}" = 1 ]; then
        return 0
    fi
    "$@"
}
launch() { run python3 -m "$@"; }

launch verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name="two  blanks"
