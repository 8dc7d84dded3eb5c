# Runs a script and waits for what it left in the background: `cat` ends when the last of them has closed its end of
# the pipe.  Started by `bash -p`; the script itself gets BASH_ENV.
{ "$BASH" "$@" 3>&1 >/dev/null; } | "$RECORDER/tools/cat"
exit "${PIPESTATUS[0]}"
