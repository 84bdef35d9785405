#!/usr/bin/env bash
# The script of action.yml, as one of GitHub's runners calls it. Argument: the program carillon, beside which the simulator's stands.
set -euo pipefail
simulator=$(dirname "$1")/carillon-apns-simulator
root=$(cd "$(dirname "$0")/../.." && pwd)
fail() { echo "failed: $1" >&2; exit 1; }
folder=$(mktemp -d)
trap 'kill "$(sed -n s/^pid=//p "$folder/output" 2>/dev/null)" 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$simulator" "$folder/bin/carillon-apns-simulator"
PATH=$folder/bin:$PATH TMPDIR=$folder GITHUB_OUTPUT=$folder/output GITHUB_ENV=$folder/env APNS_OF_THE_JOB=stays \
    CARILLON_TOPIC=com.example.two CARILLON_OPTIONS='--devices 2 --offline 1' "$root/Packaging/simulator/action.sh"

declared=$(sed -nE 's/.*steps\.start\.outputs\.([a-z_]+) .*/\1/p' "$root/action.yml" | sort)
written=$(cut -d= -f1 "$folder/output" | sort)
diff <(echo "$declared") <(echo "$written") || fail "action.yml declares other outputs than the script writes"
grep -q '^APNS_TOPIC=com.example.two$' "$folder/env" || fail "the variables of later steps"
! grep -q OF_THE_JOB "$folder/env" || fail "a variable of the job's own"
admin=$(sed -n s/^admin_url=//p "$folder/output")
curl --fail --silent "$admin/devices" | jq -e '[.[] | .online] == [false, true]' > /dev/null || fail "the options"
