#!/usr/bin/env bash
# Fluids of two materials: one mesh that tells them apart at its vertices, or a mesh for each.
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
"$DOLLOP" surface two/frame_000000.vtkhdf -o asked --quiet --fields density
"$DOLLOP" surface one/frame_000000.vtkhdf -o asked_one --quiet --fields material
"$DOLLOP" surface two/frame_000000.vtkhdf -o apart --separate 2> said.txt
grep -q "apart/surface_m1_000000.ply and 1 more: 2" said.txt || { cat said.txt; echo "FAILED: what was made is said"; exit 1; }
[[ $(cd apart && echo surface*.ply) == "surface_m1_000000.ply surface_m2_000000.ply" ]] ||
    { ls apart; echo "FAILED: a mesh for each material that has particles"; exit 1; }
"$python" "$DOLLOP_SOURCE/tests/cli/surface_materials_check.py"
