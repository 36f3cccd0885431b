#!/usr/bin/env bash
# A run that is killed at random times and resumed each time ends in the same state as an uninterrupted run. So does a run that is
# stopped by Ctrl-C, which saves in the middle of a frame, and a run with a damaged checkpoint.
# ctest: nightly, timeout 600
set -euo pipefail
set -m # background jobs get SIGINT only under job control

kills=50
if [[ ${DOLLOP_TEST_SCALE:-} == small ]]; then
    kills=6
fi
seed=${SEED:-$RANDOM}
RANDOM=$seed
echo "seed $seed (SEED=$seed repeats it)"

# 2,160 particles; 5 steps per frame; a checkpoint after each frame
cat > scene.yaml <<'YAML'
world: {spacing: 4 cm, threads: 1}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 30, checkpoint_every: 1}
materials:
  water: {density: 1000}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
fluids:
  - {material: water, shape: box, position: [24 cm, 30 cm, 24 cm], size: [48 cm, 60 cm, 48 cm]}
YAML

fail() {
    echo "FAILED: $*"
    exit 1
}

sleep_ms() {
    sleep "$(($1 / 1000)).$(printf '%03d' $(($1 % 1000)))"
}

now_ms() {
    echo $(($(date +%s%N) / 1000000))
}

# The step of the latest checkpoint that --resume would use, -1 if there is none.
saved_step() {
    local file
    for file in "$1/checkpoint.h5" "$1/checkpoint_previous.h5"; do
        if [[ -e $file ]]; then
            "$DOLLOP" info "$file" --json | sed -E 's/.*"step": ([0-9]+).*/\1/'
            return
        fi
    done
    echo -1
}

start=$(now_ms)
reference=$("$DOLLOP" run scene.yaml -o whole --quiet --hash)
length=$(($(now_ms) - start))
[[ $reference =~ ^hash\ [0-9a-f]{16}$ ]] || fail "not a hash: '$reference'"
echo "uninterrupted: $reference in $length ms"

# Run and kill until the run completes, then start over, until there were enough kills.
killed=0 rounds=0
while ((killed < kills)); do
    rounds=$((rounds + 1))
    saved=-1
    rm -rf killed
    while true; do
        # Random, so that the run dies at any point of computing or writing.
        wait_ms=$((RANDOM % (length / 2 + 20)))
        "$DOLLOP" run scene.yaml -o killed --quiet --hash --resume > hash.txt 2> messages.txt &
        process=$!
        sleep_ms $wait_ms
        kill -KILL $process 2> /dev/null || true
        code=0
        wait $process 2> /dev/null || code=$?
        if [[ $code == 0 ]]; then
            break
        fi
        [[ $code == 137 ]] || { cat messages.txt; fail "exit code $code after a kill"; }
        killed=$((killed + 1))
        before=$saved
        saved=$(saved_step killed)
        ((saved >= before)) || fail "kill $killed lost the checkpoint of step $before; now there is $saved"
    done
    [[ $(cat hash.txt) == "$reference" ]] || fail "after $killed kills: '$(cat hash.txt)', not '$reference'"
done
echo "$killed kills in $rounds rounds: the same hash each time"
for file in whole/frame_*.vtkhdf; do
    cmp "$file" "killed/${file#whole/}" || fail "a frame differs"
done

# The same with automatic steps, whose number per frame varies.
sed 's/time_step: 5 ms/time_step: auto/' scene.yaml > automatic.yaml
automatic=$("$DOLLOP" run automatic.yaml -o automatic --quiet --hash)
[[ $automatic != "$reference" ]] || fail "automatic steps are fixed ones"
killed=0
while ((killed < kills / 5 + 1)); do
    rm -rf killed
    code=137
    while [[ $code == 137 ]]; do
        "$DOLLOP" run automatic.yaml -o killed --quiet --hash --resume > hash.txt 2> messages.txt &
        process=$!
        sleep_ms $((RANDOM % (length / 2 + 20)))
        kill -KILL $process 2> /dev/null || true
        code=0
        wait $process 2> /dev/null || code=$?
        killed=$((killed + 1))
    done
    [[ $code == 0 ]] || { cat messages.txt; fail "exit code $code with automatic steps"; }
    [[ $(cat hash.txt) == "$automatic" ]] || fail "automatic steps, $killed kills: '$(cat hash.txt)', not '$automatic'"
done
for file in automatic/frame_*.vtkhdf; do
    cmp "$file" "killed/${file#automatic/}" || fail "a frame of automatic steps differs"
done
rm -rf stopped
"$DOLLOP" run automatic.yaml -o stopped > stopped.txt 2>&1 &
process=$!
sleep_ms $((length / 2))
kill -INT $process 2> /dev/null || true
code=0
wait $process || code=$?
[[ $code == 5 || $code == 0 ]] || fail "exit code $code after Ctrl-C with automatic steps"
[[ $("$DOLLOP" run automatic.yaml -o stopped --quiet --hash --resume --threads 2) == "$automatic" ]] || fail "Ctrl-C changed the result of automatic steps"
echo "automatic steps: the same hash after $killed kills and Ctrl-C"

# Ctrl-C: exit code 5, a checkpoint, and the command that resumes the run.
interrupt_mid_frame() {
    local signal=$1 attempt code process step
    for attempt in $(seq 1 40); do
        rm -rf stopped
        "$DOLLOP" run scene.yaml -o stopped > stopped.txt 2>&1 &
        process=$!
        sleep_ms $((RANDOM % (length + 50)))
        kill -"$signal" $process 2> /dev/null || true
        code=0
        wait $process || code=$?
        [[ $code == 5 ]] || continue # too early, or already finished
        step=$(saved_step stopped)
        if ((step % 5 != 0)); then
            echo "$signal at step $step, attempt $attempt"
            return 0
        fi
    done
    fail "$signal never arrived in the middle of a frame"
}
for signal in INT TERM; do
    interrupt_mid_frame $signal
    grep -q 'dollop run scene.yaml -o stopped --resume' stopped.txt || fail "the command to resume was not printed"
    [[ $("$DOLLOP" run scene.yaml -o stopped --quiet --hash --resume) == "$reference" ]] || fail "$signal changed the result"
done

# If the latest checkpoint is damaged or missing, the previous one is used. If both are damaged, it is an error and nothing is deleted.
rm -rf part
"$DOLLOP" run scene.yaml -o part --quiet --frames ..10
cp -r part part2
printf 'damage' | dd of=part/checkpoint.h5 bs=1 seek=4000 conv=notrunc status=none
[[ $("$DOLLOP" run scene.yaml -o part --hash --resume 2> messages.txt) == "$reference" ]] || fail "a damaged checkpoint"
grep -q '^warning:' messages.txt || fail "no warning about the damaged checkpoint"
[[ -e part/checkpoint_damaged.h5 ]] || fail "the damaged checkpoint was deleted"
rm part2/checkpoint.h5
[[ $("$DOLLOP" run scene.yaml -o part2 --hash --resume 2> messages.txt) == "$reference" ]] || fail "a missing checkpoint"
grep -q '^warning:' messages.txt || fail "no warning about the missing checkpoint"
rm -rf part2
"$DOLLOP" run scene.yaml -o part2 --quiet --frames ..10
for file in part2/checkpoint.h5 part2/checkpoint_previous.h5; do
    printf 'damage' | dd of=$file bs=1 seek=4000 conv=notrunc status=none
done
code=0
"$DOLLOP" run scene.yaml -o part2 --quiet --resume 2> messages.txt || code=$?
[[ $code == 6 && -e part2/checkpoint.h5 && -e part2/checkpoint_previous.h5 ]] || fail "two damaged checkpoints: code $code"

# A range of frames, and resuming past the end of the first run.
rm -rf part
"$DOLLOP" run scene.yaml -o part --quiet --frames 8..10
[[ $(cd part && echo frame_*.vtkhdf) == "frame_000008.vtkhdf frame_000009.vtkhdf frame_000010.vtkhdf" ]] || fail "--frames 8..10"
[[ $("$DOLLOP" run scene.yaml -o part --quiet --hash --resume --threads 2) == "$reference" ]] || fail "resume after --frames"
echo "all results are the same as without interruption"
