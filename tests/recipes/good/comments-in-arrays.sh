#!/usr/bin/env bash
# idiom: comments inside arrays, commented elements among them
ARGS=(
    # --- algorithm ---
    algorithm.adv_estimator=grpo   # group relative
    # algorithm.use_kl_in_reward=True
    data.train_files=/data/train.parquet
    data.val_files=/data/val.parquet  # it's small; "don't" shuffle

    ## rollout: sglang (needs fa3) \
    actor_rollout_ref.rollout.name=sglang
    trainer.experiment_name=\'run#8\'
    #actor_rollout_ref.rollout.n=16
    actor_rollout_ref.actor.use_dynamic_bsz=True #)
)
python3 -m verl.trainer.main_ppo "${ARGS[@]}" # trainer.total_epochs=9
