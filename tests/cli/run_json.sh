#!/usr/bin/env bash
# Output for scripts: every line of --json is an object with all fields. Help pages and the manual page are complete.
# ctest: timeout 300
set -euo pipefail

cat > scene.yaml <<'YAML'
world: {spacing: 5 cm, threads: 1}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 4, checkpoint_every: 2}
materials:
  water: {density: 1000}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
fluids:
  - {material: water, shape: box, position: [25 cm, 30 cm, 25 cm], size: [50 cm, 60 cm, 50 cm]}
emitters:
  - {material: water, position: [90 cm, 30 cm, 60 cm], radius: 10 cm, speed: 1}
YAML

fail() {
    echo "FAILED: $*"
    exit 1
}

# objects FILE FIELD...: every line of the file is a JSON object with these fields
objects() {
    python3 - "$@" <<'PYTHON' || fail "$1"
import json, sys
lines = open(sys.argv[1]).read().splitlines()
assert lines, "no lines"
for line in lines:
    value = json.loads(line, parse_constant=lambda word: sys.exit("not JSON: " + word))
    missing = [field for field in sys.argv[2:] if field not in value]
    assert not missing, f"{missing} missing in {line}"
PYTHON
}

"$DOLLOP" run scene.yaml -o out/json --json > run.jsonl 2> run.txt
[[ ! -s run.txt ]] || { cat run.txt; fail "--json printed to standard error"; }
[[ $(wc -l < run.jsonl) == 6 ]] || fail "expected 5 frames and a summary"
head -n 5 run.jsonl > frames.jsonl
tail -n 1 run.jsonl > end.jsonl
objects frames.jsonl frame time step particles density_error density_worst iterations speed_max kinetic_energy seconds \
    remaining_seconds file
objects end.jsonl done exit_code frames step time particles seconds warnings folder hash
python3 - <<'PYTHON' || fail "values of the frames"
import json, os
frames = [json.loads(line) for line in open("frames.jsonl")]
end = json.loads(open("end.jsonl").read())
assert [f["frame"] for f in frames] == [0, 1, 2, 3, 4]
assert [f["step"] for f in frames] == [0, 5, 10, 15, 20]
assert all(abs(f["time"] - f["frame"] / 40) < 1e-9 for f in frames)
assert all(os.path.exists(f["file"]) for f in frames)
assert frames[-1]["particles"] > frames[0]["particles"] > 1000, "the emitter adds to the block"
assert frames[-1]["remaining_seconds"] == 0 and frames[2]["remaining_seconds"] > 0
assert frames[-1]["kinetic_energy"] > 0 and frames[-1]["iterations"] > 0
assert end["done"] is True and end["exit_code"] == 0 and end["particles"] == frames[-1]["particles"]
PYTHON

# --hash prints one line that matches the summary; --quiet prints nothing else
hash=$(python3 -c 'import json; print("hash", json.load(open("end.jsonl"))["hash"])')
"$DOLLOP" run scene.yaml -o out/quiet --quiet --hash > quiet.txt 2>&1
[[ $(cat quiet.txt) == "$hash" ]] || fail "--quiet --hash: $(cat quiet.txt)"
[[ $("$DOLLOP" run scene.yaml -o out/both --json --hash 2> /dev/null | tail -n 1) == "$hash" ]] || fail "--json --hash"
# one plain line per frame without a terminal
"$DOLLOP" run scene.yaml -o out/plain 2> plain.txt
[[ $(grep -c '^frame [0-4]/4 ' plain.txt) == 5 ]] || fail "plain lines"
grep -q $'\x1b' plain.txt && fail "escape sequences without a terminal"
cmp -s <(grep -o '^frame [0-9/]*' plain.txt) <(grep -o '^frame [0-9/]*' out/plain/run.log) || fail "run.log"

# run.json, info, check, methods, bench
python3 -c 'import json; r = json.load(open("out/plain/run.json")); assert r["state"] == "finished" and r["last_frame"] == 4' ||
    fail "run.json"
"$DOLLOP" info --json out/plain out/plain/frame_*.vtkhdf > info.jsonl
objects info.jsonl file kind version method bytes time step particles spacing lower upper fields
[[ $(wc -l < info.jsonl) == 6 ]] || fail "info of six files"
"$DOLLOP" info out/plain | grep -q 'checkpoint, intact' || fail "info"
"$DOLLOP" check scene.yaml --json > check.jsonl 2> /dev/null
objects check.jsonl particles particles_end memory seconds_per_frame seconds time_step safe_time_step warnings
# a time step that is too long causes a warning; the suggested time step does not
"$DOLLOP" check scene.yaml --set run.time_step=20ms 2> check.txt > /dev/null
grep -q '^warning: the time step of' check.txt || fail "check did not warn"
safe=$("$DOLLOP" check scene.yaml --set run.time_step=20ms 2> /dev/null --json | sed -E 's/.*"safe_time_step": ([^,]*),.*/\1/')
"$DOLLOP" check scene.yaml --set run.time_step="$safe" 2> check.txt > /dev/null
[[ ! -s check.txt ]] || { cat check.txt; fail "check warned about the time step that it suggested"; }
[[ $("$DOLLOP" check scene.yaml 2> /dev/null | grep -c .) -ge 6 ]] || fail "check"
"$DOLLOP" methods --json > methods.jsonl
objects methods.jsonl name summary parameters
"$DOLLOP" methods | grep -q pbf || fail "methods"
"$DOLLOP" methods pbf | grep -q 'iterations' || fail "methods pbf"
if [[ -z ${DOLLOP_SANITIZED:-} ]]; then
    "$DOLLOP" bench --quick --json -o out/bench > bench.jsonl
    cmp bench.jsonl out/bench/bench.jsonl || fail "bench -o writes other figures than --json prints"
    head -n 1 bench.jsonl > machine.jsonl
    tail -n +2 bench.jsonl > figures.jsonl
    objects machine.jsonl case version compiler processor processors threads simd quick date
    objects figures.jsonl case name particles threads simd seconds rate unit
    [[ $(jq -r .case figures.jsonl | cut -d' ' -f1 | sort -u | tr '\n' ' ') == "clay coupled interactive laws links machine memory neighbors playable projections springs stages step tension " ]] ||
        fail "bench cases"
    python3 - <<'PYTHON' || fail "stages of bench"
import json
figures = [json.loads(line) for line in open("figures.jsonl")]
triad = [f["rate"] for f in figures if f["case"] == "stages" and f["name"] == "triad"]
assert len(triad) == 1 and triad[0] > 0, triad
for method, wanted in (("physical", ["physical flux", "physical divergence", "physical right side", "neighbors", "row packing"]),
                       ("pbf", ["density", "density move", "neighbors"])):
    stages = {f["name"]: f for f in figures if f["case"] == "stages of " + method}
    missing = [name for name in wanted if name not in stages]
    assert not missing, missing
    for name, stage in stages.items():
        assert 0 < stage["of_step"] < 1.5 and stage["calls_per_step"] >= 1, stage
        if stage["bytes_per_particle"]:
            reached = stage["bytes_per_particle"] * stage["particles"] / stage["seconds"] / triad[0]
            assert abs(reached / stage["of_bandwidth"] - 1) < 1e-3, stage
# flux: 15 floats of its own (position, search, correction, bulk, stiffness, stabilization), 6 written, two rows (28 B packed,
# 32 B read each), a long row, and at least 8 B for each of 20 to 40 entries
flux = [f for f in figures if f["name"] == "physical flux"][0]
fixed = 4 * 15 + 4 * 6 + 2 * (12 + 16 + 16) + 64
assert fixed + 8 * 20 < flux["bytes_per_particle"] < fixed + 8 * 40, (fixed, flux)
PYTHON
    "$DOLLOP" bench neighbors --quick -n 100 --lanes 4 --json > lanes.jsonl
    [[ $(jq -s 'map(select(.case != "run").simd) | unique == [4]' lanes.jsonl) == true ]] || fail "bench --lanes measures other lanes"
fi

# help
[[ $("$DOLLOP" --version) =~ ^dollop\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "--version"
for command in run check info methods bench help; do
    "$DOLLOP" help $command > help.txt
    "$DOLLOP" $command --help | cmp -s - help.txt || fail "$command --help differs from help $command"
    grep -q '^Usage: dollop '$command help.txt && grep -q '^Examples:' help.txt || fail "help $command"
    awk 'length > 100 { exit 1 }' help.txt || fail "help $command has long lines"
done
for topic in exit-codes output resume environment scene "scene world" "scene --markdown"; do
    # shellcheck disable=SC2086
    [[ $("$DOLLOP" help $topic | wc -l) -ge 5 ]] || fail "help $topic"
done
"$DOLLOP" help scene --schema | python3 -c 'import json, sys; json.load(sys.stdin)' || fail "help scene --schema"
COLUMNS=60 "$DOLLOP" run --help | awk 'NR > 4 && !/^  dollop / && length > 60 { exit 1 }' || fail "COLUMNS"

# the manual page is up to date, and troff accepts it without warnings
"$DOLLOP" help manual | cmp - "$DOLLOP_SOURCE/docs/dollop.1" || fail "docs/dollop.1: regenerate it with 'dollop help manual'"
if command -v groff > /dev/null; then
    groff -man -Tutf8 -ww "$DOLLOP_SOURCE/docs/dollop.1" > manual.txt 2> troff.txt
    [[ ! -s troff.txt ]] || { cat troff.txt; fail "troff warnings"; }
    [[ $(wc -l < manual.txt) -ge 100 ]] || fail "the manual page is short"
fi
echo "all output is as documented"
