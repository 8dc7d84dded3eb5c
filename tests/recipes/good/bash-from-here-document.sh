#!/usr/bin/env bash
# idiom: a script for bash in a here-document
epochs=4
bash <<SCRIPT
inner=\$((epochs_outside + 1))
epochs_outside=2
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_files=/data/train.parquet \\
    data.val_files=/data/val.parquet \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.name=vllm \\
    trainer.nnodes=\$inner \\
    trainer.total_epochs=$epochs
SCRIPT
