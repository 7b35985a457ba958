#!/usr/bin/env bash
# Runs a command beside a server of this checkout, on a free loopback port and with a store of its own, and stops the server:
# `with-server.sh COMMAND...`. The command finds the address in EDGEHILL_SERVER. EDGEHILL_SERVER_BIN names another binary.
set -euo pipefail

server=${EDGEHILL_SERVER_BIN:-$(dirname "$0")/../../target/debug/edgehill-server}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

coproc SERVER { exec "$server" --listen 127.0.0.1:0 --store "$folder/store" 2>"$folder/log"; }
pid=$SERVER_PID
trap 'kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; rm -rf "$folder"' EXIT
if ! read -r line <&"${SERVER[0]}"; then
    cat "$folder/log" >&2
    exit 1
fi
EDGEHILL_SERVER=${line#listening on } "$@"
