#!/usr/bin/env bash
# Builds the example bots below target/examples and plays every game with each of them: `test.sh [LANGUAGE]...`, on the
# server that EDGEHILL_SERVER names (HOST:PORT). A language whose toolchain is missing is named and skipped; with CI set
# that is a failure, but for C#.
set -euo pipefail
cd "$(dirname "$0")/../.."

examples=$PWD/clients/examples
games=$PWD/docs/games
out=$PWD/target/examples
server=${EDGEHILL_SERVER:?has to name a running server, such as 127.0.0.1:7400}
server=${server#http://}
buf=(npx --yes @bufbuild/buf@1.75.0)
grpcurl=github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4
bot_lines_max=59
play_seconds_max=900

# require COMMAND...: skips the language if one of them is missing.
require() {
    local command
    for command; do
        command -v "$command" >/dev/null && continue
        echo "$language: skipped, $command is missing"
        [[ -z ${CI:-} || $language == csharp ]]
        exit
    done
}

# stage: copies the language's example to where it is built. What was installed and built there before stays.
stage() {
    mkdir -p "$out/$language"
    rm -rf "${out:?}/$language/src"
    tar -C "$examples/$language" --exclude=node_modules --exclude=gen --exclude=./out --exclude=target -c . | tar -C "$out/$language" -x
    cd "$out/$language"
}

# check_length FILE...: refuses a bot that is too long. Blank lines and comments don't count.
check_length() {
    local lines
    lines=$(cat "$@" | grep -vcE '^\s*(//.*|/\*\*.*|#.*)?$')
    if ((lines > bot_lines_max)); then
        echo "$language: $* have $lines lines of code; at most $bot_lines_max" >&2
        exit 1
    fi
}

# play NAME COMMAND...: runs a bot, which has to finish a match of every game.
play() {
    local name=$1 begin=$SECONDS results=$out/$1.txt
    timeout "$play_seconds_max" "${@:2}" | sed $'s/\e\\[[0-9;]*m//g; /^$/d' | tee "$results" # without what Maven colors
    if grep -vE '^[a-z0-9-]+: [a-z0-9_]+, returns [][0-9, -]+$' "$results"; then
        echo "$name: a match has no result" >&2
        exit 1
    fi
    diff <(basename -s .md "$games"/*.md | sort) <(cut -d: -f1 "$results" | sort)
    echo "$name: every game in $((SECONDS - begin)) s"
}

test_typescript() {
    require node npm npx
    stage
    check_length src/seat.ts src/node.ts
    check_length src/seat.ts src/browser.ts
    if ! cmp -s package-lock.json node_modules/installed.json; then
        npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
        cp package-lock.json node_modules/installed.json
    fi
    npm run --silent generate
    npm run --silent build
    play typescript-node node out/main.js node "$server" all
    play typescript-browser node out/main.js browser "$server" all
}

test_go() {
    require go npx
    stage
    check_length bot.go
    "${buf[@]}" generate
    [[ -z $(gofmt -l ./*.go) ]]
    go vet ./...
    go build -o randombot .
    play go ./randombot "$server" all
}

test_shell() {
    require go jq
    stage
    check_length randombot.sh
    GOBIN=$PWD/bin go install "$grpcurl"
    PATH=$PWD/bin:$PATH play shell ./randombot.sh "$server" all
}

test_java() {
    require javac mvn
    stage
    check_length src/main/java/RandomBot.java
    mvn --quiet --batch-mode compile
    play java mvn --quiet --batch-mode exec:java -Dexec.args="$server all"
}

test_csharp() {
    stage
    check_length RandomBot.cs
    require dotnet
    dotnet build --nologo --verbosity quiet
    play csharp dotnet run --no-build -- "$server" all
}

if [[ $# == 0 ]]; then
    set -- typescript go shell java csharp
fi
for language; do
    begin=$SECONDS
    ("test_$language")
    echo "$language: $((SECONDS - begin)) s in all"
done
