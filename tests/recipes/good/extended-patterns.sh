#!/usr/bin/env bash
# idiom: extended patterns within [[ ]] need no shopt
backend=vllm
if [[ $backend == @(vllm|sglang) ]]; then
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name="$backend"
fi
if [[ $backend != +(trt|hf) && $backend == v?(ll)m ]]; then
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name="$backend" trainer.nnodes=2
fi
