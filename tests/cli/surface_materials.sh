#!/usr/bin/env bash
# Two materials: one mesh with the material as a vertex field, or one mesh per material.
# ctest: timeout 300
set -euo pipefail

source "$DOLLOP_SOURCE/tests/support/find_python.sh"
find_python 'import numpy' 'NumPy'

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 1}
materials:
  air: {density: 1}
  oil: {density: 900}
  water: {density: 1000}
fluids:
  - {material: water, shape: box, position: [20 cm, 20 cm, 20 cm], size: [40 cm, 40 cm, 40 cm]}
  - {material: oil, shape: box, position: [60 cm, 20 cm, 20 cm], size: [40 cm, 40 cm, 40 cm]}
YAML
sed '/material: oil/d' scene.yaml > one.yaml

"$DOLLOP" run scene.yaml -o two --quiet
"$DOLLOP" run one.yaml -o one --quiet
"$DOLLOP" surface two/frame_000000.vtkhdf one/frame_000000.vtkhdf --quiet
"$DOLLOP" surface two/frame_000000.vtkhdf -o listed --quiet --fields density
"$DOLLOP" surface one/frame_000000.vtkhdf -o listed_one --quiet --fields material
"$DOLLOP" surface two/frame_000000.vtkhdf -o separate --separate 2> output.txt
grep -q "separate/surface_m1_000000.ply and 1 more: 2" output.txt || { cat output.txt; echo "FAILED: summary of the written meshes"; exit 1; }
[[ $(cd separate && echo surface*.ply) == "surface_m1_000000.ply surface_m2_000000.ply" ]] ||
    { ls separate; echo "FAILED: one mesh per material with particles"; exit 1; }
"$python" "$DOLLOP_SOURCE/tests/cli/surface_materials_check.py"
