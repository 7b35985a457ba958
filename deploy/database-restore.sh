#!/usr/bin/env bash
# Makes the folder of a PostgreSQL server that, when it is started, brings a base backup to a moment by the archive of its log.
#
#   database-restore.sh --base DIR --archive DIR --to DIR [--until MOMENT] [--timeline NUMBER]
#
#   --base DIR         a base backup, as `pg_basebackup --format=plain` makes it
#   --archive DIR      the archive of the write-ahead log, of the time since that backup
#   --to DIR           the new folder. Nothing else is changed
#   --until MOMENT     by the database's clock, with its offset from UTC, such as 2026-11-29T20:15:00Z; without it, all of the archive
#   --timeline NUMBER  the history to go by, where there was a restore before; without it, the last one
#
# PostgreSQL's own programs of the backup's major version are needed on the path. Run it as the user of the database's server, or as root.
# The server that is started on the folder can be written to once it is there: it then has a history of its own (a timeline). It ends with
# a fault where the archive does not reach to the moment.
#
# Exit codes: 0 made; 1 it can't be done; 2 the arguments are wrong; 3 the base backup is damaged.
set -euo pipefail

DAMAGED=3

usage() {
    sed -n 's/^# \{0,1\}//; 4,10p' "$0" >&2
    exit 2
}

fail() {
    echo "database restore: $*" >&2
    exit 1
}

base='' archive='' to='' moment='' timeline=latest
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --base) base=$2 ;;
    --archive) archive=$2 ;;
    --to) to=$2 ;;
    --until) moment=$2 ;;
    --timeline) timeline=$2 ;;
    *) usage ;;
    esac
    shift 2
done
if [ -z "$base" ] || [ -z "$archive" ] || [ -z "$to" ]; then usage; fi
# Without an offset it would be in whatever zone the server is set to.
moment_form='^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$'
if [ -n "$moment" ] && ! [[ $moment =~ $moment_form ]]; then
    echo "database restore: $moment is no moment such as 2026-11-29T20:15:00Z" >&2
    exit 2
fi
[[ $timeline =~ ^(latest|[1-9][0-9]{0,8})$ ]] || usage

command -v pg_verifybackup >/dev/null || fail "pg_verifybackup is missing"
[ -f "$base/backup_manifest" ] || fail "$base is no base backup"
[ -d "$archive" ] || fail "the archive $archive is not there"
archive=$(cd "$archive" && pwd)
# The path stands in a command of the shell's, in a setting of PostgreSQL's.
case $archive in
*[\'\"\\%\$\`]*) fail "the archive's path has characters that a shell takes for its own" ;;
esac
[ ! -e "$to" ] || fail "$to is there already"

pg_verifybackup --quiet "$base" || {
    echo "database restore: the base backup is damaged" >&2
    exit "$DAMAGED"
}

if [ -n "$moment" ]; then
    # PostgreSQL goes back to no moment before the backup's end: it would give what is there then, and say nothing.
    start_of() { sed -n 's/^START WAL LOCATION: //p' "$1"; }
    ended=''
    for history in "$archive"/*.backup; do
        if [ "$(start_of "$history")" = "$(start_of "$base/backup_label")" ]; then
            ended=$(sed -n 's/^STOP TIME: //p' "$history")
        fi
    done
    [ -n "$ended" ] || fail "the archive has nothing of the end of this backup"
    # Written down to the second.
    [ "$(date -d "$moment" +%s)" -gt "$(date -d "$ended" +%s)" ] || fail "the backup ended after it: $ended. Take one of before"
fi

# Whole before it has its name, so that what was cut short is not taken for a folder to start on.
umask 077
rm -rf "$to.new"
cp -a "$base" "$to.new"
chmod 700 "$to.new"
# PostgreSQL knows no names of zones there, and Z is one. The last of a setting holds. An empty moment puts out the one of an earlier restore, which a backup made since then has, too.
cat >>"$to.new/postgresql.auto.conf" <<END
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '${moment/%Z/+00}'
recovery_target_action = 'promote'
recovery_target_timeline = '$timeline'
END
touch "$to.new/recovery.signal"
# Whose the folder is, if root does this.
chown --reference="$to.new/PG_VERSION" "$to.new/recovery.signal"
mv "$to.new" "$to"
echo "database restore: $to is made; a server that is started on it goes to ${moment:-the end of the archive}"
