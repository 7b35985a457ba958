#!/usr/bin/env bash
# How fast boardgame.io's own master plays a small card game, beside the bench `table` (docs/performance.md). The package goes into a
# folder of its own that is gone afterwards:
#
#     engine/benches/peers/play_boardgame_io.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$(dirname "$0")/play_boardgame_io.cjs" "$folder"
cd "$folder"
npm install --silent --no-save --no-audit --no-fund boardgame.io@0.50.2
node play_boardgame_io.cjs "$@"
