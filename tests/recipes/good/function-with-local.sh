#!/usr/bin/env bash
# idiom: functions with local variables that hide the script's
set -euo pipefail
batch=128
epochs=5

train() {
    local batch=$1
    local tag=${2:-plain} epochs
    epochs=2
    shift 2 || shift $#
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/gsm8k/train.parquet \
        data.val_files=/data/gsm8k/test.parquet \
        data.train_batch_size="$batch" \
        actor_rollout_ref.actor.ppo_mini_batch_size="$batch" \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        trainer.total_epochs=$epochs \
        trainer.experiment_name="$tag" \
        "$@"
}

train 256 wide trainer.save_freq=20
train 64
train $batch "from outside $epochs" trainer.test_freq=5 trainer.val_before_train=False
