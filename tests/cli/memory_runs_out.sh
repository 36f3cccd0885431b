#!/usr/bin/env bash
# Memory runs out at any allocation while the command resumes a run, starts one, and reads and meshes its files. It ends with exit code
# 7, or with 0 if it could do without. Libraries that do not check their own allocations may end the process, but in every case
# the checkpoint is complete and not older than before, and no failure is taken for a damaged file: that would bring back an older
# checkpoint. Nightly runs try more allocations.
# ctest: full
set -euo pipefail

if [[ -n ${DOLLOP_SANITIZED:-} ]]; then
    echo "sanitizers have their own malloc"
    exit 77
fi
runs=4 # of each command and way to fail
if [[ ${DOLLOP_TEST_SCALE:-} == full ]]; then
    runs=250
fi
# HDF5 calls exit() or crashes in some of its functions, libfyaml and ODE do not check all allocations, Embree and TBB end the process
# by an exception. The C library allocates on behalf of these.
unchecked=libhdf5:libfyaml:libode:libembree:libtbb:libstdc++:libc.so:ld-linux

cat > scene.yaml <<'YAML'
world: {spacing: 5 cm, threads: 1}
method: springs
run: {time_step: 5 ms, frame_rate: 200 fps, frames: 3, checkpoint_every: 1}
materials:
  slime: {density: 1000, modulus: 200 Pa, relaxation_time: 100 ms}
meshes:
  wheel: {form: torus, radius: 10 cm, thickness: 6 cm}
solids:
  - {shape: container, position: [20 cm, 20 cm, 20 cm], size: [40 cm, 40 cm, 40 cm]}
  - {shape: mesh, mesh: wheel, position: [20 cm, 20 cm, 24 cm], density: 500}
fluids:
  - {material: slime, shape: box, position: [20 cm, 20 cm, 10 cm], size: [40 cm, 40 cm, 20 cm]}
YAML

source "$DOLLOP_SOURCE/tests/support/expect.sh"

with_failures() { # SETTING... -- COMMAND...
    local settings=()
    while [[ $1 != -- ]]; do
        settings+=("FAILING_MALLOC_$1")
        shift
    done
    env "${settings[@]}" LD_PRELOAD="$FAILING_MALLOC" "${@:2}"
}

# A checkpoint of this scene as it was before, or of a later frame.
is_complete() {
    cmp -s "$1/checkpoint.h5" before/checkpoint.h5 || cmp -s "$1/checkpoint.h5" whole/checkpoint.h5
}

check_result() { # CODE NAME: after a run in `tried`
    if grep -qE 'damaged|previous checkpoint' messages.txt; then
        fail "$2: taken for damage: $(cat messages.txt)"
    elif [[ $1 == 0 ]]; then # without memory for compression it stores plain bytes, so the file may differ
        ! grep '^hash' output.txt | grep -qv "$reference" || fail "$2: $(grep '^hash' output.txt), not $reference"
    elif [[ -e before/checkpoint.h5 ]] && ! is_complete tried; then
        fail "$2: exit code $1, and the checkpoint is another one"
    fi
}

total=0 ended_by_library=0
sweep() { # LIBRARIES WAY COMMAND...: LIBRARIES is a setting such as INSIDE=libhdf5, WAY is AT or FROM
    local libraries=$1 way=$2 allocations code n k
    shift 2
    prepare
    with_failures "$libraries" COUNT=count.txt -- "$@" > /dev/null 2> messages.txt || fail "$*: $(cat messages.txt)"
    allocations=$(cat count.txt)
    for ((n = 0; n < runs; n++)); do
        k=$((1 + (2 * n + 1) * allocations / (2 * runs)))
        prepare
        code=0
        with_failures "$libraries" "$way=$k" -- "$@" > output.txt 2> messages.txt || code=$?
        total=$((total + 1))
        if [[ $code != 0 && $code != 7 ]]; then
            [[ $libraries == INSIDE=* && ($code == 255 || $code -gt 128) ]] || fail "$libraries $way=$k $*: exit code $code"
            ended_by_library=$((ended_by_library + 1))
        fi
        check_result "$code" "$libraries $way=$k $*"
    done
    echo "${libraries/$unchecked/them} $way ${*:2}: $runs of $allocations allocations"
}

prepare() {
    rm -rf tried
    [[ ! -e before ]] || cp -r before tried
}

reference=$("$DOLLOP" run scene.yaml -o whole --quiet --hash)
sweep "OUTSIDE=$unchecked" AT "$DOLLOP" run scene.yaml -o tried --quiet --hash
"$DOLLOP" run scene.yaml -o before --quiet --frames ..2
resume=("$DOLLOP" run scene.yaml -o tried --quiet --hash --resume)
for way in AT FROM; do
    sweep "OUTSIDE=$unchecked" $way "${resume[@]}"
    runs=$((3 * runs)) sweep INSIDE=libhdf5:libz $way "${resume[@]}"
done
sweep INSIDE=libfyaml AT "${resume[@]}"
sweep INSIDE=libhdf5 AT "$DOLLOP" info tried/checkpoint.h5
sweep "OUTSIDE=$unchecked" AT "$DOLLOP" info tried/checkpoint.h5
sweep "OUTSIDE=$unchecked" AT "$DOLLOP" surface tried --quiet
prepare
[[ $("${resume[@]}") == "$reference" ]] || fail "resuming gives another hash"

[[ $failures == 0 ]] || exit 1
echo "$total failed allocations, $ended_by_library ended by a library; no checkpoint was lost"
