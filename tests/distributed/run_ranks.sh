#!/usr/bin/env bash
# `dollop run` and `surface` over several processes: the same hash and meshes as alone, also after a stop that was asked for,
# after kills of a random rank, and resumed with other numbers of ranks. Kills end all ranks within seconds.
# ctest: full, timeout 600
set -euo pipefail
source "$DOLLOP_SOURCE/tests/support/expect.sh"
set -m # background jobs get signals only under job control

kills=2
if [[ ${DOLLOP_TEST_SCALE:-} == full ]]; then
    kills=20
fi
seed=${SEED:-$RANDOM}
RANDOM=$seed
echo "seed $seed (SEED=$seed repeats it)"

cat > scene.yaml <<'YAML'
world: {spacing: 2 cm, threads: 1}
run: {time_step: 2 ms, frame_rate: 100 fps, frames: 12, checkpoint_every: 1}
materials:
  syrup: {density: 1000, viscosity: 5}
solids:
  - {shape: plane}
fluids:
  - {material: syrup, shape: box, position: [0, 0, 16 cm], size: [24 cm, 24 cm, 32 cm]}
YAML

"$DOLLOP" run scene.yaml -o alone -q --hash > alone.txt
expect 0 "$(cat alone.txt)" "$DOLLOP" run scene.yaml -o two --hash --ranks 2
expect 0 "$(cat alone.txt)" "$DOLLOP" run scene.yaml -o three --hash --ranks 3
expect 0 "$(cat alone.txt)" mpirun --allow-run-as-root --oversubscribe -n 2 "$DOLLOP" run scene.yaml -o started --hash
"$DOLLOP" info two/frame_000003.vtkhdf > two.txt
grep -q "2,304" two.txt || fail "info does not count the particles of a frame of two ranks: $(cat two.txt)"

# Meshes of frames that ranks share: the same files, and errors of all ranks.
"$DOLLOP" surface alone -q -o meshed_alone
"$DOLLOP" surface alone -q -o meshed --ranks 3
diff -r meshed_alone meshed || fail "three ranks write other meshes than one process"
cp two/frame_000005.vtkhdf kept.vtkhdf
head -c 5000 kept.vtkhdf > two/frame_000005.vtkhdf
code=0
"$DOLLOP" surface two -o meshed --ranks 2 > broken.txt 2>&1 || code=$?
[[ $code == 6 ]] || fail "a broken frame of the second rank ends 'surface' with $code, not 6"
grep -q "mpirun" broken.txt && fail "lines of mpirun are beside those of dollop: $(cat broken.txt)"
grep -q "frame_000005" broken.txt || fail "a broken frame of the second rank is not named: $(cat broken.txt)"
[[ -e meshed/surface_000012.ply ]] || fail "frames after a broken one are not meshed"
mv kept.vtkhdf two/frame_000005.vtkhdf

# Stopped, and resumed alone.
"$DOLLOP" run scene.yaml -o stopped --ranks 2 > stopped.txt 2>&1 &
until [[ -e stopped/frame_000002.vtkhdf ]]; do sleep 0.05; done
kill -INT $!
code=0
wait $! || code=$?
[[ $code == 5 ]] || fail "a stopped run ends with $code, not 5"
grep -q "interrupted at frame .*; continue with" stopped.txt || fail "a stopped run says: $(cat stopped.txt)"
expect 0 "$(cat alone.txt)" "$DOLLOP" run scene.yaml -o stopped --resume --hash

# Killed at random times, and resumed with another number of ranks each time; a run that comes to its end begins anew.
killed=0
while [[ $killed -lt $kills ]]; do
    ranks=$((2 + RANDOM % 3))
    "$DOLLOP" run scene.yaml -o killed --resume --ranks $ranks --hash > killed.txt 2>&1 &
    process=$!
    sleep "$((1 + RANDOM % 3)).$((RANDOM % 10))"
    mapfile -t found < <(pgrep -f -- "^$DOLLOP run scene.yaml -o killed --resume --hash\$" || true)
    number=0
    if [[ ${#found[@]} -gt 0 ]] && kill -KILL "${found[RANDOM % ${#found[@]}]}" 2>/dev/null; then
        number=1
    fi
    begin=$SECONDS code=0
    wait $process || code=$?
    [[ $((SECONDS - begin)) -le 30 ]] || fail "$((SECONDS - begin)) s after the kill of a rank the others still run"
    if [[ $code == 0 ]]; then # it was at its end
        grep -q "$(cat alone.txt)" killed.txt || fail "a run that was killed $killed times ends with another hash: $(cat killed.txt)"
        rm -rf killed
    else
        grep -qE "a rank was killed( after step [0-9]*)?, which ended the others" killed.txt || fail "a kill is not explained: $(cat killed.txt)"
        killed=$((killed + number))
    fi
done
echo "killed a rank $killed times"
expect 0 "$(cat alone.txt)" "$DOLLOP" run scene.yaml -o killed --resume --hash --ranks 2
[[ $failures == 0 ]]
