#!/usr/bin/env bash
# Makes a game from the specimen in a copy of the tree, and holds it to the kit. The copy goes away again, whatever comes of it.
set -euo pipefail
cd "$(dirname "$0")/.."

# Always the same folder, so that what was built for it is of use the next time.
copy="$PWD/target/new-game"
export CARGO_TARGET_DIR="$PWD/target"
rm -rf "$copy"
mkdir -p "$copy"
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard |
    tar c --null --files-from - --ignore-failed-read | tar x -C "$copy"
cd "$copy"
git init --quiet
git add --all
make --no-print-directory new-game NAME=trial-run
make --no-print-directory kit GAME=trial-run SWITCH=1
cargo test -p edgehill-engine --features rule-switch --test architecture
