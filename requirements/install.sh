#!/usr/bin/env bash
# install.sh PYTHON PROJECT VENV: reviewbot in an environment of its own, from locked requirements alone.
# Nothing of the current folder, which holds the reviewed repository, is imported (-I).
set -euo pipefail
python=$1 project=$2 venv=$3

requirements="$project/requirements"
digest=$(cat "$requirements"/*.txt "$project/pyproject.toml" | cksum | tr -d ' ')
if [ -f "$venv/.reviewbot-$digest" ]; then
    exit 0
fi
if "$python" -I -m pip --python "$python" --version >/dev/null 2>&1; then
    # The Python's own pip installs into the environment: making it a pip of its own takes seconds.
    "$python" -I -m venv --clear --without-pip "$venv"
    pip=("$python" -I -m pip --python "$venv/bin/python")
else
    "$python" -I -m venv --clear "$venv"
    pip=("$venv/bin/python" -I -m pip)
fi
pip+=(--quiet --disable-pip-version-check --no-input install --no-compile)
"${pip[@]}" --require-hashes --only-binary :all: -r "$requirements/build.txt"
# antlr4-python3-runtime is published as source only; it is built with the tools that were just installed.
"${pip[@]}" --require-hashes --only-binary :all: --no-binary antlr4-python3-runtime --no-build-isolation \
    -r "$requirements/action.txt"
"${pip[@]}" --no-deps --no-index --no-build-isolation "$project"
touch "$venv/.reviewbot-$digest"
