#!/usr/bin/env bash
# test-package.sh: installs what `make package` has made where there is no Swift, and uses it: the wheel in a Python environment
# of its own, the Debian package in a Debian of its own. Then the commands of docs/host-it.md are played on another Debian, which
# boots, and the container of Packaging/Containerfile is built and started. Needs root, for debootstrap, chroot, systemd-nspawn
# and buildah.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=$PWD/.build/package
work=$(mktemp -d)
root=$work/root
end() {
    [ -z "${service:-}" ] || kill "$service" 2>/dev/null || true
    mountpoint -q "$root/proc" && umount "$root/proc"
    rm -rf "$work"
}
trap end EXIT
step() { printf '== %s\n' "$*"; }
fail() { echo "error: $*" >&2; exit 1; }

step "the wheel, in an environment without carillon"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "$packages"/*.whl pytest 'httpx[http2]' PyJWT cryptography
mkdir "$work/tests"
cp Examples/InYourTests/python/test_sender.py "$work/tests/"
(cd "$work/tests" && env -i PATH=/usr/bin:/bin HOME="$work" "$work/venv/bin/python" -m pytest -p no:cacheprovider --quiet)

step "the archive of the simulator alone, in PATH"
mkdir "$work/alone"
tar -C "$work/alone" -xzf "$packages"/carillon-apns-simulator-*.tar.gz
[ "$(ls "$work/alone")" = carillon-apns-simulator ] || fail "the archive has more than the program: $(ls "$work/alone")"
env -i PATH="$work/alone:/usr/bin:/bin" HOME="$work" bash -euo pipefail <<'SHELL'
eval "$(carillon-apns-simulator --env)"
trap 'kill "$APNS_PID"; rm -r "$APNS_DIRECTORY"' EXIT
status=$(curl --silent --show-error --http2 --cacert "$APNS_CA" --cert "$APNS_CERTIFICATE" -H 'apns-push-type: alert' \
    -d '{"aps":{"alert":"Hello"}}' -o /dev/null -w '%{http_code}' "$APNS_URL/3/device/$APNS_DEVICE_TOKEN")
[ "$status" = 200 ] || { echo "error: the push was answered $status" >&2; exit 1; }
SHELL

step "the npm packages, and the image of the simulator"
Tests/Senders/npm.sh "$packages/carillon-apns-simulator"
Tests/Senders/image.sh "$packages/carillon-apns-simulator"

step "the simulator, from its start to its answer"
"$work/venv/bin/python" - "$work/venv/bin/carillon-apns-simulator" <<'PYTHON'
import statistics, subprocess, sys, tempfile, time
times = []
for _ in range(11):
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        process = subprocess.Popen([sys.argv[1], "--port", "0", "--directory", folder], stdout=subprocess.PIPE, text=True)
        assert "is ready" in process.stdout.readline()
        times.append((time.monotonic() - start) * 1000)
        process.terminate()
        process.wait()
print(f"ready after {statistics.median(times):.0f} ms (median of {len(times)}; {min(times):.0f} to {max(times):.0f})")
PYTHON

step "a Debian of its own"
# The archive that apt uses here, in whichever of its files it is named.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | sed -n '\|/debian/*$|p')
mirror=${mirror%%$'\n'*}
debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 \
    || { tail -5 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
[ ! -e /etc/apt/apt.conf ] || cp /etc/apt/apt.conf "$root/etc/apt/"
cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
cp -a "$root" "$work/machine"
tar -C "$root" -cf "$work/base.tar" .
mount -t proc proc "$root/proc"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }
! inside sh -c 'command -v swift' || fail "there is a Swift in it"

step "install"
deb=$(ls "$packages"/*.deb)
cp "$deb" "$root/tmp/carillon.deb"
inside apt-get update -qq
inside apt-get install --yes -qq --no-install-recommends /tmp/carillon.deb >"$work/install.log" 2>&1 \
    || { tail -20 "$work/install.log" >&2; fail "the package cannot be installed"; }
inside carillon --version
for file in man/man1/carillon.1.gz man/man1/carillon-messages.1.gz man/man1/carillon-apns-simulator.1.gz \
    bash-completion/completions/carillon zsh/vendor-completions/_carillon fish/vendor_completions.d/carillon.fish; do
    inside test -s "/usr/share/$file" || fail "/usr/share/$file is missing"
done
for file in prometheus/carillon.rules.yml grafana/carillon.json; do
    inside test -r "/usr/share/carillon/$file" || fail "/usr/share/carillon/$file is missing"
done
[ "$(inside stat -c '%U %a' /var/lib/carillon)" = 'carillon 700' ] || fail "/var/lib/carillon is not the service's own"

serve() {
    inside setpriv --reuid=carillon --regid=carillon --clear-groups \
        carillon serve --config /etc/carillon/carillon.yaml --port 0 --topic com.example.app --role api >"$work/serve.log" 2>&1 &
    service=$!
    for _ in $(seq 100); do
        port=$(sed -n 's/.*is ready at .*:\([0-9]*\)/\1/p' "$work/serve.log")
        [ -z "$port" ] || return 0
        kill -0 "$service" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/serve.log" >&2
    fail "the service did not start"
}
end_service() {
    # setpriv and chroot put the program in their own place.
    kill -TERM "$service"
    wait "$service" || true
    service=
}

step "start, and accept a message"
serve
key=$(inside setpriv --reuid=carillon --regid=carillon --clear-groups \
    carillon api-keys create --data /var/lib/carillon --name test --topic com.example.app)
send() {
    curl --silent --show-error --fail "http://127.0.0.1:$port/v1/notifications" --header "Authorization: Bearer $key" \
        --header 'Content-Type: application/json' --data "{\"id\": \"$1\", \"to\": {\"user\": \"ada\"}, \"payload\": {\"aps\": {\"alert\": \"Hello\"}}}"
    echo
}
kept() {
    curl --silent --show-error --fail "http://127.0.0.1:$port/v1/notifications/$1" --header "Authorization: Bearer $key" >/dev/null \
        || fail "the message $1 is gone"
}
send first
end_service

step "upgrade, with a changed file of settings"
sed -i 's/^port: .*/port: 9090/' "$root/etc/carillon/carillon.yaml"
mkdir "$work/newer"
dpkg-deb --raw-extract "$deb" "$work/newer"
sed -i 's/^Version: .*/Version: 9.0.0/' "$work/newer/DEBIAN/control"
echo '# A newer default.' >>"$work/newer/etc/carillon/carillon.yaml"
dpkg-deb --root-owner-group --build "$work/newer" "$work/newer.deb" >/dev/null
cp "$work/newer.deb" "$root/tmp/"
inside apt-get install --yes -qq --no-install-recommends -o Dpkg::Options::=--force-confold /tmp/newer.deb >"$work/install.log" 2>&1 \
    || { tail -20 "$work/install.log" >&2; fail "the package cannot be upgraded"; }
grep -q 9090 "$root/etc/carillon/carillon.yaml" || fail "the upgrade has overwritten the settings"
serve
kept first
send second
end_service

step "remove, and install again"
inside apt-get remove --yes -qq carillon >"$work/install.log" 2>&1 || { tail "$work/install.log" >&2; fail "it cannot be removed"; }
! inside sh -c 'command -v carillon' || fail "the program is still there"
[ -e "$root/var/lib/carillon/carillon.sqlite" ] || fail "the removal has deleted the data"
inside apt-get install --yes -qq --no-install-recommends /tmp/newer.deb >"$work/install.log" 2>&1
serve
kept first
kept second
end_service
inside apt-get purge --yes -qq carillon >"$work/install.log" 2>&1
[ ! -e "$root/etc/carillon/carillon.yaml" ] || fail "the purge has left the settings"
[ -e "$root/var/lib/carillon/carillon.sqlite" ] || fail "the purge has deleted the data"

step "the units' hardening (systemd-analyze security, at most 2.5)"
inside apt-get install --yes -qq --no-install-recommends systemd >"$work/install.log" 2>&1
for unit in Packaging/*.service; do
    cp "$unit" "$root/tmp/"
    inside systemd-analyze security --offline=true --threshold=25 --no-pager "/tmp/$(basename "$unit")" >"$work/security.log" \
        || { tail -1 "$work/security.log" >&2; fail "$unit is not hardened"; }
    tail -1 "$work/security.log"
done

step "the container, on a base image that is this Debian: no registry is asked"
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
container() { buildah --root "$work/containers" --runroot "$work/containers-run" "$@"; }
base=$(container from scratch)
container add --quiet "$base" "$work/base.tar" / >/dev/null
container commit --quiet "$base" "$(sed -n 's/^FROM //p' Packaging/Containerfile)" >/dev/null
container bud --pull-never --network host --tag carillon --file Packaging/Containerfile "$packages" >"$work/container.log" 2>&1 \
    || { tail -20 "$work/container.log" >&2; fail "the container cannot be built"; }
started=$(container from --pull-never carillon)
read -ra words < <(container inspect --type image carillon \
    | python3 -c 'import json, sys; c = json.load(sys.stdin)["OCIv1"]["config"]; print(*c["Entrypoint"], *c["Cmd"])')
# 124: it still ran when its time was over.
status=0
container run --network host "$started" -- timeout 5 "${words[@]}" --topic com.example.app --role api --port 0 >"$work/container.log" 2>&1 \
    || status=$?
grep 'is ready at' "$work/container.log" || { cat "$work/container.log" >&2; fail "the container does not start, with status $status"; }

step "the page from an empty machine to the first push"
python3 -B Tests/HostIt/in_debian.py "$work/machine" "$deb" "$work/newer.deb" "$packages/carillon-apns-simulator"
step "all is well"
