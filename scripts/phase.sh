#!/usr/bin/env bash
# phase.sh NAME COMMAND...: runs a phase of `make test` and notes how long it took, for scripts/phases.py.
set -uo pipefail
cd "$(dirname "$0")/.."

name=$1
shift
start=$EPOCHREALTIME
"$@"
status=$?
mkdir -p .build
echo "$name $((${EPOCHREALTIME%.*} - ${start%.*})) $status" >>.build/phases
exit "$status"
