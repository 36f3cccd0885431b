#!/usr/bin/env bash
# System calls that fail on one rank only, in the middle of files that all ranks read or write together: the run ends within seconds and
# says why, the files before are kept, and --resume ends in the same state as an uninterrupted run.
# ctest: full, timeout 600
set -euo pipefail

[[ -n ${SYSTEM_FAULTS:-} ]] || { echo "skipped: sanitizers intercept the same calls"; exit 77; }
source "$DOLLOP_SOURCE/tests/support/expect.sh"

cp "$DOLLOP_SOURCE/tests/support/small_block.yaml" scene.yaml
reference=$("$DOLLOP" run scene.yaml --quiet --hash -o whole)
"$DOLLOP" run scene.yaml --quiet -o part --frames ..1

# with_fault RANK FAULT: resumes a copy of the run over two ranks, one of which has a fault (tests/shims/system_faults.c)
cat > one_rank.sh <<'SH'
if [[ $OMPI_COMM_WORLD_RANK == "$1" ]]; then
    export SYSTEM_FAULT=$2 LD_PRELOAD=$SYSTEM_FAULTS
fi
exec "$DOLLOP" run scene.yaml --quiet --hash -o faulty --resume
SH
with_fault() {
    local code=0 begin=$SECONDS
    rm -rf faulty
    cp -r part faulty
    timeout -k 1 30 mpirun --allow-run-as-root --oversubscribe -n 2 bash one_rank.sh "$1" "$2" > output.txt 2>&1 || code=$?
    [[ $code != 124 ]] || fail "$2 on rank $1: the ranks still run after half a minute"
    [[ $((SECONDS - begin)) -le 20 ]] || fail "$2 on rank $1: the ranks end after $((SECONDS - begin)) s"
    if [[ $code == 0 ]]; then
        [[ $(cat output.txt) == *"$reference"* ]] || fail "$2 on rank $1: ends well, but with another hash: $(cat output.txt)"
        survived=$((survived + 1))
        return
    fi
    grep -qE "error|rank" output.txt || fail "$2 on rank $1 ends with $code and says: $(cat output.txt)"
    failed=$((failed + 1))
    expect 0 "$reference" "$DOLLOP" run scene.yaml --quiet --hash -o faulty --resume
}

every=7
[[ ${DOLLOP_TEST_SCALE:-} != full ]] || every=1
seed=${SEED:-$RANDOM}
start=$((1 + seed % every))
echo "SEED=$seed repeats it"
failed=0 survived=0
for rank in 0 1; do
    for ((n = start; n <= 28; n += every)); do
        with_fault $rank "read:$n"
        with_fault $rank "fail:$n:5" # EIO
    done
    for bytes in 0 4096 12000; do
        with_fault $rank "space:$bytes"
    done
done
echo "$failed faults ended the ranks, $survived did not matter"
[[ $failed -gt 8 ]] || fail "only $failed faults ended the ranks"
[[ $failures == 0 ]]
