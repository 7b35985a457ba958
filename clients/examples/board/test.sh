#!/bin/sh
# Builds the page and plays a match of each game on it, in Chromium, against the server that EDGEHILL_SERVER names. It fails at
# an error in the console, at a refusal, and if the training game does not come to its end.
# EDGEHILL_CLICKS: the most actions a match (150). EDGEHILL_SCREENSHOTS: a folder for a picture of each match.
set -eu
cd "$(dirname "$0")"

skip() {
    echo "skipped: clients/examples/board ($1)"
    if [ -n "${CI:-}" ]; then exit 1; fi
    exit 0
}
: "${EDGEHILL_SERVER:?the address of a running server, such as http://127.0.0.1:7400}"
command -v npm >/dev/null || skip "no npm"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
[ -x "$CHROMIUM" ] || skip "no Chromium"
export CHROMIUM

if [ "$(wc -l <board.ts)" -gt 300 ]; then echo "board.ts has more than 300 lines"; exit 1; fi
./build.sh
exec node test.js
