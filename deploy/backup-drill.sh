#!/usr/bin/env bash
# Shows that a backup of a running server can be restored: takes one, restores it elsewhere with the server's key, starts it on a
# free loopback port, and compares what both show.
#
#   backup-drill.sh --store DIR --server HOST:PORT [--ca FILE] [--key-file FILE] [--keep DIR]
#
#   --store DIR         the running server's store
#   --server HOST:PORT  where it answers
#   --ca FILE           the authorities of its certificate (PEM), if it answers through TLS
#   --key-file FILE     the key that is kept for a restore, so that it is tried, too; server.key in the store by default
#   --keep DIR          leave the backup, the records and the lists in this new folder
#
# EDGEHILL_SERVER_BIN names the binary (edgehill-server); it has to be of the running server's build. EDGEHILL_DRILL_KEY is the key
# of an account, where the running server asks for one. bash, grpcurl and jq are needed.
#
# The running server goes on meanwhile, so it may be ahead of the backup and never behind it. The same in both:
#   - all matches that were listed before the backup, and no others than are listed after it;
#   - matches that were over: what lists show, and their records byte by byte;
#   - matches that ran: everything that was final in them at the backup;
#   - all of them: what they were created with.
#
# Exit codes: 0 the same; 1 it can't be done; 2 the arguments are wrong; 3 the store or its copy is damaged; 4 the two differ.
set -euo pipefail

DAMAGED=3
DIFFERENT=4
DEADLINE_SECONDS=60 # of the start of the restored server, and of its stop

usage() {
    sed -n 's/^# \{0,1\}//; 5,11p' "$0" >&2
    exit 2
}

fail() {
    echo "backup drill: $*" >&2
    exit 1
}

differ() {
    echo "backup drill: $*" >&2
    exit "$DIFFERENT"
}

store='' running='' ca='' key_file='' keep=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --store) store=$2 ;;
    --server) running=$2 ;;
    --ca) ca=$2 ;;
    --key-file) key_file=$2 ;;
    --keep) keep=$2 ;;
    *) usage ;;
    esac
    shift 2
done
if [ -z "$store" ] || [ -z "$running" ]; then usage; fi
key_file=${key_file:-$store/server.key}
server_bin=${EDGEHILL_SERVER_BIN:-edgehill-server}
drill_key=${EDGEHILL_DRILL_KEY:-}

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
clean_up() {
    if [ -n "$restored_pid" ]; then
        kill -KILL "$restored_pid" 2>/dev/null || true
    fi
    [ -n "$keep" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

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

# compare_lists: what the restored server lists with what the running one listed before the backup and after it.
compare_lists() {
    local missing
    missing=$(only_first <(ids "$work/before.json") <(ids "$work/restored.json"))
    [ -z "$missing" ] || differ "the restored server does not list" "$missing"
    missing=$(only_first <(configs "$work/restored.json") <(configs "$work/after.json"))
    [ -z "$missing" ] || differ "the running server does not list, or with another beginning:" "$missing"
    missing=$(only_first <(over "$work/before.json") <(over "$work/restored.json"))
    [ -z "$missing" ] || differ "matches that were over are shown otherwise by the restored server:" "$missing"
}

# run NAME ARGUMENT...: a command of the server. A damaged store has an exit code of its own.
run() {
    local code=0
    "$server_bin" "$@" >&2 || code=$?
    case $code in
    0) ;;
    "$DAMAGED") echo "backup drill: $1 found damage" >&2 && exit "$DAMAGED" ;;
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

# start_restored: starts a server on the copy; `restored` is its address.
start_restored() {
    local by=$((SECONDS + DEADLINE_SECONDS)) line
    "$server_bin" --listen 127.0.0.1:0 --store "$work/restored" --key-file "$key_file" \
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

began=$SECONDS
list "$running" "$work/before.json"
run backup --store "$store" "$work/backup.sqlite"
backed_up=$SECONDS

# The restored server plays on where bots are to act, so its store is a copy of the one whose records are compared.
mkdir "$work/backup" "$work/restored" "$work/records"
mv "$work/backup.sqlite" "$work/backup/edgehill.sqlite"
cp "$work/backup/edgehill.sqlite" "$work/restored/edgehill.sqlite"
run fsck --store "$work/backup"

start_restored
list "$restored" "$work/restored.json"
stop_restored
list "$running" "$work/after.json"

compare_lists
mapfile -t with_record < <(begun "$work/before.json")
if [ "${#with_record[@]}" -gt 0 ]; then
    run export --store "$work/backup" --key-file "$key_file" --to "$work/records/restored" "${with_record[@]}"
    run export --store "$store" --key-file "$key_file" --to "$work/records/running" "${with_record[@]}"
    compare_records
fi

echo "backup drill: the same. $(jq length "$work/restored.json") matches, $(over "$work/before.json" | wc -l) of them over;" \
    "backup $((backed_up - began)) s, restored and compared after $((SECONDS - began)) s"
