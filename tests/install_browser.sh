#!/usr/bin/env bash
# install_browser.sh PYTHON: have a Chromium for the tests of the HTML report: the one at hand, else the
# distribution's, else Playwright's own.
set -euo pipefail
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
else
    "$1" -m playwright install chromium
fi
