#!/usr/bin/env bash
# idiom: ${#X}, ${X^^}, ${X,,}, ${X^}
engine=VLLM
flag=true
task="multi turn"
files=(/data/a.parquet /data/b.parquet /data/c.parquet)
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="${files[0]}" \
    data.val_files="${files[-1]}" \
    data.dataloader_num_workers=${#files[@]} \
    actor_rollout_ref.actor.use_dynamic_bsz=${flag^} \
    actor_rollout_ref.rollout.name=${engine,,} \
    actor_rollout_ref.rollout.n=${#engine} \
    trainer.experiment_name="'${task^^}: ${task^}, ${engine,}'" \
    trainer.project_name=p${#task}_${engine,,[V]}
