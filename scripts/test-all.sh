#!/usr/bin/env bash
# test-all.sh [NAME...]: runs everything that can be tested and measured, one line after the other, and ends with a table. With
# names, such as `fuzz simulate`, only those. Takes some two hours; ends with status 1 when a line has failed.
set -uo pipefail
cd "$(dirname "$0")/.."

# Each line has a name and its command.
lines=(
    'test|make test COVERAGE=1'
    'senders|make test-senders'
    'pooler|make test-pooler'
    'alarms|make test-alarms'
    'package|make test-package'
    'long|make test-long'
    'prove|make prove ARGS="--minutes 10"'
    'plants|make test-plants'
    'threads|make test-threads'
    'fuzz|make fuzz'
    'fuzz-page|make fuzz-page'
    'simulate|MINUTES=5 make simulate'
    'bench-client|make bench-client ARGS="--runs 3"'
    'bench-phone|make bench-phone'
    'bench-page|make bench-page'
    'bench-service|make bench-service'
    'bench-simulator|make bench-simulator'
)

known=("${lines[@]%%|*}")
for name in "$@"; do
    [[ " ${known[*]} " == *" $name "* ]] || { echo "error: there is no line $name; choose from: ${known[*]}" >&2; exit 64; }
done
wanted=("$@")
[ $# -gt 0 ] || wanted=("${known[@]}")

folder=.build/test-all
mkdir -p "$folder"
results=()
status=0
# Ctrl-C ends the line that runs, and what has run is told all the same.
trap 'interrupted=1' INT
interrupted=
for line in "${lines[@]}"; do
    name=${line%%|*}
    [[ " ${wanted[*]} " == *" $name "* && -z $interrupted ]] || continue
    command=${line#*|}
    printf '\n== %s: %s\n' "$name" "$command"
    start=$SECONDS
    if bash -c "$command" 2>&1 | tee "$folder/$name.log"; then result=passed; else result=FAILED status=1; fi
    [ -z "$interrupted" ] || result=interrupted status=130
    results+=("$(printf '%-16s %-12s %6d s  %s' "$name" "$result" $((SECONDS - start)) "$folder/$name.log")")
done

printf '\n%-16s %-12s %8s  %s\n' line result time log
printf '%s\n' "${results[@]}"
exit $status
