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
"$python" "$DOLLOP_SOURCE/tests/cli/frames_compare.py" "" out/frame_*.vtkhdf
"$DOLLOP" run scene.yaml -o parts --quiet --subdomains 4 --export csv --export ply
"$python" "$DOLLOP_SOURCE/tests/cli/frames_compare.py" "" parts/frame_*.vtkhdf

# derived fields, from the option and from the scene, and after a resume
sed -e 's/method: pbf/method: physical/' -e 's/density: 900/density: 900, viscosity: 5 Pa.s/' \
    -e 's/density: 1000/density: 1000, viscosity: 2 Pa.s/' -e 's/frames: 4/frames: 4, checkpoint_every: 1/' \
    scene.yaml > viscous.yaml
sed 's/frames: 4/frames: 4, fields: [stress, shear_rate, viscosity]/' viscous.yaml > fields.yaml
"$DOLLOP" run viscous.yaml -o derived --quiet --export csv --export ply --fields viscosity,stress,shear_rate --hash > hash.txt
"$python" "$DOLLOP_SOURCE/tests/cli/frames_compare.py" stress,shear_rate,viscosity derived/frame_*.vtkhdf
"$DOLLOP" run viscous.yaml -o plain --quiet --hash | cmp - hash.txt # fields do not change the run
"$DOLLOP" run fields.yaml -o resumed --quiet --frames ..2
"$DOLLOP" run fields.yaml -o resumed --quiet --resume --subdomains 2
for frame in 2 4; do
    "$DOLLOP" info --json resumed/frame_00000$frame.vtkhdf > info.json
    grep -q 'shear_rate stress velocity viscosity' info.json
done
"$python" -c '
import h5py, numpy
one, two = (h5py.File(f"{name}/frame_000004.vtkhdf")["VTKHDF/PointData"] for name in ("derived", "resumed"))
for name in ("stress", "shear_rate", "viscosity"):
    assert numpy.array_equal(one[name][...][numpy.argsort(one["id"])], two[name][...][numpy.argsort(two["id"])]), name'
if "$DOLLOP" info plain/frame_000004.vtkhdf | grep -q stress; then
    echo "fields that nobody asked for" >&2
    exit 1
fi
code=0
"$DOLLOP" run scene.yaml -o refused --quiet --fields stress 2> refused.txt || code=$?
test $code = 3
grep -q 'run.fields.*method pbf has no field stress' refused.txt
test ! -e refused/frame_000000.vtkhdf
code=0
"$DOLLOP" run scene.yaml -o refused --quiet --fields shear_rte 2> refused.txt || code=$?
test $code = 3
grep -q "did you mean 'shear_rate'" refused.txt
