#!/usr/bin/env bash
# idiom: bash other.sh args, with an environment prefix and exported variables
set -e
HIDDEN=16
export ESTIMATOR=grpo
bash parts/one-model.sh /models/a vllm
BATCH=256 ESTIMATOR=reinforce_plus_plus bash parts/one-model.sh "/models/b c" sglang trainer.total_epochs=2 "trainer.experiment_name=x y"
export BATCH=64
bash "$(dirname "$0")/parts/one-model.sh" /models/d vllm data.shuffle=False
