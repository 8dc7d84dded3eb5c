#!/usr/bin/env bash
# idiom: [[ … =~ … ]] and its groups, [[ … == pattern ]]
MODEL=${MODEL:-Qwen3-30B-A3B}
moe=False
if [[ "$MODEL" =~ ^Qwen([0-9.]+)-([0-9]+)B(-A([0-9]+)B)?$ ]]; then
    version=${BASH_REMATCH[1]}
    total=${BASH_REMATCH[2]}
    active=${BASH_REMATCH[4]}
    [[ -n $active ]] && moe=True
fi
if [[ $MODEL == *-A?B && ! $MODEL == Llama* ]]; then
    tp=4
elif [[ $MODEL =~ Llama|Mistral ]]; then
    tp=2
else
    tp=1
fi
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    actor_rollout_ref.model.path=/models/$MODEL \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.fsdp_config.param_offload=$moe \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$tp \
    trainer.experiment_name=v${version}_t${total}_a${active:-none}
