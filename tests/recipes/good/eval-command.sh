#!/usr/bin/env bash
# idiom: eval of a command kept in a string
key=trainer.total_epochs
eval "epochs_of_$((1 + 1))=7"
CMD="python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo"
CMD="$CMD data.train_files=/data/train.parquet data.val_files='/data/my val.parquet'"
CMD+=" actor_rollout_ref.actor.use_dynamic_bsz=True"
CMD+=" actor_rollout_ref.rollout.name=vllm"
CMD="${CMD} $key=\$epochs_of_2"
echo "$CMD"
eval "$CMD" "trainer.experiment_name=\"by eval\""
