#!/usr/bin/env bash
# idiom: $(( … )) with names, nested, in words, with every operator a recipe needs
prompt=2048
response=$((1024 * 8))
n_gpus=8
nodes=2
sp=2
((world = n_gpus * nodes))
max_len=$((prompt + response))
let tokens="max_len * 2"
batch=$(( world * (4 + $((2 * 2))) ))
steps=$(( (7473 + batch - 1) / batch ))
(( steps > 50 )) && steps=$((steps - steps % 10))
warm=$((steps >= 100 ? 10 : steps / 5))
mini=$[batch / 4]
dp=$((world/sp))
i=3; j=$((i++ + ++i)); ((j -= 1))
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    data.max_prompt_length=$prompt \
    data.max_response_length=$response \
    data.train_batch_size=$batch \
    actor_rollout_ref.actor.ppo_mini_batch_size=$mini \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=$((max_len / sp)) \
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=$sp \
    actor_rollout_ref.actor.optim.lr_warmup_steps=$warm \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.max_num_batched_tokens=${tokens} \
    actor_rollout_ref.rollout.n=$((1<<3)) \
    trainer.save_freq=$((steps)) \
    trainer.experiment_name=dp$((dp))_i${i}_j${j}_$((0x10 + 010))_$((2**5))_$((-7 / 2))_$((-7 % 3)) \
    trainer.n_gpus_per_node=$n_gpus trainer.nnodes=$nodes
# two signs in a row, which are no decrement
python3 -m verl.trainer.main_ppo trainer.nnodes=$((1--1)) trainer.total_epochs=$((5--(1) + -(-2) ++3 - -1))
