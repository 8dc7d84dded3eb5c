# Stands for every program: writes down how it was called, then runs the command that it wraps, if it wraps one.
# The record is one file: the record of its caller, whether bash had not found the command, the number of words, the
# words, the environment, each ended by NUL.  Run by `bash -p`, so that neither BASH_ENV nor exported functions
# reach it.
name=${RECORDED_NAME-${0#"$RECORDER/bin/"}}
lost=${RECORDED_LOST-}
caller=${RECORDED_BY-}
unset -v RECORDED_NAME RECORDED_LOST RECORDED_BY
id=$EPOCHREALTIME-$$
{
    printf '%s\0' "$caller" "$lost" "$(($# + 1))" "$name" "$@"
    for variable in $(compgen -e); do
        printf '%s\0' "$variable=${!variable-}"
    done
} >"$RECORDS/$id"

# What the script is to read from it (`$(scontrol …)`, `$(python3 -c …)`), as its table has it.
prints=RECORDED_PRINTS_${name//[^[:alnum:]]/_}
case $name:${1-} in
    python*:-c | python*:- | [!p]*) printf '%s' "${!prints-}" ;;
esac

# A machine with GPUs: what asks for another device is told that there is none.
if [[ $name == python* && "$*" == *"import torch_npu"* ]]; then
    exit 1
fi

export RECORDED_BY=$id
case ${name##*/} in
    env | timeout | xargs | tee) exec "$RECORDER/tools/${name##*/}" "$@" ;;
    python* | torchrun | accelerate | deepspeed | pip* | git) exit 0 ;;
    ray)
        while [[ $# -gt 0 && $1 != -- ]]; do shift; done
        shift
        ;;
esac

# A wrapper: nohup, srun --nodes=2 bash -c …, uv run python3 …
while [[ $# -gt 0 ]]; do
    case ${1##*/} in
        bash | sh | python | python3 | torchrun | accelerate | deepspeed | uv | ray | srun | nohup | env | timeout | xargs)
            exec "$@"
            ;;
    esac
    shift
done
exit 0
