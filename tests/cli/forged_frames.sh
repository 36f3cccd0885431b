#!/usr/bin/env bash
# Frames with a valid checksum in which one array or attribute is missing, NaN, zero or huge: `info`, `surface` and `render` print an
# error or give a result, and never crash or hang. Every seventh of them; all at night.
# ctest: full, timeout 300
set -euo pipefail

source "$DOLLOP_SOURCE/tests/support/expect.sh"
unset DISPLAY WAYLAND_DISPLAY

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > model.obj
cat > scene.yaml <<'YAML'
world: {spacing: 10 cm, threads: 1}
method: pbf
run: {time_step: 5 ms, frame_rate: 100 fps, frames: 1}
materials: {water: {density: 1000, color: [0, 0, 1]}, syrup: {density: 1300}}
meshes: {model: {file: model.obj, scale: 0.3}}
solids:
  - {shape: box, size: [1, 1, 0.1], position: [0, 0, -0.5], rotation: [0.1, 0.2, 0]}
  - {shape: mesh, mesh: model, position: [0.3, 0, 0]}
fluids:
  - {material: water, shape: box, size: [30 cm, 30 cm, 30 cm]}
  - {material: syrup, shape: box, size: [20 cm, 20 cm, 20 cm], position: [0.5, 0, 0]}
cameras: {front: {position: [2, 0, 0.5], target: [0, 0, 0]}}
YAML
"$DOLLOP" run scene.yaml -o good -q --fields shear_rate
mkdir forged meshes pictures
every=7
case ${DOLLOP_TEST_SCALE:-} in
full) every=1 ;;
small) every=13 ;;
esac
forged=$("$FORGE_FRAMES" good/frame_000001.vtkhdf forged "$every")
((forged > 500 / every)) || fail "only $forged frames"

# ends CODES COMMAND...: the command ends with one of the codes; those above 128 are crashes
ends() {
    local code=0 codes=$1
    shift
    timeout -s KILL 120 "$@" > output.txt 2>&1 || code=$?
    [[ " $codes " == *" $code "* ]] || { tail -5 output.txt; fail "exit code $code: $*"; }
    ! grep -qE 'AddressSanitizer|runtime error:|LeakSanitizer' output.txt || { cat output.txt; fail "a sanitizer reports: $*"; }
}
ends 6 "$DOLLOP" info forged/*.vtkhdf
refused=$(grep -c '^error: ' output.txt)
((refused > 0 && refused < forged)) || fail "info refuses $refused of $forged frames"
ends '6 7' "$DOLLOP" surface forged -o meshes -j 1
meshed=$(find meshes -name '*.ply' | wc -l)
((meshed > 0)) || fail "no frame was meshed"

# A damaged frame stops a film before its first picture, so only those that have a mesh are rendered.
list=()
for mesh in meshes/*.ply; do
    number=${mesh##*_}
    list+=("forged/frame_${number%.ply}.vtkhdf")
done
ends '0 3 6 7 8' "$DOLLOP" render "${list[@]}" -o pictures -s 32x32 --no-film -j 1
ends '0 3 6 7 8' "$DOLLOP" render "${list[@]}" -o pictures -s 32x32 --no-film --particles --camera auto -j 1
ends '6 7 8' "$DOLLOP" render forged -o pictures -s 32x32 -j 1 # and together

[[ $failures == 0 ]] || exit 1
echo "$forged forged frames: $refused refused by info, $meshed meshed, $(find pictures -name '*.png' | wc -l) rendered"
