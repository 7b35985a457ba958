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
# shellcheck source=deploy/drill-comparison.sh
. "$(dirname "$0")/drill-comparison.sh"
drill=backup

usage() {
    sed -n 's/^# \{0,1\}//; 5,11p' "$0" >&2
    exit 2
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
prepare

began=$SECONDS
list "$running" "$work/before.json"
run backup --store "$store" "$work/backup.sqlite"
backed_up=$SECONDS

# The restored server plays on where bots are to act, so its store is a copy of the one whose records are compared.
mkdir "$work/backup" "$work/restored"
mv "$work/backup.sqlite" "$work/backup/edgehill.sqlite"
cp "$work/backup/edgehill.sqlite" "$work/restored/edgehill.sqlite"
run fsck --store "$work/backup"

EDGEHILL_STORE="$work/restored" start_restored
list "$restored" "$work/restored.json"
stop_restored
list "$running" "$work/after.json"

compare_lists "$work/before.json" "$work/before.json"
mapfile -t with_record < <(begun "$work/before.json")
if [ "${#with_record[@]}" -gt 0 ]; then
    run export --store "$work/backup" --key-file "$key_file" --to "$work/records/restored" "${with_record[@]}"
    run export --store "$store" --key-file "$key_file" --to "$work/records/running" "${with_record[@]}"
    compare_records
fi

echo "backup drill: the same. $(jq length "$work/restored.json") matches, $(over "$work/before.json" | wc -l) of them over;" \
    "backup $((backed_up - began)) s, restored and compared after $((SECONDS - began)) s"
