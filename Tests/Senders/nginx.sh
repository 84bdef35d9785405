#!/usr/bin/env bash
# Carillon's client against nginx, which says GOAWAY after every 50 requests. Argument: the program carillon.
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

cat > nginx.conf <<END
daemon off; master_process off; error_log $work/error.log; pid $work/pid;
events { worker_connections 256; }
http {
    access_log $work/access.log;
    client_body_temp_path $work/body; proxy_temp_path $work/proxy; fastcgi_temp_path $work/fastcgi;
    uwsgi_temp_path $work/uwsgi; scgi_temp_path $work/scgi;
    server {
        listen 127.0.0.1:$port ssl http2;
        ssl_certificate $work/ca.pem; ssl_certificate_key $work/key.pem;
        keepalive_requests 50; http2_max_concurrent_streams 20;
        location / { return 200; }
    }
}
END
nginx -c "$work/nginx.conf" 2> /dev/null &
server=$!
listens
accepted=$(bench 1000 100)
[ "$accepted" = 1000 ] || fail "$accepted of 1000 were accepted"
kill -KILL "$server" && wait "$server" || true
# The bare connection of listens() leaves no line.
processed=$(grep -c '" 200 ' access.log)
[ "$processed" = 1401 ] || fail "nginx processed $processed requests, not 1 + 400 + 1000"
