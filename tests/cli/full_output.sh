#!/usr/bin/env bash
# A command whose standard output cannot be written fails with a message, whether the first, a middle or the last write fails.
# ctest: timeout 120
set -euo pipefail

if [[ ! -c /dev/full ]]; then
    echo "there is no /dev/full"
    exit 77
fi
cp "$DOLLOP_SOURCE/tests/support/small_dam.yaml" scene.yaml
printf 'time [s],height [m]\n0,1\n1,2\n' > heights.csv
"$DOLLOP" run scene.yaml -o out --quiet --set run.frames=1

source "$DOLLOP_SOURCE/tests/support/expect.sh"
count=0
to_full() { # WORDS...
    count=$((count + 1))
    expect 7 'cannot write to standard output: No space left on device' bash -c '"$DOLLOP" "$@" > /dev/full' dollop "$@"
}

for words in --version --help help 'help scene' 'help scene world' 'help manual' 'help exit-codes' 'help scenes' 'help run' 'run --help' \
    materials 'materials --json' 'materials honey' 'materials honey --json' methods 'methods --json' 'methods pbf' 'methods pbf --json' \
    'new --list' 'new pot --from pour' 'completion bash' 'completion zsh' 'completion fish' 'check scene.yaml --set run.frames=1' 'check scene.yaml --set run.frames=1 --json' \
    'info out' 'info out --json' 'info out/frame_000000.vtkhdf out' 'run scene.yaml -o again --json --set run.frames=1' \
    'plot heights.csv' 'bench neighbors --quick -n 100 -j 1' 'bench neighbors --quick -n 100 -j 1 --json'; do
    # shellcheck disable=SC2086
    to_full $words
done
if "$DOLLOP" study --list > /dev/null 2>&1; then
    to_full study --list
    to_full study --help
fi

[[ $failures == 0 ]] || exit 1
echo "$count commands reported that standard output is full"
