#!/usr/bin/env bash
# npm.sh PROGRAM: the npm packages, unpacked as npm does it, start the simulator from their own program, in a test and from a shell.
set -euo pipefail

program=$1
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 scripts/make-npm.py --program "$program" --version 0.1.0-test --machine "$(uname -m)" --output "$folder" >/dev/null
for archive in "$folder"/*.tgz; do
    name=$(tar -xzOf "$archive" package/package.json | python3 -c 'import json,sys; print(json.load(sys.stdin)["name"])')
    mkdir -p "$folder/node_modules/$name"
    tar -C "$folder/node_modules/$name" --strip-components 1 -xzf "$archive"
done
unset CARILLON
sed 's|"./carillon-apns.mjs"|"carillon-apns-simulator"|' Examples/InYourTests/node/sender-test.mjs >"$folder/sender.test.mjs"
(cd "$folder" && PATH=$(dirname "$(command -v node)"):/usr/bin:/bin node --test sender.test.mjs)
(cd "$folder" && node node_modules/carillon-apns-simulator/cli.mjs --version)
status=0
(cd "$folder" && node node_modules/carillon-apns-simulator/cli.mjs --nonsense 2>/dev/null) || status=$?
[ "$status" = 64 ] || { echo "error: a wrong option ended with $status" >&2; exit 1; }
