#!/usr/bin/env bash
# Starts a PostgreSQL of its own in a folder, on a Unix socket there, for as long as a process lives:
#   postgresql-for-tests.sh FOLDER PROCESS
# Returns when it takes connections. Called again, it ends the server as a crash does, and starts it anew. It keeps nothing safe (fsync is off), and goes with its folder, however the process ends.
set -euo pipefail
folder=$1
process=$2

programs=$(find /usr/lib/postgresql/*/bin -name initdb -printf '%h\n' 2>/dev/null | sort -V | tail -n 1)
[ -n "$programs" ] || programs=$(dirname "$(command -v initdb)") || {
    echo "error: PostgreSQL's server is not installed (apt-get install postgresql)" >&2
    exit 1
}
# It refuses to run as root.
as=()
if [ "$(id -u)" -eq 0 ]; then as=(setpriv --reuid=postgres --regid=postgres --clear-groups); fi
# What stays behind must not hold what it was started with: Foundation takes a program for running as long as anybody does.
without_descriptors() {
    for descriptor in /proc/self/fd/*; do
        [ "${descriptor##*/}" -le 2 ] || eval "exec ${descriptor##*/}>&-"
    done
    "$@"
}
mkdir -p "$folder"
if [ "$(id -u)" -eq 0 ]; then chown postgres "$folder"; fi
cd "$folder"

if [ -e data/postmaster.pid ]; then
    # It may have ended without tidying up.
    "${as[@]}" "$programs/pg_ctl" stop --pgdata="$folder/data" --mode=immediate >/dev/null 2>&1 || true
fi
[ -d data ] || "${as[@]}" "$programs/initdb" --pgdata="$folder/data" --username=carillon --auth=trust --locale=C \
    --encoding=UTF8 --no-sync >log 2>&1 || { tail -n 5 log >&2; exit 1; }
(without_descriptors "${as[@]}" "$programs/pg_ctl" start --pgdata="$folder/data" --wait --timeout=60 --log="$folder/data/log" --options="\
-c listen_addresses= -c unix_socket_directories='$folder' -c fsync=off -c max_connections=1000 \
-c shared_buffers=64MB -c autovacuum=off -c max_wal_size=256MB -c synchronous_commit=local -c synchronous_standby_names=nobody" >/dev/null) || { tail -n 5 data/log >&2; exit 1; }

# Ends with the process.
(
    without_descriptors tail --pid="$process" -f /dev/null
    "${as[@]}" "$programs/pg_ctl" stop --pgdata="$folder/data" --mode=immediate
    rm -rf "$folder"
) >/dev/null 2>&1 </dev/null &
