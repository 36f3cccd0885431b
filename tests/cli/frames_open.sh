#!/usr/bin/env bash
# VTK (the reader of ParaView) and h5py open frames and read the same values as in the CSV export.
# ctest: timeout 300
set -euo pipefail

source "$DOLLOP_SOURCE/tests/support/find_python.sh"
find_python 'import h5py, numpy
from vtkmodules.vtkIOHDF import vtkHDFReader' \
    'h5py and VTK with its HDF reader'

cat > scene.yaml <<'YAML'
world: {spacing: 5 cm}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 4}
materials:
  oil: {density: 900}
  water: {density: 1000}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
fluids:
  - {material: water, shape: box, position: [25 cm, 30 cm, 25 cm], size: [50 cm, 60 cm, 50 cm]}
emitters:
  - {material: oil, position: [90 cm, 30 cm, 60 cm], radius: 10 cm, speed: 1}
YAML

"$DOLLOP" run scene.yaml -o out --quiet --export csv --export ply
"$python" "$DOLLOP_SOURCE/tests/cli/frames_compare.py" out/frame_*.vtkhdf
"$DOLLOP" run scene.yaml -o parts --quiet --subdomains 4 --export csv --export ply
"$python" "$DOLLOP_SOURCE/tests/cli/frames_compare.py" parts/frame_*.vtkhdf
