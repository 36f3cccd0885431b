#!/usr/bin/env bash
# Blender opens the level sets of a run and finds the same surface as our mesh. A build without OpenVDB reports that.
# ctest: timeout 300
set -euo pipefail

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 1}
materials:
  water: {density: 1000}
fluids:
  - {material: water, shape: sphere, position: [1 m, 2 m, 3 m], radius: 40 cm}
YAML

"$DOLLOP" run scene.yaml -o out --quiet
code=0
"$DOLLOP" surface out -f vdb --quiet 2> error.txt || code=$?
if [[ $code == 8 ]]; then
    grep -q "DOLLOP_OPENVDB=ON" error.txt && [[ $(wc -l < error.txt) == 1 ]] || { cat error.txt; echo "FAILED: expected one line with the option to build with OpenVDB"; exit 1; }
    [[ ! -e out/surface_000000.vdb && ! -e out/surface_000000.vdb.part ]] || { echo "FAILED: a partial file was left"; exit 1; }
    echo "skipped: this build does not have OpenVDB, and reports that"
    exit 77
fi
[[ $code == 0 && -s out/surface_000000.vdb && -s out/surface_000001.vdb ]] || { cat error.txt; echo "FAILED: exit $code"; exit 1; }
mkdir again
"$DOLLOP" surface out/frame_000001.vtkhdf -f vdb -o again --quiet --threads 1
cmp out/surface_000001.vdb again/surface_000001.vdb || { echo "FAILED: the output is not reproducible"; exit 1; }

if ! command -v blender > /dev/null; then
    echo "skipped: Blender is not installed"
    exit 77
fi
blender -b --factory-startup --python-exit-code 1 --python "$DOLLOP_SOURCE/tests/cli/surface_vdb_check.py" \
    -- "$PWD/out/surface_000000.vdb" > blender.txt 2>&1 || { cat blender.txt; echo "FAILED: Blender"; exit 1; }
grep "^grid" blender.txt
