#!/usr/bin/env bash
# idiom: a function that fills a global array, called from another, dynamic scope
ARGS=()

add() {
    for pair in "$@"; do
        ARGS+=("$pair")
    done
}

function use_model {
    local where=/models
    name=$1
    describe
}

describe() { add "actor_rollout_ref.model.path=$where/$name" "trainer.experiment_name=$name"; }

add algorithm.adv_estimator=grpo data.train_files=/data/train.parquet data.val_files=/data/val.parquet
use_model llama-3.1-8b
add actor_rollout_ref.rollout.name=sglang actor_rollout_ref.actor.use_dynamic_bsz=True
python3 -m verl.trainer.main_ppo "${ARGS[@]}" trainer.project_name="${where:-unset}"
