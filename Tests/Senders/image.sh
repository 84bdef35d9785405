#!/usr/bin/env bash
# image.sh PROGRAM: the files of the simulator's image are a whole system for it: in a root of its own, with nothing else, it starts
# and takes a push. With buildah, the image is built of the Containerfile, and has these files and no other.
set -euo pipefail

program=$1
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
process=
end() { [ -z "$process" ] || kill "$process" 2>/dev/null || true; chmod -R u+w "$folder"; rm -rf "$folder"; }
trap end EXIT
fail() { echo "error: $*" >&2; exit 1; }

scripts/simulator-image.sh "$program" "$folder"
others=$(find "$folder/root" -type f ! -name '*.so' ! -name '*.so.*' ! -name carillon-apns-simulator ! -name ca-certificates.crt)
[ -z "$others" ] || fail "the image has $others"
grep -qx 'FROM scratch' Packaging/simulator/Containerfile || fail "the image begins with another one"

mkdir "$folder/root/apns" "$folder/root/proc"
# A container has /proc, from which Swift reads the arguments.
unshare --user --map-root-user --mount bash -c 'mount --rbind /proc "$1/proc" && exec chroot "$@"' start \
    "$folder/root" /carillon-apns-simulator --directory /apns --port 0 >"$folder/log" &
process=$!
for _ in $(seq 100); do ! grep -q 'is ready' "$folder/log" || break; kill -0 "$process" || fail "it did not start"; sleep 0.1; done
summary=$folder/root/apns/simulator.json
read_setting() { python3 -c "import json,sys; value = json.load(open('$summary'))['$1']; print(value[0] if isinstance(value, list) else value)"; }
status=$(curl --silent --show-error --http2 --cacert "$folder/root$(read_setting ca)" --cert "$folder/root$(read_setting certificate)" \
    -H 'apns-push-type: alert' -d '{"aps":{"alert":"Hello"}}' -o "$folder/answer" -w '%{http_code}' \
    "https://localhost:$(read_setting port)/3/device/$(read_setting device_tokens)")
[ "$status" = 200 ] || fail "the push was answered $status: $(cat "$folder/answer")"
curl --silent --fail "$(read_setting admin_url)/inbox" | grep -q '<title>APNs inbox' || fail "there is no page"
kill "$process"
wait "$process" || fail "it did not end well"
process=
rm -r "$folder/root/apns" "$folder/root/proc"

if command -v buildah >/dev/null; then
    store=(--root "$folder/store" --runroot "$folder/run" --storage-driver vfs)
    buildah "${store[@]}" bud --isolation chroot --quiet --file Packaging/simulator/Containerfile --tag simulator "$folder" >"$folder/bud.log" 2>&1 \
        || { cat "$folder/bud.log" >&2; fail "buildah could not build it"; }
    container=$(buildah "${store[@]}" from simulator)
    mounted=$(buildah "${store[@]}" mount "$container")
    diff <(cd "$folder/root" && find . -type f | sort) <(cd "$mounted" && find . -type f | sort) || fail "the image has other files"
    [ "$(stat -c %u "$mounted/apns")" = 65534 ] || fail "/apns belongs to another user"
    buildah "${store[@]}" inspect --type image simulator | grep -q '"/carillon-apns-simulator"' || fail "it starts another program"
    echo "built with buildah"
fi
