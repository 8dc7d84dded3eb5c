#!/usr/bin/env bash
# idiom: -z, -n, -v, -eq, string order, negation and grouping in tests
PROFILE=${PROFILE:-}
STEPS=${STEPS:-200}
FLAGS=()
if [[ -z $PROFILE || ( -n $PROFILE && $PROFILE != none ) ]]; then
    FLAGS+=(global_profiler.steps=null)
fi
if [ "$STEPS" -ge 100 -a "$STEPS" -lt 1000 ]; then FLAGS+=(trainer.save_freq=50); fi
if ! [ -n "$PROFILE" ]; then FLAGS+=(trainer.test_freq=25); fi
[[ -v STEPS && ! -v NEVER_SET ]] && FLAGS+=("trainer.total_training_steps=$STEPS")
[[ abc < abd ]] && FLAGS+=(trainer.nnodes=1)
if [[ "$STEPS" -gt 500 ]]; then FLAGS+=(trainer.total_epochs=100); else FLAGS+=(trainer.total_epochs=10); fi
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    "${FLAGS[@]}"
