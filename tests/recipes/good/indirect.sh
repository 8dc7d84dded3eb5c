#!/usr/bin/env bash
# idiom: indirect ${!X}
SMALL_LR=5e-6
LARGE_LR=1e-6
which=LARGE
lr_name=${which}_LR
paths_train=/data/train.parquet
paths_val=/data/val.parquet
declare -A batch=([SMALL]=1024 [LARGE]=256)
words=()
for split in train val; do
    ref=paths_$split
    words+=("data.${split}_files=${!ref}")
done
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    "${words[@]}" \
    data.train_batch_size=${batch[$which]} \
    actor_rollout_ref.actor.optim.lr=${!lr_name} \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm
