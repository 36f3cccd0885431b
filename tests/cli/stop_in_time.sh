#!/usr/bin/env bash
# Ctrl-C and SIGTERM end every command within a second, at whatever it computes: a distance field, a fill, a step, a surface, a picture.
# Nothing half-written remains, and a run is resumable. The bound here is 3 s, for a machine with other work; the times are printed.
# ctest: full timeout 600
set -euo pipefail
set -m # background jobs get SIGINT only under job control

source "$DOLLOP_SOURCE/tests/support/expect.sh"

# Scenes whose stages take far longer than the bound, if nobody interrupts them.
scene() { # NAME SPACING METHOD FLUIDS MORE
    cat > "$1.yaml" <<YAML
world: {spacing: $2, threads: 2}
method: $3
run: {time_step: 1 ms, frame_rate: 1000 fps, frames: 1000, checkpoint_every: 1}
materials: {water: {density: 1000}}
fluids: [$4]
$5
YAML
}
scene field '0.5 mm' pbf '{material: water, shape: box, position: [0, 0, 1], size: [1 cm, 1 cm, 1 cm]}' \
    'meshes: {whisk: {form: whisk, radius: 12 cm, height: 30 cm, thickness: 3 mm, count: 40}}
solids: [{shape: mesh, mesh: whisk}]'
scene fill '1 mm' pbf '{material: water, shape: sphere, radius: 30 cm}' ''
step_spacing='1 cm'
if [[ -n ${DOLLOP_SANITIZED:-} ]]; then step_spacing='1.6 cm'; fi # files are written to their end, and steps are long enough
scene step "$step_spacing" physical '{material: water, shape: box, size: [80 cm, 80 cm, 80 cm]}' ''
sed -i 's/density: 1000}/density: 1000, viscosity: 10}/' step.yaml
scene small '2 cm' pbf '{material: water, shape: box, size: [80 cm, 80 cm, 60 cm]}' ''

now_ms() {
    echo $(($(date +%s%N) / 1000000))
}

# stop SIGNAL NAME READY COMMAND...: start the command, wait until READY succeeds and a little longer, send the signal. Sets `code`.
stop() {
    local signal=$1 name=$2 ready=$3 start milliseconds
    shift 3
    "$@" > stdout.txt 2> messages.txt &
    local process=$!
    for _ in $(seq 400); do
        eval "$ready" > /dev/null 2>&1 && break
        sleep 0.05
    done
    sleep 0.3
    start=$(now_ms)
    kill -"$signal" $process || fail "$name ended before the signal"
    code=0
    wait $process || code=$?
    milliseconds=$(($(now_ms) - start))
    echo "$name: SIG$signal honoured after $milliseconds ms, exit code $code"
    ((milliseconds < 3000)) || fail "$name: $milliseconds ms after SIG$signal"
}

# Nothing but complete files.
expect_whole() {
    [[ -z $(find "$1" -name '*.new' -o -name '*.lock' 2> /dev/null) ]] || fail "left in $1: $(ls "$1")"
}

signals=(INT TERM)
[[ ${DOLLOP_TEST_SCALE:-} == full ]] || signals=(INT)
other() { [[ $1 == INT && ${DOLLOP_TEST_SCALE:-} != full ]] && echo TERM || echo "$1"; } # both occur in a short test

"$DOLLOP" run small.yaml -o frames --quiet --frames ..1
for signal in "${signals[@]}"; do
    rm -rf out meshes pictures
    for name in field fill; do
        stop "$signal" "building a $name" true "$DOLLOP" run $name.yaml -o out
        [[ $code == 5 ]] && grep -q 'interrupted while the scene was being built' messages.txt || fail "$name: $(cat messages.txt)"
        [[ ! -e out/checkpoint.h5 && ! -e out/run.json ]] || fail "$name left $(ls out)"
        expect_whole out
    done
    stop "$(other "$signal")" "check" true "$DOLLOP" check field.yaml
    ((code >= 130)) || fail "check: exit code $code"

    # a long step: given up, and the checkpoint before it is the one to resume from
    rm -rf out
    stop "$(other "$signal")" "a long step" '[[ -e out/run.json ]]' "$DOLLOP" run step.yaml -o out --json
    [[ $code == 5 ]] || fail "a step: exit code $code"
    grep -q 'continue with: dollop run\|start again with: dollop run' messages.txt || fail "how to go on: $(cat messages.txt)"
    tail -n 1 stdout.txt | grep -q '"done": false, .*"exit_code": 5' || fail "no report in JSON: $(tail -n 1 stdout.txt)"
    expect_whole out

    # short steps: a checkpoint is saved, and the resumed run gives the same result
    rm -rf out
    stop "$(other "$signal")" "short steps" '[[ -e out/frame_000001.vtkhdf ]]' "$DOLLOP" run small.yaml -o out
    [[ $code == 5 && -e out/checkpoint.h5 ]] || fail "short steps: exit code $code, $(ls out)"
    expect_whole out
    last=$("$DOLLOP" info out/checkpoint.h5 --json | sed -E 's/.*"step": ([0-9]+).*/\1/')
    [[ $("$DOLLOP" run small.yaml -o out --resume --quiet --hash --frames ..$((last + 1))) == \
        $("$DOLLOP" run small.yaml -o whole --overwrite --quiet --hash --frames ..$((last + 1))) ]] || fail "the resumed run differs"

    stop "$signal" "a surface" true "$DOLLOP" surface frames -o meshes --cell 0.1
    [[ $code == 5 && -z $(ls meshes) ]] || fail "a surface: exit code $code, $(ls meshes)"
    code=0
    "$DOLLOP" render frames/frame_000000.vtkhdf -o probe -s 64x64 -q 2> messages.txt || code=$?
    if [[ $code != 8 ]]; then # pictures can be drawn here
        stop "$(other "$signal")" "a picture" true "$DOLLOP" render frames -o pictures -s 4096x4096 --samples 4
        [[ $code == 5 && ! -e pictures/film.mp4 ]] || fail "a picture: exit code $code, $(ls pictures)"
        expect_whole pictures
    fi
done
[[ $failures == 0 ]]
