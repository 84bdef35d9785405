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
events=$(mktemp)
trap 'rm -f "$log" "$events"' EXIT

# SIGINT, since `swift test` ends its own child then.
timeout --foreground --signal INT --kill-after 30 "$limit" swift test --skip-build --event-stream-output-path "$events" "$@" 2>&1 | tee "$log"
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

# A crash or a hang names no test, so these are the ones it can be. The log lacks its last lines then, which nobody has flushed.
if ! grep -aqE '^✘ Test run ' "$log"; then
    ((status == 124)) && echo "The tests did not end within $limit s."
    echo "These had begun and not ended:"
    python3 - "$events" <<'END'
import json
import sys

names, open_cases = {}, {}
for line in open(sys.argv[1], errors="replace"):
    try:
        record = json.loads(line)
    except ValueError:
        continue  # the last line may be cut off
    payload = record["payload"]
    if record["kind"] == "test":
        names[payload["id"]] = payload.get("displayName") or payload["name"]
    elif payload["kind"] == "testCaseStarted":
        text = " ".join(message["text"] for message in payload["messages"])
        open_cases.setdefault(payload["testID"], []).append(text)
    elif payload["kind"] == "testCaseEnded" and open_cases.get(payload["testID"]):
        # The event does not say which case ended. In order is right where a suite is serialized, and likely elsewhere.
        open_cases[payload["testID"]].pop(0)
for test, texts in sorted(open_cases.items()):
    if texts:
        print(f"{names.get(test, test)}  ({test})")
    for text in filter(None, texts):
        print(f"    {text[:200]}")
END
fi
exit "$status"
