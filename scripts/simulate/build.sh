#!/usr/bin/env bash
# Builds the library that makes a program's clock wrong and its disk full (process-faults.c), as the file that is named.
set -euo pipefail
clang="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
[ -x "$clang" ] || clang=cc
exec "$clang" -O1 -Wall -Werror -fPIC -shared -o "$1" "$(dirname "$0")/process-faults.c" -ldl
