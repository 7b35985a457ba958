#!/usr/bin/env bash
# Shows that a database can be restored from a base backup and its archive: restores it elsewhere, starts it and a server on it on free
# ports of this machine, and compares what that shows with the running server.
#
#   database-drill.sh --base DIR --archive DIR --database ADDRESS --server HOST:PORT --key-file FILE [--until MOMENT] ...
#
#   --base DIR, --archive DIR, --until MOMENT  as database-restore.sh has them
#   --database ADDRESS    the running database, postgres://USER@HOST/DATABASE, whose records are read
#   --password-file FILE  its password, if it asks for one
#   --database-ca FILE    those who vouch for its certificate (PEM), if the machine does not trust them
#   --server HOST:PORT    where the running server answers
#   --ca FILE             the authorities of its certificate (PEM), if it answers through TLS
#   --key-file FILE       the key that is kept for a restore
#   --clocks-differ SECONDS  by which the clocks of server and database may differ; 10 by default
#   --keep DIR            leave the records and the lists in this new folder
#
# EDGEHILL_SERVER_BIN names the binary (edgehill-server); it has to be of the running server's build. EDGEHILL_DRILL_KEY is the key
# of an account, where the running server asks for one. bash, grpcurl, jq and PostgreSQL's programs of the database's major version are
# needed on the path. Run it as root, who starts PostgreSQL as the user postgres, or as a user who can read the backup and the archive.
#
# The running server goes on meanwhile. The same in both:
#   - all matches that were made before the last commit that was restored, and no others than the running server lists;
#   - matches that were over by then: what lists show, and their records byte by byte;
#   - matches that ran: everything that was final in them.
#
# Exit codes: 0 the same; 1 it can't be done; 2 the arguments are wrong; 3 the backup or what was restored is damaged; 4 the two differ.
set -euo pipefail
here=$(dirname "$0")
# shellcheck source=deploy/drill-comparison.sh
. "$here/drill-comparison.sh"
drill=database

usage() {
    sed -n 's/^# \{0,1\}//; 5,15p' "$0" >&2
    exit 2
}

base='' archive='' until=() database='' password_file='' database_ca='' running='' ca='' key_file='' keep='' clocks_differ=10
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --base) base=$2 ;;
    --archive) archive=$2 ;;
    --until) until=(--until "$2") ;;
    --database) database=$2 ;;
    --password-file) password_file=$2 ;;
    --database-ca) database_ca=$2 ;;
    --server) running=$2 ;;
    --ca) ca=$2 ;;
    --key-file) key_file=$2 ;;
    --clocks-differ) clocks_differ=$2 ;;
    --keep) keep=$2 ;;
    *) usage ;;
    esac
    shift 2
done
for needed in "$base" "$archive" "$running" "$key_file"; do
    [ -n "$needed" ] || usage
done
[[ $clocks_differ =~ ^[0-9]{1,4}$ ]] || usage
[[ $database =~ ^postgres(ql)?://([^:@/]+)@[^/]+/([^?]+) ]] || usage
role=${BASH_REMATCH[2]} name=${BASH_REMATCH[3]}
for program in postgres psql pg_verifybackup setpriv; do
    command -v "$program" >/dev/null || fail "$program is missing"
done
prepare

# What runs a program as a user that PostgreSQL may be run by, and ends it when the drill does, however that ends.
as_database=(setpriv --pdeathsig INT)
if [ "$(id -u)" = 0 ]; then as_database+=(--reuid=postgres --regid=postgres --init-groups); fi

# Apart from the drill's folder, which is its user's alone.
cluster=$(mktemp -d)
database_pid=''
stop_database() {
    if [ -n "$database_pid" ]; then
        kill -INT "$database_pid" 2>/dev/null || true
        wait "$database_pid" 2>/dev/null || true
        database_pid=''
    fi
    rm -rf "$cluster"
}
trap 'stop_database; clean_up' EXIT

# restored_sql DATABASE STATEMENT: what a statement of one column gives in a database of the restored cluster.
restored_sql() {
    psql --host="$cluster" --username="$role" --dbname="$1" --no-psqlrc --quiet --tuples-only --no-align -c "$2"
}

# start_database: restores the database, and starts it where nobody but this machine's root and its own user gets to.
start_database() {
    local code=0 by
    "$here/database-restore.sh" --base "$base" --archive "$archive" --to "$cluster/data" "${until[@]}" >&2 || code=$?
    case $code in
    0) ;;
    2) exit 2 ;;
    "$DAMAGED") exit "$DAMAGED" ;;
    *) fail "it can't be restored" ;;
    esac
    # The backup's own settings may stand elsewhere, and are for its own machine. Nothing of this goes into the archive,
    # and it is thrown away.
    echo "local all all trust" >"$cluster/hba.conf"
    touch "$cluster/ident.conf"
    cat >"$cluster/postgresql.conf" <<END
data_directory = '$cluster/data'
hba_file = '$cluster/hba.conf'
ident_file = '$cluster/ident.conf'
unix_socket_directories = '$cluster'
END
    if [ "$(id -u)" = 0 ]; then chown -R postgres:postgres "$cluster"; fi
    "${as_database[@]}" -- postgres -c config_file="$cluster/postgresql.conf" -c listen_addresses= -c hot_standby=off -c archive_mode=off \
        -c ssl=off -c logging_collector=off -c shared_preload_libraries= -c fsync=off \
        >"$work/database.log" 2>&1 &
    database_pid=$!
    # It takes as long as the archive is long.
    until restored_sql "$name" "SELECT 1" >/dev/null 2>&1; do
        if ! kill -0 "$database_pid" 2>/dev/null; then
            cat "$work/database.log" >&2
            fail "the restored database does not start"
        fi
        sleep 0.2
    done
}

began=$SECONDS
start_database
# The moment of the last commit that it has.
reached=$(restored_sql "$name" "SELECT floor(extract(epoch FROM pg_last_xact_replay_timestamp()))::bigint")
[ -n "$reached" ] || fail "nothing was restored after the backup: take a later moment"
was_restored=$SECONDS

# at ADDRESS COMMAND...: does something with the store of a database.
at() {
    local address=$1
    shift
    EDGEHILL_POSTGRES__ADDRESS=$address EDGEHILL_KEY_FILE=$key_file "$@"
}
of_cluster="host=$cluster user=$role"
at "$of_cluster dbname=$name" run fsck

# The restored server plays on where bots are to act, so its store is a copy of the one whose records are compared.
role=$(restored_sql "$name" "SELECT rolname FROM pg_roles WHERE rolsuper AND rolcanlogin LIMIT 1")
restored_sql postgres "CREATE DATABASE edgehill_drill TEMPLATE \"$name\"" >&2
at "$of_cluster dbname=edgehill_drill" start_restored
list "$restored" "$work/restored.json"
stop_restored
list "$running" "$work/after.json"

# until_then FIELD FILE: those of the running server's matches that had this moment before what was reached. Moments of matches are by the
# server's clock, and commits by the database's.
until_then() {
    jq --arg field "$1" --argjson by "$((reached - clocks_differ))" \
        'def seconds: sub("[.][0-9]+Z$"; "Z") | fromdateiso8601;
         [.[] | select((.config[$field] // .state[$field]) | . != null and seconds < $by)]' "$work/after.json" >"$2"
}
until_then createTime "$work/before.json"
until_then endTime "$work/over.json"
compare_lists "$work/before.json" "$work/over.json"

mapfile -t with_record < <(begun "$work/restored.json")
if [ "${#with_record[@]}" -gt 0 ]; then
    at "$of_cluster dbname=$name" run export --to "$work/records/restored" "${with_record[@]}"
    # What is said of the running database is said of no other one.
    (
        [ -z "$password_file" ] || export EDGEHILL_POSTGRES__PASSWORD_FILE="$password_file"
        [ -z "$database_ca" ] || export EDGEHILL_POSTGRES__CA_FILE="$database_ca"
        at "$database" run export --to "$work/records/running" "${with_record[@]}"
    )
    compare_records
fi

echo "database drill: the same. $(jq length "$work/restored.json") matches, $(over "$work/over.json" | wc -l) of them over," \
    "as of $(date -u -d "@$reached" +%FT%TZ); restored after $((was_restored - began)) s, compared after $((SECONDS - began)) s"
