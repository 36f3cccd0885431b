#!/usr/bin/env bash
# System calls that fail, and kills exactly at a system call: after a kill at any call that changes a file, or an error of it, --resume
# ends in the same state as an uninterrupted run. A full or read-only disk is reported. A checkpoint that cannot be read because of the
# disk or of memory is kept, and the older one is not used in its place. Every few calls; all of them at night.
# ctest: full, timeout 300
set -euo pipefail

[[ -n ${SYSTEM_FAULTS:-} ]] || { echo "skipped: sanitizers intercept the same calls"; exit 77; }
source "$DOLLOP_SOURCE/tests/support/expect.sh"

cp "$DOLLOP_SOURCE/tests/support/small_block.yaml" scene.yaml
run=("$DOLLOP" run scene.yaml --quiet --hash)
with_fault() { # FAULT COMMAND...: see tests/shims/system_faults.c
    SYSTEM_FAULT=$1 LD_PRELOAD=$SYSTEM_FAULTS "${@:2}"
}

reference=$("${run[@]}" -o whole)
"${run[@]}" -o part --frames ..1 > /dev/null
cp -r part again
SYSTEM_FAULT_COUNT=counts with_fault count "${run[@]}" -o counted > /dev/null
read -r calls _ < counts
SYSTEM_FAULT_COUNT=counts with_fault count "${run[@]}" -o again --resume > /dev/null
read -r resume_calls _ < counts
SYSTEM_FAULT_COUNT=counts with_fault memory:0:16384 "${run[@]}" -o again --resume > /dev/null # which only loads
read -r _ reads large < counts
SYSTEM_FAULT_COUNT=counts with_fault memory:0:200 "${run[@]}" -o again --resume > /dev/null
read -r _ _ small < counts
((calls > 100 && resume_calls > 80 && reads > 10 && large > 5 && small > 100)) || fail "too few calls: $calls $resume_calls $reads $large $small"

# resumes FOLDER WHAT: the run in the folder ends like an uninterrupted one, and leaves no temporary file
resumes() {
    local hash
    hash=$("${run[@]}" -o "$1" --resume 2> messages.txt) || { cat messages.txt; fail "$2: --resume fails"; return; }
    [[ $hash == "$reference" ]] || fail "$2: $hash after --resume, not $reference"
    cmp -s "$1/frame_000002.vtkhdf" whole/frame_000002.vtkhdf || fail "$2: a frame differs"
    cmp -s "$1/probe_all.csv" whole/probe_all.csv || fail "$2: the samples of the probe differ"
    [[ -z $(find "$1" -name '*.part' -o -name '*.new') ]] || fail "$2 left $(ls "$1")"
}
# Steps that have no common divisor with the pattern of calls of a file; a random start.
every=23
[[ ${DOLLOP_TEST_SCALE:-} != full ]] || every=1
seed=${SEED:-$RANDOM}
start=$((1 + seed % every))
echo "SEED=$seed repeats it"

kills=0
for ((n = start; n <= calls; n += every)); do
    rm -rf killed
    code=0
    with_fault "kill:$n" "${run[@]}" -o killed > output.txt 2>&1 || code=$?
    [[ $code == 137 ]] || fail "kill at call $n: exit code $code"
    resumes killed "kill at call $n"
    kills=$((kills + 1))
done
for ((n = start; n <= resume_calls; n += every)); do # and in a run that was resumed
    rm -rf killed && cp -r part killed
    with_fault "kill:$n" "${run[@]}" -o killed --resume > output.txt 2>&1 || true
    resumes killed "kill at call $n of a resumed run"
    kills=$((kills + 1))
done

# An error of one call: the run ends with a message, or goes on where the call does not matter, such as removing a file that is missing.
errors=0
for ((n = start; n <= calls; n += 2 * every)); do
    for error in 5 28; do # EIO and ENOSPC
        rm -rf failed
        code=0
        with_fault "fail:$n:$error" "${run[@]}" -o failed > output.txt 2>&1 || code=$?
        case $code in
        0) [[ $(cat output.txt) == *"$reference" ]] || fail "error $error of call $n: $(cat output.txt)" ;;
        4 | 7) grep -q '^error: cannot' output.txt || fail "error $error of call $n has no message" ;;
        *) fail "error $error of call $n: exit code $code" ;;
        esac
        [[ $code == 0 ]] || resumes failed "error $error of call $n"
        errors=$((errors + 1))
    done
done

# a full disk, and one that is read-only
for space in 0 1000 20000 40000; do
    rm -rf full
    expect 7 'No space left on device; free space' with_fault "space:$space" "${run[@]}" -o full
    resumes full "a disk with $space bytes"
done
expect 4 'Read-only file system' with_fault readonly "${run[@]}" -o readonly
expect 4 'Read-only file system' with_fault readonly "${run[@]}" -o part --resume
for command in 'surface part -q' 'plot part'; do
    # shellcheck disable=SC2086
    expect 4 'Read-only file system' with_fault readonly "$DOLLOP" $command
done

# The newest checkpoint cannot be read, or memory runs out: both checkpoints stay as they are.
loads=0
load_with() { # FAULT
    code=0
    rm -rf loaded && cp -r again loaded
    with_fault "$1" timeout -s KILL 30 "${run[@]}" -o loaded --resume > output.txt 2>&1 || code=$?
    loads=$((loads + 1))
    cmp -s again/checkpoint.h5 loaded/checkpoint.h5 || fail "$1: the checkpoint was replaced"
    cmp -s again/checkpoint_previous.h5 loaded/checkpoint_previous.h5 || fail "$1: the previous checkpoint was replaced"
}
expect_load() { # FAULT CODE: or success without what needs that allocation
    load_with "$1"
    [[ $code == "$2" || ($code == 0 && $(cat output.txt) == "$reference") ]] || { cat output.txt; fail "$1: exit code $code, not $2"; }
}
for ((n = 1; n <= reads; n += every == 1 ? 1 : 6)); do
    expect_load "read:$n" 4
done
for ((n = 1; n <= large; n += every == 1 ? 1 : 4)); do
    expect_load "memory:$n:16384" 7
done
for ((n = 50; n <= small; n += every == 1 ? 5 : 201)); do # HDF5 may abort without a small block
    load_with "memory:$n:200"
done

[[ $failures == 0 ]] || exit 1
echo "$kills kills at $((calls + resume_calls)) calls, $errors errors, $loads failed loads: nothing was lost"
