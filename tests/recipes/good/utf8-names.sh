#!/usr/bin/env bash
# idiom: UTF-8 text: 训练脚本 – Übungslauf – 実験
NAME=数学推理
dir="/数据/训练"   # 数据目录
greeting='héllo, wörld'
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="'$dir/train.parquet'" \
    data.val_files="['$dir/val.parquet']" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    trainer.project_name="'$NAME'" \
    trainer.experiment_name="'${greeting}_${#NAME}_${NAME:2}_${NAME/推理/🚀}'" \
    trainer.total_epochs=2 # 两轮
