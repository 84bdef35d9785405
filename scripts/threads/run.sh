#!/usr/bin/env bash
# Builds the tests with ThreadSanitizer, in a separate folder, and runs those of concurrent code: all targets or the named
# ones. Ends with status 1 when a test fails or the sanitizer reports a race.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Skipped: it measures resident memory, which is many times larger with the sanitizer.
measuring='FleetTests/memory'
targets=(CarillonAPNsTests CarillonSimulatorTests CarillonServerTests CarillonDeviceTests CarillonAppTests)
[ $# -eq 0 ] || targets=("$@")

folder=.build/tsan
swift build --build-tests --sanitize=thread --scratch-path "$folder"
clang="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
[ -x "$clang" ] || clang=clang
"$clang" -O1 -fPIC -shared -o "$folder/mutex-order.so" scripts/threads/mutex-order.c -ldl
bundle="$(echo "$folder"/debug/*.xctest)"
# As scripts/swift-test.sh runs them: with all tests at once, limits of time run out.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-16}"

status=0
for target in "${targets[@]}"; do
    echo "== $target"
    LD_PRELOAD="$PWD/$folder/mutex-order.so" TSAN_OPTIONS="exitcode=66 ${TSAN_OPTIONS:-}" timeout --foreground 900 \
        "$bundle" --testing-library swift-testing --filter "^$target\\." --skip "$measuring" || status=1
done
exit $status
