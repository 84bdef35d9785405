#!/usr/bin/env bash
# Carillon's client against nghttpd, with few streams and with windows that hold hardly anything. Argument: the program.
set -euo pipefail
# shellcheck source=Tests/Senders/foreign-server.sh
. "$(dirname "$0")/foreign-server.sh"

mkdir -p 3/device && echo ok > "3/device/$token"
for options in "-m 7" "-w 10" "-w 1"; do
    # shellcheck disable=SC2086
    nghttpd --address=127.0.0.1 -d "$work" $options "$port" key.pem ca.pem > /dev/null 2>&1 &
    server=$!
    listens
    accepted=$(bench 100 20)
    [ "$accepted" = 100 ] || fail "$accepted of 100 were accepted by nghttpd $options"
    kill -KILL "$server"; wait "$server" 2> /dev/null || true
done
