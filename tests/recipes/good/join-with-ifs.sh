#!/usr/bin/env bash
# idiom: "${A[*]}" joined by IFS, IFS changed and put back
files=(/data/a.parquet /data/b.parquet)
old=$IFS
IFS=,
list="[${files[*]}]"
csv=x,y
split=($csv)
IFS=$old
spaced="${files[*]}"
loggers=(console wandb)
printf -v quoted "'%s'," "${loggers[@]}"
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="$list" \
    data.val_files="[${files[1]}]" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.logger="[${quoted%,}]" \
    trainer.project_name="$spaced" \
    trainer.experiment_name=${split[1]}${split[0]}
