#!/usr/bin/env bash
# action.sh: what action.yml runs. Starts a simulated APNs in the background, and writes what a sender needs into $GITHUB_OUTPUT and,
# as APNS_… variables, into $GITHUB_ENV. Reads CARILLON_TOPIC, CARILLON_OPTIONS and CARILLON_WHEEL.
set -euo pipefail

program=$(command -v carillon-apns-simulator || true)
if [[ -z $program ]]; then
    folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/carillon-XXXXXX")
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "${CARILLON_WHEEL:-carillon-apns-simulator}"
    program=$folder/bin/carillon-apns-simulator
fi

read -r -a options <<< "${CARILLON_OPTIONS:-}"
variables=$("$program" --env --topic "${CARILLON_TOPIC:-com.example.app}" "${options[@]}")
eval "$variables"
for name in $(sed -nE 's/^export (APNS_[A-Z_]+)=.*/\1/p' <<< "$variables"); do
    value=${!name} output=${name#APNS_}
    # A line break would begin another variable.
    if [[ $value == *$'\n'* ]]; then echo "error: $name has a line break" >&2; exit 1; fi
    echo "${output,,}=$value" >> "$GITHUB_OUTPUT"
    echo "$name=$value" >> "$GITHUB_ENV"
done
echo "APNs simulator: $APNS_URL, process $APNS_PID"
