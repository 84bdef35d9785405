#!/usr/bin/env bash
# package.sh: makes what is installed without Swift, in .build/package: a Debian package, a Python wheel and npm packages with the
# simulator, what an image of it has, and archives: of the two programs that need no phones, and of the simulator alone. The programs
# run on Debian 12, Ubuntu 24.04 and newer.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build-package
target=.build/package
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/CommandSupport/CommandVersion.swift)
machine=$(uname -m)
rm -rf "$target"
mkdir -p "$target"

build() { swift build --configuration release --scratch-path "$scratch" --static-swift-stdlib "$@"; }
# FoundationNetworking, linked statically, does not name the library of curl that it needs. The simulator has nothing of it.
# Nobody loads a library into these programs that asks for their symbols, and equal functions are one: together 6 MB less.
smaller="-Xlinker --icf=safe -Xlinker --no-export-dynamic"
declare -A libraries=([carillon]="-Xlinker -lcurl $smaller" [carillon-apns-simulator]="$smaller")
for program in carillon carillon-apns-simulator; do
    echo "building $program"
    # shellcheck disable=SC2086
    build --product "$program" ${libraries[$program]}
    strip -o "$target/$program" "$(build --show-bin-path)/$program"
done

# Each program runs on Debian 12 and has at most these megabytes. 44 of carillon's are all of Foundation with ICU's tables of all
# languages, which GRDB and Yams need. The simulator needs only FoundationEssentials: one use of NSNumber, FileHandle, NSLock or of
# `text.contains("…")` in its targets links all of it. `nm -u` on the object files of .build names the one: 10Foundation.
declare -A megabytes=([carillon]=100 [carillon-apns-simulator]=40)
for program in carillon carillon-apns-simulator; do
    bytes=$(stat -c %s "$target/$program")
    newest=$(objdump -T "$target/$program" | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -1)
    needed=$(objdump -p "$target/$program" | awk '$1 == "NEEDED" { print $2 }' | sort | paste -sd' ')
    echo "$program: $((bytes / 1000000)) MB, $newest, needs $needed"
    [ "$bytes" -le "${megabytes[$program]}000000" ] || { echo "error: $program has more than ${megabytes[$program]} MB" >&2; exit 1; }
    [ "$(printf '%s\nGLIBC_2.36\n' "$newest" | sort -V | tail -1)" = GLIBC_2.36 ] \
        || { echo "error: $program needs $newest, newer than 2.36" >&2; exit 1; }
done
if objdump -p "$target/carillon-apns-simulator" | grep -q 'NEEDED.*\(curl\|pq\|sqlite\)'; then
    echo "error: carillon-apns-simulator needs a library of curl or of a database" >&2
    exit 1
fi

# The Debian package.
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root"
install -D -m 0755 -t "$root/usr/bin" "$target/carillon" "$target/carillon-apns-simulator"
install -D -m 0644 -t "$root/lib/systemd/system" Packaging/*.service
install -D -m 0644 -t "$root/etc/carillon" Packaging/deb/carillon.yaml Packaging/deb/apns-simulator.conf
# The map of docs/ gives way to the README of the whole.
install -D -m 0644 -t "$root/usr/share/doc/carillon" README.md $(ls docs/*.md | grep -v /README)
install -D -m 0644 LICENSE "$root/usr/share/doc/carillon/copyright"
# The simulator's own page takes the place of that of 'carillon apns-simulator'.
for program in carillon carillon-apns-simulator; do
    .venv/bin/python scripts/make-man.py "$target/$program" "$root"
done
install -D -m 0644 -t "$root/usr/share/carillon/prometheus" Packaging/prometheus/*.yml
install -D -m 0644 -t "$root/usr/share/carillon/grafana" Packaging/grafana/*.json
mkdir "$root/DEBIAN"
install -m 0755 -t "$root/DEBIAN" Packaging/deb/postinst Packaging/deb/prerm Packaging/deb/postrm
printf '%s\n' /etc/carillon/carillon.yaml /etc/carillon/apns-simulator.conf >"$root/DEBIAN/conffiles"
architecture=$(dpkg --print-architecture)
sed -e "s/@VERSION@/${version/-/\~}/" -e "s/@ARCHITECTURE@/$architecture/" \
    -e "s/@SIZE@/$(du -sk --exclude=DEBIAN "$root" | cut -f1)/" Packaging/deb/control >"$root/DEBIAN/control"
dpkg-deb --root-owner-group --build "$root" "$target/carillon_${version/-/\~}_$architecture.deb" >/dev/null

.venv/bin/python scripts/make-wheel.py --program "$target/carillon-apns-simulator" --version "$version" --machine "$machine" \
    --output "$target"
python3 scripts/make-npm.py --program "$target/carillon-apns-simulator" --version "$version" --machine "$machine" --output "$target"
scripts/simulator-image.sh "$target/carillon-apns-simulator" "$target/image"
tar -C "$target" -czf "$target/carillon-$version-linux-$machine.tar.gz" carillon carillon-apns-simulator
tar -C "$target" -czf "$target/carillon-apns-simulator-$version-linux-$machine.tar.gz" carillon-apns-simulator
ls -l "$target"
