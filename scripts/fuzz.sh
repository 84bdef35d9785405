#!/usr/bin/env bash
# fuzz.sh [--seconds N] [HARNESS...]: builds the harnesses of Fuzz/ with libFuzzer and the address sanitizer, and runs all or
# the named ones for N seconds each (default: 60). Ends with status 1 when one has a finding.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
if [ "${1:-}" = --seconds ]; then
    [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || { echo "error: --seconds must be a whole number above 0, such as 60" >&2; exit 64; }
    seconds=$2
    shift 2
fi

folder=.build/fuzz
# Swift's crash reporter reads memory in a way that the address sanitizer rejects.
export CARILLON_FUZZ=1 ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no
swift build --scratch-path "$folder" --product CarillonFuzz -Xswiftc -sanitize=fuzzer,address |
    { grep -v 'Cannot export local symbol' || true; }
program="$folder/debug/CarillonFuzz"
mapfile -t known < <("$program")
for name in "$@"; do
    [[ " ${known[*]} " == *" $name "* ]] || { echo "error: there is no harness $name; choose from: ${known[*]}" >&2; exit 64; }
done
harnesses=("${known[@]}")
[ $# -eq 0 ] || harnesses=("$@")

found=0
for name in "${harnesses[@]}"; do
    # libFuzzer keeps its own inputs there; ours are in Fuzz/Seeds.
    mkdir -p "$folder/corpus/$name"
    seeds=()
    [ ! -d "Fuzz/Seeds/$name" ] || seeds=("Fuzz/Seeds/$name")
    echo "== $name"
    if "$program" "$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -print_funcs=0 \
        -verbosity=1 -artifact_prefix="$folder/$name-" "$folder/corpus/$name" "${seeds[@]}"; then
        echo "no finding in $seconds s"
    else
        found=1
        echo "finding; repeat it with: ASAN_OPTIONS=$ASAN_OPTIONS SWIFT_BACKTRACE=$SWIFT_BACKTRACE $program $name $folder/$name-<kind>-<hash>" >&2
    fi
done
exit $found
