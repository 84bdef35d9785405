#!/usr/bin/env bash
# carillon apns-simulator with settings from a file and from --set, as curl and openssl see it. Argument: the program.
set -euo pipefail
carillon=$1
apns=$(mktemp -d)
fail() { echo "failed: $1" >&2; exit 1; }

cat > "$apns/config.json" <<'END'
{"topics": ["com.example.one", "com.example.two"], "idle_timeout_seconds": 3600, "team_id": "TEAMFILE01",
 "further_keys": [{"key_id": "OTHERKEY01", "team_id": "OTHERTEAM1", "topics": ["com.example.two"]}]}
END
exec 3< <(exec "$carillon" apns-simulator --port 0 --directory "$apns" --config "$apns/config.json" --strict \
    --set team_id=TEAMSETS01 --set 'faults={"clock_skew_seconds": 0}' --team-id TEAMOPTION)
simulator=$!
trap 'kill "$simulator" 2>/dev/null || true; wait "$simulator" 2>/dev/null || true; rm -rf "$apns"' EXIT
read -r ready <&3 || fail "the simulator did not start"
setting() { jq -r "$1" "$apns/simulator.json"; }
[ "$(setting .team_id)" = TEAMOPTION ] || fail "an option overrules --set, and --set the file"
type=alert
url="https://localhost:$(setting .port)/3/device"
one=$(setting '.device_tokens_by_topic["com.example.one"][0]')
two=$(setting '.device_tokens_by_topic["com.example.two"][0]')

# send TOKEN MORE…: prints the reason, or 200.
send() {
    local token=$1; shift
    curl --silent --max-time 30 --http2 --cacert "$(setting .ca)" ${type:+--header "apns-push-type: $type"} \
        --data '{"aps":{"alert":"x"}}' --write-out '%{http_code}' "$@" "$url/$token" | sed -E 's/.*"reason":"([A-Za-z]+)".*/\1/'
}
# token KEYFILE KEYID TEAMID SECONDS: Apple's recipe for the command line, whose signature is DER.
token() {
    part() { openssl base64 -e -A | tr -- '+/' '-_' | tr -d =; }
    local text
    text=$(printf '{"alg":"ES256","kid":"%s"}' "$2" | part).$(printf '{"iss":"%s","iat":%d}' "$3" "$4" | part)
    echo "$text.$(printf %s "$text" | openssl dgst -binary -sha256 -sign "$1" | part)"
}

p12=$(setting .certificate_p12):$(setting .certificate_password)
[ "$(send "$one" --cert "$p12" --cert-type P12)" = 200 ] || fail "the certificate as .p12"
[ "$(send "$one" --cert "$(setting .certificate)")" = 200 ] || fail "the certificate as PEM"
[ "$(send "$two" --cert "$(setting .certificate)" --header 'apns-topic: com.example.two')" = TopicDisallowed ] ||
    fail "a certificate is for its topic"
[ "$(type='' send "$one" --cert "$(setting .certificate)")" = InvalidPushType ] || fail "--strict"

now=$(date +%s)
first=$(token "$(setting .key)" "$(setting .key_id)" TEAMOPTION "$now")
bearer() { send "$1" --header "authorization: bearer $2" --header "apns-topic: $3"; }
[ "$(bearer "$one" "$first" com.example.one)" = 200 ] || fail "the first key"
other=$(token "$(setting '.further_keys[0].key')" OTHERKEY01 OTHERTEAM1 "$now")
[ "$(bearer "$two" "$other" com.example.two)" = 200 ] || fail "the further key"
[ "$(bearer "$one" "$other" com.example.one)" = TopicDisallowed ] || fail "the further key is for one topic"

curl --fail --silent --output /dev/null --data '{"advance_seconds": 3601}' "$(setting .admin_url)/clock" || fail "the clock"
[ "$(bearer "$one" "$first" com.example.one)" = ExpiredProviderToken ] || fail "an hour has passed"
fresh=$(token "$(setting .key)" "$(setting .key_id)" TEAMOPTION "$(date +%s)")
[ "$(bearer "$one" "$fresh" com.example.one)" = 200 ] || fail "a fresh token"

mistake() { { "$carillon" apns-simulator --port 0 --directory "$apns/other" "$@" 2>&1 || true; } | grep -qF -- "$expected" || fail "$expected"; }
expected="--set streams: the setting streams: it must be a number from 1 to 100000" mistake --set streams=many
expected="--set nothing: expected NAME=VALUE" mistake --set nothing
expected="--config /no/such: there is no such file" mistake --config /no/such
