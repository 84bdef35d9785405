#!/usr/bin/env bash
# Tests a sender against the APNs simulator. Usage: test-your-sender.sh COMMAND...
# COMMAND is your sender; it finds host, port, key and a device token in $APNS_DIRECTORY/simulator.json.
set -euo pipefail

export APNS_DIRECTORY=${APNS_DIRECTORY:-$(mktemp -d)}
carillon=${CARILLON:-carillon}

# 1. Start it, on free ports; the seed makes a failure repeatable.
"$carillon" apns-simulator --port 0 --directory "$APNS_DIRECTORY" --topic com.example.app --seed "${SEED:-1}" \
    >"$APNS_DIRECTORY/ready" 2>"$APNS_DIRECTORY/log" &
simulator=$!
trap 'kill "$simulator" 2>/dev/null || true' EXIT

# 2. Wait for the ready line; when it ended instead, its one sentence says why.
until grep -q '^APNs simulator is ready' "$APNS_DIRECTORY/ready"; do
    kill -0 "$simulator" 2>/dev/null || { cat "$APNS_DIRECTORY/log" >&2; exit 1; }
    sleep 0.1
done
admin=$(sed -n 's/.*"admin_url" *: *"\(.*\)".*/\1/p' "$APNS_DIRECTORY/simulator.json" | sed 's|\\/|/|g')

# 3. Run the sender.
"$@"

# 4. Ask what arrived. /metrics for counts, /requests for every header and payload, /devices for what became of it.
metrics=$(curl --silent --show-error --fail "$admin/metrics")
if ! grep -q '^carillon_apns_accepted_total [1-9]' <<<"$metrics"; then
    echo "nothing was accepted; what APNs made of each request:" >&2
    curl --silent "$admin/requests" >&2
    exit 1
fi
if grep '^carillon_apns_rejected_total' <<<"$metrics" >&2; then
    echo "the requests above were refused" >&2
    exit 1
fi

# 5. End it, and see that it ended well.
kill -TERM "$simulator"
wait "$simulator"
echo "the sender passed"
