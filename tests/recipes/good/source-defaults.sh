#!/usr/bin/env bash
# idiom: source and . of another script, and of one that is not there
PROJECT=mine
source parts/defaults.sh
. "$(dirname "$0")/parts/defaults.sh"
source /opt/conda/etc/profile.d/conda.sh
[ -f "$HOME/.verl_profile" ] && . "$HOME/.verl_profile"
with_project a
python3 -m verl.trainer.main_ppo "${COMMON_ARGS[@]}" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=vllm
