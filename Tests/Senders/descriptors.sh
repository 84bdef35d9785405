#!/usr/bin/env bash
# More connections than descriptors: the simulator says so, burns no processor time, and serves again. Argument: the program.
set -euo pipefail
carillon=$1
apns=$(mktemp -d)
fail() { echo "failed: $1" >&2; cat "$apns/log" >&2; exit 1; }
exec 3< <(ulimit -n 60; exec "$carillon" apns-simulator --port 0 --directory "$apns" 2> "$apns/log")
simulator=$!
trap 'kill "$simulator" 2>/dev/null || true; wait "$simulator" 2>/dev/null || true; rm -rf "$apns"' EXIT
read -r ready <&3 || fail "the simulator did not start"
port=$(jq -r .port "$apns/simulator.json")

# 100 connections that say nothing, held for some seconds; then the processor time that they cost.
ticks() { awk '{ print $14 + $15 }' "/proc/$simulator/stat"; }
python3 - "$port" "$apns/log" <<'END' &
import select, socket, sys
connections = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(100)]
for _ in range(600):
    if open(sys.argv[2]).read().count("cannot accept a connection") >= 3:
        break
    select.select([], [], [], 0.1)
END
holder=$!
before=$(ticks)
wait "$holder"
cost=$(($(ticks) - before))
said=$(grep -c "cannot accept a connection" "$apns/log" || true)
[ "$said" -ge 3 ] || fail "it said nothing"
[ "$said" -le 20 ] || fail "it said so $said times"
[ "$cost" -le 200 ] || fail "it used $cost hundredths of a second"
status=$(curl --silent --max-time 30 --http2 --cacert "$apns/ca.pem" --output /dev/null --write-out '%{http_code}' \
    "https://localhost:$port/3/device/00")
[ "$status" = 405 ] || fail "it serves no longer: $status"
