#!/usr/bin/env bash
# Runs a PostgreSQL of its own in a folder, on a Unix socket there, for as long as a process lives:
#   postgresql-for-tests.sh FOLDER PROCESS [VERB] [OPTION…]
# Verbs; each returns when it is done, and the server goes with its folder when the process ends, however that happens:
#   start              starts it, having ended as a crash does what may be running (the default); options for it follow, such
#                      as -c fsync=on. It keeps nothing safe unless they say so, since tests are to be quick.
#   stop MODE          ends it: fast or immediate
#   kill               ends all its processes at once, without a chance to do anything
#   standby-of FOLDER  makes it a copy of another server, which it then follows; options as for start
#   promote            makes a standby take writes
#   certify NAME       before the first start: makes a certificate for a host (server.pem, server.key), its authority (ca.pem)
#                      and another (other-ca.pem)
set -euo pipefail
folder=$1
process=$2
verb=${3:-start}
shift $(($# < 3 ? $# : 3))

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
pg_ctl() { "${as[@]}" "$programs/pg_ctl" "$@" --pgdata="$folder/data" >/dev/null; }

start() {
    if [ -e data/postmaster.pid ]; then
        # It may have ended without tidying up.
        pg_ctl stop --mode=immediate 2>&1 || true
    fi
    # Shared memory in files of the data folder, which go with it; elsewhere a server that is killed leaves it behind.
    options="-c dynamic_shared_memory_type=mmap -c listen_addresses= -c unix_socket_directories='$folder' -c fsync=off \
-c max_connections=1000 -c shared_buffers=64MB -c jit=off -c autovacuum=off -c max_wal_size=256MB -c synchronous_commit=local -c synchronous_standby_names=nobody $*"
    (without_descriptors pg_ctl start --wait --timeout=60 --log="$folder/data/log" --options="$options") ||
        { tail -n 5 data/log >&2; exit 1; }
}

# Ends with the process, however often it is started.
watch_process() {
    [ ! -e watched ] || return 0
    touch watched
    (
        without_descriptors tail --pid="$process" -f /dev/null
        pg_ctl stop --mode=immediate || true
        # Where it is a disk of its own.
        umount "$folder/data" 2>/dev/null || true
        rm -rf "$folder"
    ) >/dev/null 2>&1 </dev/null &
}

mkdir -p "$folder"
if [ "$(id -u)" -eq 0 ]; then chown postgres "$folder"; fi
cd "$folder"
case $verb in
start)
    # An empty folder may be a disk of its own.
    [ -e data/PG_VERSION ] || "${as[@]}" "$programs/initdb" --pgdata="$folder/data" --username=carillon --auth=trust \
        --locale=C --encoding=UTF8 --no-sync >log 2>&1 || { tail -n 5 log >&2; exit 1; }
    start "$@"
    watch_process
    ;;
stop) pg_ctl stop --mode="$1" ;;
kill)
    postmaster=$(head -n 1 data/postmaster.pid)
    # shellcheck disable=SC2046
    kill -KILL "$postmaster" $(ps -o pid= --ppid "$postmaster") || true
    ;;
standby-of)
    source=$1
    shift
    "${as[@]}" "$programs/pg_basebackup" --pgdata="$folder/data" --host="$source" --username=carillon --checkpoint=fast \
        --wal-method=stream --write-recovery-conf --no-sync
    start "$@"
    watch_process
    ;;
promote) pg_ctl promote --wait ;;
certify)
    for authority in ca other-ca; do
        "${as[@]}" openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
            -subj "/CN=$authority" -keyout "$authority.key" -out "$authority.pem" 2>log
    done
    "${as[@]}" openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" \
        -keyout server.key -out server.csr 2>log
    echo "subjectAltName=DNS:$1" >server.ext
    "${as[@]}" openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out server.pem \
        -extfile server.ext 2>log
    ;;
*)
    echo "error: unknown verb $verb" >&2
    exit 1
    ;;
esac
