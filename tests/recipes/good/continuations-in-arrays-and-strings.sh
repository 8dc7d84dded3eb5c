#!/usr/bin/env bash
# idiom: line continuations inside arrays, strings and words
options=(
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet
    actor_rollout_ref.actor.\
use_dynamic_bsz=True
)
note="a note that \
goes on"
long="actor_rollout_ref.rollout.name=vllm \
      actor_rollout_ref.rollout.n=5"
python3 -m \
    verl.trainer.main_ppo "${options[@]}" $long \
    trainer.experiment_name="$note" \
    trainer.project_name="'back\\\\slash'" \
    trainer.logger="['console',\
'tensorboard']" \
    trainer.total_\
epochs=4
