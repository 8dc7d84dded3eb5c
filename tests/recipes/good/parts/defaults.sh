# read by source-defaults.sh: no recipe of its own
PROJECT=${PROJECT:-shared}
export VLLM_USE_V1=1
COMMON_ARGS=(
    algorithm.adv_estimator=grpo
    data.train_files=/data/train.parquet
    data.val_files=/data/val.parquet
)
with_project() {
    COMMON_ARGS+=("trainer.project_name=$PROJECT-$1")
}
