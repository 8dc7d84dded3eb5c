#!/usr/bin/env bash
# idiom: the interpreter and the module in variables with defaults
PYTHON=${PYTHON:-python3}
ENTRY=${ENTRY:-verl.trainer.main_ppo}
VERBOSE=
"$PYTHON" ${VERBOSE:+-v} -X faulthandler -m "$ENTRY" \
    --config-name 'ppo_trainer' \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm
