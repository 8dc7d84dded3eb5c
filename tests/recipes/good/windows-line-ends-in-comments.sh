#!/usr/bin/env bash
# idiom: Windows line ends in comments and between statements that bear them
# written on Windows
# python3 -m verl.trainer.main_ppo \
#     trainer.total_epochs=1
ARGS=(
    algorithm.adv_estimator=grpo # group
    data.train_files=/data/train.parquet #
    data.val_files=/data/val.parquet
)
cat > /dev/null <<END
a line
END
python3 -m verl.trainer.main_ppo "${ARGS[@]}" actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.rollout.name=vllm # last
