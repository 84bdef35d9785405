# What the scripts about somebody else's server share: a certificate, a key, a token, a free port, and the program's
# benchmark as the client. Sourced, with the path of the program carillon as $1.
set -euo pipefail
server=
carillon=$1
work=$(mktemp -d)
trap 'kill -KILL "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "failed: $1" >&2; exit 1; }
cd "$work"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out ca.pem -days 30 \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost 2> /dev/null
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_SIMKEY0001.p8 2> /dev/null
token=$(printf 'ab%.0s' {1..32})
echo "$token" > tokens.txt
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# bench COUNT STREAMS: sends one, four times the streams as a warm-up, and COUNT; prints how many of these were accepted.
bench() {
    timeout 90 "$carillon" bench client --url "https://localhost:$port" --ca ca.pem --tokens tokens.txt \
        --key AuthKey_SIMKEY0001.p8 --team-id SIMTEAM001 --topic com.example.app -n "$1" --streams "$2" \
        --warm-up 0 --json 2> /dev/null | jq .accepted
}
listens() { for _ in {1..100}; do (exec 4<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && return; read -r -t 0.1 <> <(:) || true; done; fail "no server"; }
