#!/usr/bin/env bash
# lock.sh: make the locked requirements anew from pyproject.toml and build.in.  Needs uv on PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(--universal --python-version 3.10 --generate-hashes --no-header --no-annotate --upgrade --quiet)
uv pip compile "${options[@]}" requirements/build.in -o requirements/build.txt
uv pip compile "${options[@]}" --no-emit-package setuptools -c requirements/build.txt pyproject.toml -o requirements/action.txt
