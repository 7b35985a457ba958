# shellcheck shell=bash
# shellcheck disable=SC2154 # set by whoever reads this file
# What backup-drill.sh and database-drill.sh have in common: a restored server is started, and held against the one that runs. Each sets
# `drill` (its name), `running` (the address of the server), `ca`, `key_file` and `keep` (empty: none), and calls `prepare` first.
# `work` is then the folder of the drill.

DAMAGED=3
DIFFERENT=4
DEADLINE_SECONDS=60 # of the start of the restored server, and of its stop

fail() {
    echo "$drill drill: $*" >&2
    exit 1
}

differ() {
    echo "$drill drill: $*" >&2
    exit "$DIFFERENT"
}

# prepare: looks for what the drill needs, and makes its folder.
prepare() {
    server_bin=${EDGEHILL_SERVER_BIN:-edgehill-server}
    drill_key=${EDGEHILL_DRILL_KEY:-}
    local command variable
    for command in "$server_bin" grpcurl jq; do
        command -v "$command" >/dev/null || fail "$command is missing"
    done
    [ -r "$key_file" ] || fail "the key $key_file can't be read"
    # Variables of the running server must not reach the restored one: its port, its store, its exhibition.
    for variable in $(compgen -e EDGEHILL_ || true); do
        unset "$variable"
    done

    # Records of running matches show what seats hide.
    umask 077
    if [ -n "$keep" ]; then
        mkdir "$keep" || fail "$keep has to be a new folder"
        work=$keep
    else
        work=$(mktemp -d)
    fi
    restored_pid=''
    trap clean_up EXIT
    trap 'exit 1' INT TERM
    mkdir "$work/records"
}

clean_up() {
    if [ -n "$restored_pid" ]; then
        kill -KILL "$restored_pid" 2>/dev/null || true
    fi
    [ -n "$keep" ] || rm -rf "$work"
}

# call ADDRESS METHOD REQUEST: one call. The running server may ask for an account; the restored one has none.
call() {
    local headers=() transport=(-plaintext)
    if [ -n "$ca" ] && [ "$1" = "$running" ]; then transport=(-cacert "$ca"); fi
    if [ -n "$drill_key" ] && [ "$1" = "$running" ]; then
        # Expanded by grpcurl, so that the list of processes does not show it.
        headers=(-expand-headers -H "authorization: Bearer \${drill_key}")
    fi
    drill_key=$drill_key grpcurl "${transport[@]}" "${headers[@]}" -max-time 60 -d "$3" "$1" "$2"
}

# list ADDRESS FILE: all matches of all pages, as a JSON list in the order of their ids.
list() {
    local token='' page
    : >"$2.pages"
    while :; do
        page=$(call "$1" edgehill.v1.MatchService/ListMatches "$(jq -n --arg token "$token" '{pageToken: $token}')") ||
            fail "$1 does not list its matches"
        echo "$page" >>"$2.pages"
        token=$(jq -r '.nextPageToken // ""' <<<"$page")
        [ -n "$token" ] || break
    done
    jq -s '[.[].matches // [] | .[]] | sort_by(.config.matchId)' "$2.pages" >"$2"
    rm "$2.pages"
}

ids() {
    jq -r '.[].config.matchId' "$1" | LC_ALL=C sort
}

# over FILE: the matches of a list that can't change any more, a line each.
over() {
    jq -cS '.[] | select(.state.status | IN("MATCH_STATUS_FINISHED", "MATCH_STATUS_ABORTED", "MATCH_STATUS_EXPIRED"))' "$1" | LC_ALL=C sort
}

# begun FILE: the ids of the matches that have a record. One that still waits for its seats has none.
begun() {
    jq -r '.[] | select(.state.status | IN("MATCH_STATUS_RUNNING", "MATCH_STATUS_FINISHED")) | .config.matchId' "$1"
}

# configs FILE: what each match of a list was created with, a line each.
configs() {
    jq -cS '.[].config' "$1" | LC_ALL=C sort
}

# only_first FIRST SECOND: the lines of the first that the second lacks. Both are sorted.
only_first() {
    LC_ALL=C comm -23 "$1" "$2"
}

# compare_lists LISTED OVER: the lists of the restored server and of the running one after it. LISTED is the list of those matches that
# have to be there, OVER one whose matches, where they are over, have to be shown so.
compare_lists() {
    local missing
    missing=$(only_first <(ids "$1") <(ids "$work/restored.json"))
    [ -z "$missing" ] || differ "the restored server does not list" "$missing"
    missing=$(only_first <(configs "$work/restored.json") <(configs "$work/after.json"))
    [ -z "$missing" ] || differ "the running server does not list, or with another beginning:" "$missing"
    missing=$(only_first <(over "$2") <(over "$work/restored.json"))
    [ -z "$missing" ] || differ "matches that were over are shown otherwise by the restored server:" "$missing"
}

# run NAME ARGUMENT...: a command of the server. A damaged store has an exit code of its own.
run() {
    local code=0
    "$server_bin" "$@" >&2 || code=$?
    case $code in
    0) ;;
    "$DAMAGED") echo "$drill drill: $1 found damage" >&2 && exit "$DAMAGED" ;;
    *) fail "$1 ended with exit code $code" ;;
    esac
}

# entries RECORD: what was final in a match, a line of text each (docs/record.md, Body).
entries() {
    sed -n '/^start /,/^result /p' "$1" | sed '/^result /d'
}

# begins_with LONGER SHORTER
begins_with() {
    cmp -s -n "$(stat -c %s "$2")" "$1" "$2" && [ "$(stat -c %s "$1")" -ge "$(stat -c %s "$2")" ]
}

# compare_records: each record of the restored store with that of the running one.
compare_records() {
    local record name
    for record in "$work"/records/restored/*.edg; do
        [ -e "$record" ] || return 0
        name=$(basename "$record")
        [ -e "$work/records/running/$name" ] || differ "the running server has no record $name"
        if grep -q '^result none$' "$record"; then
            entries "$record" >"$work/entries.restored"
            entries "$work/records/running/$name" >"$work/entries.running"
            begins_with "$work/entries.running" "$work/entries.restored" ||
                differ "$name: what happened until the backup is not what the running server has"
        else
            cmp "$record" "$work/records/running/$name" >&2 || differ "$name is over, and its records differ"
        fi
    done
}

# start_restored: starts a server on the store that the environment names; `restored` is its address.
start_restored() {
    local by=$((SECONDS + DEADLINE_SECONDS)) line
    "$server_bin" --listen 127.0.0.1:0 --key-file "$key_file" \
        >"$work/restored.out" 2>"$work/restored.log" &
    restored_pid=$!
    until line=$(grep -m 1 '^listening on ' "$work/restored.out"); do
        if ! kill -0 "$restored_pid" 2>/dev/null || [ "$SECONDS" -ge "$by" ]; then
            cat "$work/restored.log" >&2
            fail "the restored server does not start"
        fi
        sleep 0.1
    done
    restored=${line#listening on }
    call "$restored" grpc.health.v1.Health/Check '{}' | jq -e '.status == "SERVING"' >/dev/null ||
        fail "the restored server does not serve"
}

# stop_restored: stops it as an operator would, and has it say that all was well.
stop_restored() {
    local code=0
    kill -TERM "$restored_pid"
    timeout "$DEADLINE_SECONDS" tail --pid="$restored_pid" -f /dev/null || fail "the restored server does not stop"
    wait "$restored_pid" || code=$?
    restored_pid=''
    [ "$code" = 0 ] || fail "the restored server ended with exit code $code"
}
