#!/usr/bin/env bash
# Exhausted resources (memory, disk space, open files, threads, particles) have one exit code of their own, 7, and a message that says
# what to do.
# ctest: timeout 120
set -euo pipefail

cp "$DOLLOP_SOURCE/tests/support/small_dam.yaml" scene.yaml

source "$DOLLOP_SOURCE/tests/support/expect.sh"
limited() { # LIMIT COMMAND...: LIMIT are the arguments of ulimit, in one word
    # shellcheck disable=SC2086
    (ulimit $1 && exec "${@:2}")
}

expect 0 '  7  a resource is exhausted: memory, disk space' "$DOLLOP" help exit-codes
expect 7 'particles are too many.*use a larger spacing' "$DOLLOP" check scene.yaml --set world.spacing=0.001mm
expect 7 'File too large; raise the limit' limited '-f 8' "$DOLLOP" run scene.yaml -o size
if [[ -z ${DOLLOP_SANITIZED:-} ]]; then # sanitizers reserve terabytes of addresses
    least=3 # open files that the program itself needs to start
    until limited "-n $least" "$DOLLOP" --version > /dev/null 2>&1; do
        least=$((least + 1))
    done
    expect 7 'Too many open files' limited "-n $least" "$DOLLOP" run scene.yaml -o files
    expect 7 'no memory|out of memory' limited '-v 600000' "$DOLLOP" check scene.yaml --set world.spacing=3mm
    expect 7 'cannot start 1024 threads.*use fewer' limited '-v 2000000' "$DOLLOP" check scene.yaml --threads 1024
    "$DOLLOP" run scene.yaml -o frames --quiet
    expect 7 'cannot start 1024 threads' limited '-v 2000000' "$DOLLOP" surface frames -q -t 1024
fi
# a value that the world refuses is an error of the scene, not of the command line
expect 3 'subdomains must be 1, 2, 4 or 8' "$DOLLOP" check scene.yaml --set world.subdomains=3

[[ $failures == 0 ]] || exit 1
echo "all limits were reported"
