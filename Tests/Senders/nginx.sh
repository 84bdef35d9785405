#!/usr/bin/env bash
# Carillon's client against nginx, which says GOAWAY after every 50 requests. Argument: the program carillon.
set -euo pipefail
# shellcheck source=Tests/Senders/foreign-server.sh
. "$(dirname "$0")/foreign-server.sh"

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
