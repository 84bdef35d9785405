#!/usr/bin/env bash
# The sender under test: replace it by your own. This one uses `carillon push`.
set -euo pipefail
settings() { jq -r ".$1" "$APNS/simulator.json"; }

jq --null-input --arg text "$2" '{aps: {alert: $text}}' | carillon push --token "$1" --payload - \
    --topic "$(settings topic)" --key "$(settings key)" --team-id "$(settings team_id)" \
    --url "https://localhost:$(settings port)" --ca "$(settings ca)"
