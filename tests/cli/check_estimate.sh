#!/usr/bin/env bash
# The run time that `check` predicts for a scene that starts empty and is filled by an emitter is right within a factor of 3, and
# check itself takes seconds. The first steps alone, almost without particles, predict a tenth.
# ctest: serial
# ctest: nightly, timeout 300
set -euo pipefail
[[ -z ${DOLLOP_SANITIZED:-} ]] || exit 77 # ten times slower, and nothing new to find

cat > scene.yaml <<'YAML'
world: {spacing: 4 mm, threads: 1}
method: physical
run: {time_step: auto, frame_rate: 25 fps, frames: 30}
materials:
  oil: {density: 970, viscosity: 3 Pa.s}
emitters:
  - {material: oil, nozzle: disc, position: [0, 0, 12 cm], direction: [0, 0, -1], radius: 12 mm, speed: 0.4}
solids:
  - {shape: plane, friction: 1}
YAML

fail() {
    echo "FAILED: $*"
    exit 1
}

cat > compare.py <<'PYTHON'
import json
check = json.loads(open("check.jsonl").read().splitlines()[-1])
frames = [json.loads(line) for line in open("run.jsonl")]
run = frames.pop()
particles = check["particles_end"] / run["particles"]
seconds = check["seconds"] / run["seconds"]
print(f"predicted {check['seconds']:.1f} s, took {run['seconds']:.1f} s; rehearsals {check['rehearsals']}")
assert check["measured_steps"] > 3 and check["rehearsals"], "the scene was not rehearsed"
assert 0.8 < particles < 1.25, f"particles: {particles:.2f} times the actual number"
assert 1 / 3 < seconds < 3, f"seconds: {seconds:.2f} times the actual time"
# the remaining time in the middle of the run
middle = len(frames) // 2
left = sum(frame["seconds"] for frame in frames[middle + 1:])
print(f"remaining at half the frames: predicted {frames[middle]['remaining_seconds']:.1f} s, took {left:.1f} s")
assert 1 / 5 < frames[middle]["remaining_seconds"] / left < 5, "remaining_seconds" # the load may change in between
PYTHON

compare() {
    local start=$SECONDS
    "$DOLLOP" check scene.yaml --json > check.jsonl
    # about 6 s; a loaded machine may take twice that
    ((SECONDS - start <= 12)) || fail "check took $((SECONDS - start)) s"
    "$DOLLOP" run scene.yaml --json -o out --overwrite > run.jsonl
    python3 compare.py
}

# The load of the machine may change between both; not three times in a row.
compare || compare || compare || fail "the estimate is wrong"
