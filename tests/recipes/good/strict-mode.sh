#!/usr/bin/env bash
# idiom: set -euo pipefail, set -x, set +x, shopt
set -euo pipefail
shopt -s nullglob extglob
set -o errtrace
set -x

DATA=${DATA:-/data}
EXTRA=${EXTRA:-}
set +u
LOCAL=${UNSET_ON_PURPOSE}
set -u
{ set +x; } 2>/dev/null

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=$DATA/train.parquet \
    data.val_files=$DATA/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.experiment_name="strict${LOCAL}" $EXTRA
