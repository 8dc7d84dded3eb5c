# Read by bash before each script (BASH_ENV): what a script needs from its machine is there, or does not stop it.

# A file to source that is not there (an activate script, a cluster's profile) is no error.
source() {
    if [[ -r $1 ]]; then
        builtin source "$@"
    fi
}
function . {
    source "$@"
}

# A folder that is not there counts as entered.
cd() {
    local folder part path=
    builtin cd "$@" 2>/dev/null && return
    while [[ ${1-} == -[LPe]* ]]; do shift; done
    folder=${1:-$HOME}
    [[ $folder == /* ]] || folder=$PWD/$folder
    while [[ $folder ]]; do
        part=${folder%%/*}
        if [[ $folder == */* ]]; then folder=${folder#*/}; else folder=; fi
        case $part in
            '' | .) ;;
            ..) path=${path%/*} ;;
            *) path+=/$part ;;
        esac
    done
    OLDPWD=$PWD PWD=${path:-/}
}
pwd() {
    printf '%s\n' "$PWD"
}

# Files that are not there can be copied all the same.
cp() {
    command cp "$@" 2>/dev/null || :
}
mv() {
    command mv "$@" 2>/dev/null || :
}
ln() {
    command ln "$@" 2>/dev/null || :
}

ulimit() {
    :
}

# What runs in the background ends by itself, after it has been recorded.
kill() {
    :
}

# A program that is not there is recorded and succeeds; an override that was cut off from its command fails as in
# any bash.
command_not_found_handle() {
    if [[ $1 == *=* || $1 == [-+~.]* || $1 == *[[:space:]]* || ! $1 ]]; then
        RECORDED_NAME=$1 RECORDED_LOST=1 "$RECORDER/bin/python3" "${@:2}"
        printf 'bash: %s: command not found\n' "$1" >&2
        return 127
    fi
    RECORDED_NAME=$1 "$RECORDER/bin/python3" "${@:2}"
}
