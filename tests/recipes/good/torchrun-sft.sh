#!/usr/bin/env bash
# idiom: torchrun with options of its own before the module
set -xeuo pipefail
nproc=${NPROC:-8}
RANK=${NODE_RANK:-0}
ENTRYPOINT=${ENTRYPOINT:-"-m verl.trainer.sft_trainer"}
torchrun --nnodes=1 --node-rank=$RANK --nproc-per-node="${nproc}" --standalone \
    ${ENTRYPOINT} \
    data.train_files=/data/sft/train.parquet \
    data.val_files=/data/sft/test.parquet \
    data.train_batch_size=96 \
    data.messages_key=conversation \
    model.path=/models/Qwen2.5-0.5B-Instruct \
    optim.lr=1e-5 \
    trainer.project_name=sft \
    trainer.total_epochs=2 \
    trainer.n_gpus_per_node=$nproc \
    "$@"
