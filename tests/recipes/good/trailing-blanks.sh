#!/usr/bin/env bash
# idiom: blanks at line ends, and after a backslash where it continues nothing   
# python3 -m verl.trainer.main_ppo \  
#     trainer.total_epochs=3 \ 
sp=2   

python3 -m verl.trainer.main_ppo   \
    algorithm.adv_estimator=grpo     \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet	 	\
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=$sp \
    actor_rollout_ref.rollout.name=vllm   

echo done \ 
