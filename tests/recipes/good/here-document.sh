#!/usr/bin/env bash
# idiom: here-documents: files written first, one quoted, one with tabs taken off
workers=4
config=$HOME/agent_loop.yaml
cat > "$config" <<YAML
- name: tool_agent
  _target_: my.agents.ToolAgent  # ${workers} workers, an 'open quote and a "
YAML
cat >/dev/null <<'PY'
print("$(not run)", f"${not_set}")
trainer.total_epochs=99 \
PY
if true; then
	cat <<-NOTE
		python3 -m verl.trainer.main_ppo trainer.total_epochs=1
	NOTE
fi
python3 - <<END
import json
END
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=sglang \
    actor_rollout_ref.rollout.agent.num_workers=$workers \
    actor_rollout_ref.rollout.agent.agent_loop_config_path="$config"
