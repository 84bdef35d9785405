#!/usr/bin/env bash
# Runs a PgBouncer that pools by transaction, with fewer sessions than its clients have connections, for as long as a process lives:
#   pooler-for-tests.sh FOLDER PROCESS PORT SERVER
# FOLDER is made, and goes with the process; SERVER is the folder with the server's socket. Returns when it takes connections.
set -euo pipefail
folder=$1
process=$2
port=$3
server=$4

mkdir -p "$folder"
cat >"$folder/pgbouncer.ini" <<END
[databases]
* = host=$server user=carillon
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 500
logfile = $folder/log
END
as=()
# It refuses to run as root.
if [ "$(id -u)" -eq 0 ]; then
    chown -R postgres "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
(
    # Ctrl-C ends the process, and that this.
    trap '' HUP INT TERM
    # What stays behind must not hold what it was started with: Foundation takes a program for running as long as anybody does.
    for descriptor in /proc/self/fd/*; do
        [ "${descriptor##*/}" -le 2 ] || eval "exec ${descriptor##*/}>&-"
    done
    "${as[@]}" pgbouncer --quiet "$folder/pgbouncer.ini" &
    pooler=$!
    tail --pid="$process" -f /dev/null
    kill -KILL "$pooler"
    rm -rf "$folder"
) >/dev/null 2>&1 </dev/null &

for _ in $(seq 300); do
    ! pg_isready --quiet --host=127.0.0.1 --port="$port" || exit 0
    sleep 0.1
done
tail -n 5 "$folder/log" >&2
echo "error: PgBouncer does not start" >&2
exit 1
