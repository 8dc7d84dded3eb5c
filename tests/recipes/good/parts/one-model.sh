# run by call-other-script.sh with a model, a backend and further overrides
set -eu
model=$1
backend=${2:-sglang}
shift 2
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=${ESTIMATOR:-rloo} \
    data.train_files=/data/train.parquet \
    data.val_files=/data/val.parquet \
    data.train_batch_size=${BATCH:-1024} \
    actor_rollout_ref.model.path="$model" \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.name=$backend \
    actor_rollout_ref.rollout.n=${HIDDEN:-4} \
    "$@"
