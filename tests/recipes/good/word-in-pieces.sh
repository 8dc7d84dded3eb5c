#!/usr/bin/env bash
# idiom: words glued from variables, slashes and dots; keys built from variables
root=actor_rollout_ref
part=rollout
DIR=/ckpt NAME=run.1
engine="$root.$part.engine_kwargs"
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=$DIR/$NAME.train.parquet \
    data.val_files="$DIR"/"$NAME"'.val.parquet' \
    $root.actor.use_dynamic_bsz=True \
    ${root}.${part}.name=vllm \
    +$engine.vllm.disable_mm_preprocessor_cache=True \
    "${root}.rollout.n"=8 \
    trainer.default_local_dir=$DIR/$NAME/$NAME trainer.experiment_name=${NAME}_$part$root
