# Runs scripts that come NUL-terminated on standard input, each in a subshell.  For each launch it writes to
# standard output: the number of its arguments, the arguments, the number of exported variables, and these, each
# ended by NUL; after each script, `end` and its exit status.
exec 3>&1

_record='
    _names=($(compgen -e))
    printf "%s\0" "$#" "$@" "${#_names[@]}" >&3
    for _name in "${_names[@]}"; do
        printf "%s\0" "$_name=${!_name}" >&3
    done
'

python3() {
    local IFS=$' \t\n' -
    set +eufx
    local _name _names
    for _name in $(compgen -e); do
        if ! [[ -v $_name ]]; then
            # A local variable without a value hides an exported one from here, but not from programs.
            "$BASH" --norc --noprofile -c "$_record" python3 "$@"
            return
        fi
    done
    eval "$_record"
}

while IFS= read -r -d '' _script; do
    (eval "$_script") </dev/null >/dev/null 2>&1
    printf 'end\0%s\0' "$?"
done
