#!/usr/bin/env bash
# idiom: defaults nested in defaults
GPUS=${GPUS:-${GPUS_PER_NODE:-8}}
NODES=${NODES:-${WORLD_NODES:-${PET_NNODES:-2}}}
ROOT=${ROOT:-"${HOME}/verl"}
CKPT=${CKPT:-"${ROOT}/ckpt/${RUN_NAME:-grpo_${NODES}x${GPUS}}"}
: "${TRAIN:=${ROOT}/data/train.parquet}"
: ${TEST:=$ROOT/data/test.parquet}

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="['${TRAIN}']" \
    data.val_files="['$TEST']" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=${BACKEND-vllm} \
    trainer.default_local_dir="$CKPT" \
    trainer.n_gpus_per_node=$GPUS \
    trainer.nnodes="${NODES}" \
    trainer.logger="${LOGGER:-['console','tensorboard']}"
