#!/usr/bin/env bash
# Runs a command with a temporary folder of its own, and another in memory (CARILLON_MEMORY_FOLDER) for files that would
# otherwise wait for a disk. Both go when the command has ended, failed or been interrupted: tests make hundreds of folders, and
# one that is killed removes none of its own.
set -uo pipefail

folder=$(mktemp -d "${TMPDIR:-/tmp}/carillon-run.XXXXXX")
memory=$(mktemp -d /dev/shm/carillon-run.XXXXXX 2>/dev/null) || memory=$folder
# A second signal does not end what removes them.
trap 'trap "" INT TERM; rm -rf "$folder" "$memory"' EXIT
# As /tmp is: the PostgreSQL of the tests runs as another user.
chmod 1777 "$folder"
trap 'trap "" INT TERM; exit 130' INT
trap 'trap "" INT TERM; exit 143' TERM
TMPDIR=$folder CARILLON_MEMORY_FOLDER=$memory "$@"
