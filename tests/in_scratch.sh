#!/usr/bin/env bash
# in_scratch.sh DIRECTORY COMMAND...: runs the command in that directory, emptied first; what it leaves can be looked at.
set -euo pipefail
rm -rf "$1"
mkdir -p "$1"
cd "$1"
shift
exec "$@"
