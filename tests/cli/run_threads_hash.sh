#!/usr/bin/env bash
# The final state is bitwise identical for any number of threads, SIMD lanes and subdomains.
# ctest: nightly, slow, timeout 900
set -euo pipefail

steps=100 repeats=1
threads=(1 2 3 8 32)
if [[ ${DOLLOP_TEST_SCALE:-} == small ]]; then
    steps=20 repeats=1
fi

# 3,024 particles, 4 steps per frame, few iterations to save time
cat > scene.yaml <<'YAML'
world: {spacing: 3.3 cm}
method: {name: pbf, iterations: 8}
run: {time_step: 5 ms, frame_rate: 50 fps, checkpoint_every: 0}
materials:
  water: {density: 1000}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
fluids:
  - {material: water, shape: box, position: [24 cm, 30 cm, 24 cm], size: [39.6 cm, 59.4 cm, 46.2 cm]}
YAML

# The hash after $steps steps with the given options; only the last frame is written.
hash_with() {
    "$DOLLOP" run scene.yaml -o out --overwrite --quiet --hash --frames $((steps / 4)) "$@"
}

failures=0
expect() {
    local actual
    actual=$(hash_with "$@")
    if [[ $actual != "$reference" ]]; then
        echo "FAILED: $* gives '$actual', not '$reference'"
        failures=$((failures + 1))
    fi
}

reference=$(hash_with --threads 1 --simd 1)
[[ $reference =~ ^hash\ [0-9a-f]{16}$ ]] || { echo "FAILED: not a hash: '$reference'"; exit 1; }
echo "reference: $reference"

widths=()
for width in 1 4 8 16; do
    code=0
    "$DOLLOP" run scene.yaml -o probe --overwrite --quiet --frames 0 --simd "$width" 2> probe.txt || code=$?
    case $code in
    0) widths+=("$width") ;;
    8) echo "this machine does not support $width lanes" ;;
    *) cat probe.txt; exit 1 ;;
    esac
done

for width in "${widths[@]}"; do
    for count in "${threads[@]}"; do
        for ((repeat = 0; repeat < repeats; repeat++)); do
            expect --simd "$width" --threads "$count"
        done
    done
done
for parts in 1 2 4 8; do
    expect --subdomains "$parts" --threads 2
done

[[ $failures == 0 ]] || exit 1
echo "the same for widths ${widths[*]}, threads ${threads[*]}, subdomains 1 2 4 8"
