#!/usr/bin/env bash
# idiom: trap, with a function and with a command in quotes
set -Eeuo pipefail
cleanup() {
    ray stop --force
    echo "trainer.total_epochs=0 is not an argument"
}
trap cleanup EXIT
trap 'echo "failed in line $LINENO" >&2' ERR
trap - INT

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.total_epochs=6
