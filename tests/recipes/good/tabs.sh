#!/usr/bin/env bash
# idiom: tabs for indentation, between words and before continuations
set	-e
engine=vllm	# a comment after a tab
python3	-m verl.trainer.main_ppo	\
	algorithm.adv_estimator=grpo	\
	data.train_files=/data/train.parquet	data.val_files=/data/val.parquet \
		actor_rollout_ref.actor.use_dynamic_bsz=True \
	actor_rollout_ref.rollout.name=$engine	\
	trainer.experiment_name="a	tab"
