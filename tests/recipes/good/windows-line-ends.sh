#!/usr/bin/env bash
# idiom: Windows line ends throughout, each command in one line that ends in a comment
ENGINE=vllm #
EPOCHS=9 #
ARGS=(algorithm.adv_estimator=grpo data.train_files=/data/train.parquet data.val_files=/data/val.parquet) #
python3 -m verl.trainer.main_ppo "${ARGS[@]}" actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.rollout.name=$ENGINE trainer.total_epochs=$EPOCHS #
