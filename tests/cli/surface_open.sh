#!/usr/bin/env bash
# The meshes of a run can be read as PLY by VTK, as OBJ and as GLB, and all give the same closed surface.
# ctest: timeout 300
set -euo pipefail

source "$DOLLOP_SOURCE/tests/support/find_python.sh"
find_python 'from vtkmodules.vtkIOPLY import vtkPLYReader
from vtkmodules.vtkFiltersCore import vtkMassProperties' \
    'VTK'

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 2}
materials:
  water: {density: 1000}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
fluids:
  - {material: water, shape: box, position: [25 cm, 30 cm, 25 cm], size: [50 cm, 60 cm, 50 cm]}
YAML

"$DOLLOP" run scene.yaml -o out --quiet
"$DOLLOP" surface out --quiet --fields all
for format in obj glb ply; do
    "$DOLLOP" surface out/frame_000002.vtkhdf -o meshes --format "$format" --quiet
done
[[ -s out/surface_000000.ply && -s out/surface_000002.ply ]] || { echo "FAILED: one mesh per frame"; exit 1; }
"$python" - <<'PY' || { echo "FAILED: frames in surface.json"; exit 1; }
import json
record = json.load(open("out/surface.json"))
assert [f["number"] for f in record["frames"]] == [0, 1, 2] and abs(record["frame_rate"] - 40) < 1e-6
assert record["frames"][1]["meshes"] == [{"file": "surface_000001.ply", "material": -1}]
assert record["frames"][1]["solids"][0]["shape"] == "container" and record["materials"][0]["name"] == "water"
PY
mkdir many
cp out/frame_000000.vtkhdf many/frame_999999.vtkhdf
cp out/frame_000001.vtkhdf many/frame_1000000.vtkhdf
"$DOLLOP" surface many --quiet
jq -e '[.frames[].number] == [999999, 1000000]' many/surface.json > /dev/null || { echo "FAILED: order of the frames"; exit 1; }
cmp -n 60 out/surface_000002.ply meshes/surface_000002.ply || { echo "FAILED: headers differ"; exit 1; }
"$python" "$DOLLOP_SOURCE/tests/cli/surface_compare.py" meshes/surface_000002 0.15

# Two input folders get a record each; with a common output folder the meshes would overwrite each other
cp -r many other
rm other/surface* many/surface*
"$DOLLOP" surface many other --quiet
for folder in many other; do
    jq -e '[.frames[] | .meshes | length] == [1, 1]' "$folder/surface.json" > /dev/null || { echo "FAILED: the record of $folder"; exit 1; }
done
code=0
"$DOLLOP" surface many other -o both 2> error.txt || code=$?
[[ $code == 2 ]] && grep -q "overwrite each other" error.txt || { cat error.txt; echo "FAILED: exit $code for two frames of the same name"; exit 1; }

# Errors name the file and have their own exit codes
code=0
"$DOLLOP" surface out/run.json 2> error.txt || code=$?
[[ $code == 6 ]] && grep -q run.json error.txt || { cat error.txt; echo "FAILED: exit $code for a file that is not a frame"; exit 1; }
code=0
"$DOLLOP" surface out/checkpoint.h5 2> error.txt || code=$?
[[ $code == 6 ]] && grep -q "not a frame" error.txt || { cat error.txt; echo "FAILED: exit $code for a checkpoint"; exit 1; }
code=0
"$DOLLOP" surface out --cell 100 2> error.txt || code=$?
[[ $code == 2 ]] && grep -q -- "--cell must be a number from" error.txt || { cat error.txt; echo "FAILED: exit $code for --cell 100"; exit 1; }
code=0
mkdir empty
"$DOLLOP" surface empty 2> error.txt || code=$?
[[ $code == 4 ]] && grep -q "no frames" error.txt || { cat error.txt; echo "FAILED: exit $code for an empty folder"; exit 1; }
