#!/usr/bin/env bash
# carillon check-sender, ended by a signal in the middle: nothing of it stays. Argument: the program.
set -euo pipefail
fail() { echo "failed: $1" >&2; exit 1; }
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
mkfifo "$TMPDIR/sender"
"$1" check-sender --only plain -- sh -c 'echo $$ > "$TMPDIR/sender"; exec sleep 300' &
command=$!
read -r sender < "$TMPDIR/sender"
kill -TERM "$command"
status=0
wait "$command" || status=$?
[ "$status" = 143 ] || fail "the status is $status"
if kill -0 "$sender" 2>/dev/null; then kill -KILL "$sender"; fail "the sender still runs"; fi
[ "$(ls "$TMPDIR")" = sender ] || fail "a folder is left: $(ls "$TMPDIR")"
