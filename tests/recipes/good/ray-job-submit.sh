#!/usr/bin/env bash
# idiom: ray job submit --runtime-env-json '…' -- bash -c '…'
ADDRESS=${RAY_ADDRESS:-http://127.0.0.1:8265}
epochs=8
ray job submit --address="$ADDRESS" --no-wait \
    --runtime-env-json '{
        "working_dir": ".",
        "env_vars": {"NCCL_DEBUG": "WARN", "VLLM_USE_V1": "1"}
    }' \
    -- bash -c "python3 -m verl.trainer.main_ppo \
        algorithm.adv_estimator=grpo \
        data.train_files=/data/train.parquet \
        data.val_files=/data/val.parquet \
        actor_rollout_ref.actor.use_dynamic_bsz=True \
        actor_rollout_ref.rollout.name=vllm \
        trainer.logger='[\"console\"]' \
        trainer.total_epochs=$epochs"
