#!/usr/bin/env bash
# carillon apns-simulator in the background, with its doors, as a shell and curl see it. Argument: the program.
set -euo pipefail
carillon=$1
# As a sender's tests contain it.
kept=$(dirname "$0")/well-known-ca.pem
fail() { echo "failed: $1" >&2; exit 1; }
folder=$(mktemp -d)
export TMPDIR=$folder
stop() { kill "$APNS_PID"; while kill -0 "$APNS_PID" 2>/dev/null; do sleep 0.05; done; }
trap 'kill "${APNS_PID:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
part() { openssl base64 -e -A | tr -- '+/' '-_' | tr -d =; }
bearer() {
    local text
    text=$(printf '{"alg":"ES256","kid":"%s"}' "$APNS_KEY_ID" | part).$(printf '{"iss":"%s","iat":%d}' "$APNS_TEAM_ID" "$(date +%s)" | part)
    echo "bearer $text.$(printf %s "$text" | openssl dgst -binary -sha256 -sign "$APNS_KEY" | part)"
}
# send TOKEN MORE…: the head of the answer.
send() {
    local token=$1; shift
    curl --silent --show-error --max-time 30 --dump-header - --output /dev/null --header "authorization: $(bearer)" \
        --header "apns-topic: $APNS_TOPIC" --header 'apns-push-type: alert' --data '{"aps":{"alert":"x"}}' "$@" \
        "$APNS_URL/3/device/$token" | tr -d '\r'
}

# A folder with an apostrophe and a space, as somebody may have.
eval "$("$carillon" apns-simulator --env --directory "$folder/it's here")"
[ "$APNS_DIRECTORY" = "$folder/it's here" ] && [ -s "$APNS_CA" ] && [ -s "$APNS_CERTIFICATE" ] || fail "the variables"
answer=$(send "$APNS_DEVICE_TOKEN" --http2 --cacert "$APNS_CA")
grep -q '^HTTP/2 200' <<< "$answer" || fail "a first push: $answer"
! grep -q '^carillon-doors' <<< "$answer" || fail "no door is open: $answer"
curl --fail --silent "$APNS_ADMIN_URL/requests" | jq -e 'length == 1' > /dev/null || fail "the admin API"
stop

if words=$("$carillon" apns-simulator --env --topic "" 2>&1); then fail "a wrong option"; fi
grep -q -- '--topic must not be empty' <<< "$words" || fail "a wrong option is told: $words"
status=0
words=$("$carillon" apns-simulator --env --host 203.0.113.1 2>&1) || status=$?
[ "$status" = 1 ] && grep -q '203.0.113.1' <<< "$words" || fail "an address that is not here: $status $words"

eval "$("$carillon" apns-simulator --env --advertised-host apns.test)"
[ "$APNS_HOST" = apns.test ] && [ "$APNS_URL" = "https://apns.test:$APNS_PORT" ] || fail "the advertised host"
answer=$(send "$APNS_DEVICE_TOKEN" --http2 --cacert "$APNS_CA" --resolve "apns.test:$APNS_PORT:127.0.0.1")
grep -q '^HTTP/2 200' <<< "$answer" || fail "the advertised host is not in the certificate: $answer"
rm -r "$APNS_DIRECTORY"
stop

eval "$("$carillon" apns-simulator --env --well-known --any-token --topic com.example.two)"
[ "$APNS_TOPIC" = com.example.two ] || fail "the topic"
answer=$(send 0badc0de --http2 --cacert "$kept")
grep -q '^HTTP/2 200' <<< "$answer" && grep -q '^carillon-doors: any-token, well-known' <<< "$answer" || fail "doors: $answer"
directory=$APNS_DIRECTORY
stop
if words=$("$carillon" apns-simulator --env --well-known --directory "$folder/it's here" 2>&1); then fail "two authorities"; fi
grep -q 'use another folder' <<< "$words" || fail "two authorities: $words"

eval "$("$carillon" apns-simulator --env --cleartext --directory "$directory")"
[ "${APNS_URL%%:*}" = http ] || fail "the scheme is $APNS_URL"
answer=$(send "$APNS_DEVICE_TOKEN" --http2-prior-knowledge)
grep -q '^HTTP/2 200' <<< "$answer" && grep -q '^carillon-doors: cleartext' <<< "$answer" || fail "cleartext: $answer"
answer=$(curl --silent --show-error --max-time 30 --include --data x "$APNS_URL/3/device/$APNS_DEVICE_TOKEN")
grep -q '^HTTP/1.1 505' <<< "$answer" && grep -q 'curl --http2-prior-knowledge' <<< "$answer" || fail "HTTP/1.1: $answer"
stop
