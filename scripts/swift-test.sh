#!/usr/bin/env bash
# Runs `swift test` on what is built, with the arguments given, and says again at the end what failed: it is easily lost among
# some thousand lines, and many CI services show only the last ones.
set -uo pipefail

# Many times what the tests take: what is still running then, hangs.
limit=1500

# By default all tests run at once: each then waits most of the time for the others, so that limits of time and real
# connections run out on a slow machine.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-16}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# SIGINT, since `swift test` ends its own child then.
timeout --foreground --signal INT --kill-after 30 "$limit" swift test --skip-build "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

# A test that is cancelled or skipped is counted, and proves nothing.
skipped=$(grep -aE '^➜ Test .*(skipped|cancelled)' "$log" | grep -avE 'played by the other|measured by the other' | sort -u)
[ -z "$skipped" ] || printf '\nWhat did not run:\n%s\n' "$skipped"

printf '\nThe slowest:\n'
sed -nE 's/^[✔✘] Test (.*) (passed|failed) after ([0-9.]+) seconds.*/\3 s  \1/p' "$log" | grep -v '  run with ' | sort -rn | head -5
((status == 0)) && exit 0

drawn=$(grep -aoE 'Drawn seeds of .*' "$log")
[ -z "$drawn" ] || printf '\n%s\n' "$drawn"

printf '\nWhat failed:\n'
grep -aE '^(✘|↳|error:)' "$log" | grep -avE '^✘ (Suite|Test run) |^↳ (Testing Library Version|Target Platform):' || echo "no test said so: see the lines above"

# Suites are named as their files.
suites=$(grep -aE '^✘ Test .* recorded an issue' "$log" | grep -aoE '[A-Za-z0-9]+Tests\.swift' | sed 's/\.swift//' | sort -u | paste -sd'|')
[ -z "$suites" ] || printf '\nRepeat with: make test ONLY="%s"\n' "$suites"

# A crash or a hang names no test, so these are the ones it can be.
if ! grep -aqE '^✘ Test run ' "$log"; then
    ((status == 124)) && echo "The tests did not end within $limit s."
    echo "These had begun and not ended:"
    marked() {
        sed -nE "s/^[$1] Test (\"?.*) $2$/\1/p" "$log" | grep -avE '^(case passing|run$)' |
            sed -E 's/ with [0-9]+ test cases?$//' | sort -u
    }
    comm -23 <(marked ◇ 'started\.') <(marked ✔✘➜ '(passed|failed|skipped).*') | while IFS= read -r name; do
        printf '%s\n' "$name"
        # Of a test with arguments, the case that began last.
        grep -aF "◇ Test case passing" "$log" | grep -aF "to $name started." | tail -n 1 |
            sed -nE 's/^◇ Test case passing [0-9]+ arguments? (.*) to ".*/    begun last: \1/p'
    done
fi
exit "$status"
