#!/usr/bin/env bash
# Tests a sender of push notifications against a simulated APNs and checks what arrived there.
# Needs: carillon, curl, jq. SENDER is the sender: it gets a device token and a text and exits with 0 if APNs accepted it.
set -euo pipefail
cd "$(dirname "$0")"
sender=${SENDER:-./send.sh}

# 1. Start APNs on a free port. It prints one line when it is ready, and nothing on standard output if it cannot start.
export APNS=$(mktemp -d)
exec 3< <(exec carillon apns-simulator --port 0 --directory "$APNS" --topic com.example.app --devices 3 --offline 1)
simulator=$!
trap 'kill "$simulator" 2>/dev/null || true; wait "$simulator" 2>/dev/null || true; rm -rf "$APNS"' EXIT
read -r ready <&3 || { echo "APNs did not start, see the error above" >&2; exit 1; }
echo "$ready"

# 2. Read the settings for the test from simulator.json.
admin=$(jq -r .admin_url "$APNS/simulator.json")
mapfile -t tokens < <(jq -r '.device_tokens[]' "$APNS/simulator.json")
requests() { curl --fail --silent --show-error "$admin/requests"; }

# 3. A push arrives, with the right headers.
"$sender" "${tokens[1]}" "Breaking news"
requests | jq -e '.[-1].request | .status == 200 and .payload.aps.alert == "Breaking news"
    and any(.headers[]; . == ["apns-push-type", "alert"])' > /dev/null
echo "ok: the push arrived"

# 4. APNs stores a push for an offline phone.
"$sender" "${tokens[0]}" "For later"
curl --fail --silent --show-error "$admin/devices" | jq -e '.[] | select(.online | not) | .stored == 1' > /dev/null
echo "ok: APNs stores the push for the offline phone"

# 5. The app was deleted: the sender gets 410 Unregistered and must report a failure.
curl --fail --silent --show-error --request DELETE "$admin/tokens/${tokens[2]}"
if "$sender" "${tokens[2]}" "App deleted"; then echo "the sender treated a 410 as success" >&2; exit 1; fi
requests | jq -e '.[-1].request | .status == 410 and .reason == "Unregistered"' > /dev/null
echo "ok: the sender reported the 410"

# 6. APNs is unavailable for one request: a retry succeeds.
curl --fail --silent --show-error --data '{"answers": ["ServiceUnavailable"]}' "$admin/tokens/${tokens[1]}/answers"
"$sender" "${tokens[1]}" "Retry" || "$sender" "${tokens[1]}" "Retry"
requests | jq -e '[.[-2:][].request.status] == [503, 200]' > /dev/null
echo "ok: the retry after a 503 succeeded"
