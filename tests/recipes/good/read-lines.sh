#!/usr/bin/env bash
# idiom: lines of a here-document read in a loop, into words and with mapfile
while IFS='|' read -r name lr; do
    python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/train.parquet \
        data.val_files=/data/val.parquet \
        actor_rollout_ref.actor.optim.lr="$lr" \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        trainer.experiment_name="$name"
done <<'RUNS'
slow one|1e-7
fast one|1e-5
RUNS
mapfile -t EXTRA <<EOT
trainer.total_epochs=1
trainer.project_name=with blanks
EOT
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm \
    "${EXTRA[@]}"
