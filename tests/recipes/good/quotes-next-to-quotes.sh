#!/usr/bin/env bash
# idiom: quotes next to quotes, escaped quotes, $'…'
tag=v2
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator='gr''po' \
    "data.train_files"='/data/train.parquet' \
    'data.val_files='"/data/val.parquet" \
    actor_rollout_ref.actor.use_dynamic_bsz="Tr"'ue' \
    actor_rollout_ref.rollout.name="v"l'l'"m" \
    trainer.logger=[\"console\",\'wandb\'] \
    trainer.project_name='it is '"$tag"' here' \
    trainer.experiment_name=\'a"b c"'d "e"'f\ g"\"h\""\' \
    trainer.default_local_dir=$'/ckpt/tab\there' \
    ""trainer.nnodes=1 \
    trainer.default_hdfs_dir=""
