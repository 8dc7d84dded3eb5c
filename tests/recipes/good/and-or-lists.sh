#!/usr/bin/env bash
# idiom: [ … ] && a || b
DEBUG=${DEBUG:-0}
[ "$DEBUG" = 1 ] && epochs=1 || epochs=20
[[ $DEBUG == 0 ]] && logger='["console","wandb"]' || logger='["console"]'
test -z "$DEBUG" || freq=10
[ "$epochs" -gt 10 ] && [ "$epochs" -lt 30 ] && save=5
false || true && mode=sync
{ [ -n "${mode:-}" ] && size=64; } || size=32
! [ "$size" -eq 64 ] || n=8
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    data.train_batch_size=$size \
    actor_rollout_ref.actor.ppo_mini_batch_size=$size \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.mode="a$mode" \
    actor_rollout_ref.rollout.n=${n:-4} \
    trainer.logger="$logger" \
    trainer.test_freq=$freq \
    trainer.save_freq=$save \
    trainer.total_epochs=$epochs
