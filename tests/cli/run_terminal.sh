#!/usr/bin/env bash
# On a terminal a run redraws one line within the width of the terminal, and restores the terminal at the end.
# ctest: timeout 300
set -euo pipefail

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm, threads: 1}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 40, checkpoint_every: 10}
materials:
  water: {density: 1000}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
fluids:
  - {material: water, shape: box, position: [24 cm, 30 cm, 24 cm], size: [48 cm, 60 cm, 48 cm]}
YAML

# Long enough for a few redraws.
settings=(--set world.spacing=3cm)
if [[ ${DOLLOP_TEST_SCALE:-} == small ]]; then
    settings=(--set run.frames=8)
fi
python3 "$DOLLOP_SOURCE/tests/cli/terminal_check.py" "$DOLLOP" "${settings[@]}"
