#!/usr/bin/env bash
# idiom: empty and unset words vanish unquoted and stay quoted
EMPTY=
NONE=()
ONE=("")
python3 -m verl.trainer.main_ppo $EMPTY \
    algorithm.adv_estimator=grpo ${NONE[@]} "${NONE[@]}" \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm ${EMPTY:-} ${ONE[@]} \
    trainer.experiment_name="e${NONE[*]}${ONE[*]}" \
    trainer.project_name=${EMPTY:-by_default}${EMPTY:+never}
