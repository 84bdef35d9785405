#!/usr/bin/env bash
# carillon apns-simulator --env, ended by a signal before the simulator is ready, or without a reader: nothing of it stays. Argument: the program.
set -euo pipefail
fail() { echo "failed: $1" >&2; exit 1; }
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# The simulator waits for somebody to write its settings.
mkfifo "$TMPDIR/settings.json"
"$1" apns-simulator --env --config "$TMPDIR/settings.json" > "$TMPDIR/variables" &
command=$!
simulator=
while [ -z "$simulator" ]; do
    kill -0 "$command" || fail "the command has ended"
    simulator=$(cat "/proc/$command"/task/*/children)
    simulator=${simulator%% *}
done
while [ "$(tr '\0' ' ' < "/proc/$simulator/cmdline" | grep -c -- '--directory')" = 0 ]; do :; done
kill -TERM "$command"
status=0
wait "$command" || status=$?
[ "$status" = 143 ] || fail "the status is $status"
if kill -0 "$simulator" 2>/dev/null; then kill -KILL "$simulator"; fail "the simulator still runs"; fi
[ ! -s "$TMPDIR/variables" ] || fail "variables were printed"
rm "$TMPDIR/settings.json" "$TMPDIR/variables"
[ -z "$(ls "$TMPDIR")" ] || fail "a folder is left: $(ls "$TMPDIR")"

status=0
"$1" apns-simulator --env > /dev/full 2> /dev/null || status=$?
[ "$status" = 1 ] || fail "the status is $status, although nobody can read the variables"
if pgrep -f -- "--directory $TMPDIR/" > /dev/null; then fail "a simulator runs that nobody knows of"; fi
[ -z "$(ls "$TMPDIR")" ] || fail "a folder is left: $(ls "$TMPDIR")"

# Nor does a reader that has gone away.
status=0
"$1" apns-simulator --env | true || status=${PIPESTATUS[0]}
[ "$status" = 141 ] || fail "the status is $status, although the pipe was closed"
[ -z "$(ls "$TMPDIR")" ] || fail "a folder is left: $(ls "$TMPDIR")"
