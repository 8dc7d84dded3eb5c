#!/usr/bin/env bash
# idiom: ${X:+…}: a word that is there only if a variable is set
RESUME=/ckpt/step_100
EMPTY=""
DUMP=${DUMP:-}
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    ${RESUME:+trainer.resume_mode=resume_path trainer.resume_from_path=$RESUME} \
    ${DUMP:+trainer.rollout_data_dir=$DUMP} \
    ${EMPTY:+trainer.val_only=True} \
    ${EMPTY+"trainer.log_val_generations=10"} \
    trainer.experiment_name="resumed${RESUME:+-from-${RESUME##*/}}"
