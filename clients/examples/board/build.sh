#!/bin/sh
# Builds the page into target/board: the client of the API from proto/, and board.ts with all that it imports.
# With --serve it is served, too, on http://localhost:8000.
set -eu
cd "$(dirname "$0")"
out=../../../target/board

[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --loglevel=error
mkdir -p "$out/page"
ln -sfn ../../clients/examples/board/node_modules "$out/node_modules"
(cd ../../.. && npx --yes @bufbuild/buf@1.75.0 generate --template clients/examples/board/buf.gen.yaml)
(cd "$out/gen/edgehill" && for file in v1/*_pb.ts; do echo "export * from \"./${file%.ts}.js\";"; done >v1.ts)
node_modules/.bin/tsc
cp index.html "$out/page/"
[ "${1:-}" != --serve ] || set -- --servedir="$out/page" --serve=localhost:8000
exec node_modules/.bin/esbuild board.ts --bundle --format=esm --target=es2023 --minify --sourcemap \
    --log-level=warning --outfile="$out/page/board.js" "$@"
