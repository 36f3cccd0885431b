#!/usr/bin/env bash
# Blender imports a run with looks, solids and motion, rejects damaged files with one line, and renders a picture.
# ctest: timeout 300
set -euo pipefail

command -v blender > /dev/null || { echo "skipped: Blender is not installed"; exit 77; }
version=$(blender --version | sed -n 's/^Blender \([0-9.]*\).*/\1/p')
[[ $(printf '%s\n' 3.4 "$version" | sort -V | head -1) == 3.4 ]] ||
    { echo "skipped: Blender $version is older than 3.4"; exit 77; }

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 3}
materials:
  water: {density: 1000}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
  - {shape: box, position: [100 cm, 30 cm, 60 cm], size: [5 cm, 20 cm, 20 cm], velocity: [0, 0, -1], spin: [0, 0, 30 rpm]}
fluids:
  - {material: water, shape: box, position: [25 cm, 30 cm, 25 cm], size: [50 cm, 60 cm, 50 cm]}
YAML

"$DOLLOP" run scene.yaml -o out --quiet
"$DOLLOP" surface out --quiet --fields velocity,density
"$DOLLOP" surface out/frame_000003.vtkhdf -o meshes --format obj --quiet

here=$DOLLOP_SOURCE/tests/cli
blender -b --factory-startup --python-exit-code 1 -P "$here/blender_check.py" -- out meshes/surface_000003.obj > check.txt 2>&1 ||
    { cat check.txt; echo "FAILED: inside Blender"; exit 1; }
grep -q "all is well" check.txt || { cat check.txt; echo "FAILED: the checks did not finish"; exit 1; }

render()
{
    blender -b -P "$DOLLOP_SOURCE/blender/render.py" -- "$@" > render.txt 2> error.txt
}

render out --frames 2-3 --size 64x36 --samples 4 --motion-blur -o pictures || { cat error.txt; echo "FAILED: rendering"; exit 1; }
grep -q "frame 3, 2 of 2" render.txt || { cat render.txt; echo "FAILED: one line per frame"; exit 1; }
if command -v ffmpeg > /dev/null; then
    [[ -s pictures/render.mp4 ]] || { cat error.txt; echo "FAILED: a film of two frames"; exit 1; }
fi
blender -b --factory-startup --python-exit-code 1 --python-expr '
import bpy, numpy, os
picture = bpy.data.images.load(os.path.abspath("pictures/render_000003.png"))
assert tuple(picture.size) == (64, 36), tuple(picture.size)
pixels = numpy.array(picture.pixels[:]).reshape(-1, 4)[:, :3]
assert pixels.std() > 0.02 and 0.1 < pixels.mean() < 0.95, (pixels.mean(), pixels.std())
' > picture.txt 2>&1 || { cat picture.txt; echo "FAILED: the picture is blank"; exit 1; }

# Errors are one line with an exit code
rejects()
{
    local text=$1 code=0
    shift
    render "$@" || code=$?
    [[ $code != 0 && $(wc -l < error.txt) == 1 ]] && grep -q -- "$text" error.txt ||
        { cat error.txt; echo "FAILED: exit $code, expected '$text'"; exit 1; }
}
rejects "nowhere/surface.json: there is no such file" nowhere
rejects "none of the requested ones" out --frames 7
head -c 5000 out/surface_000001.ply > short.ply && cp short.ply out/surface_000001.ply
rejects "surface_000001.ply: cut short" out --frames 1 --size 64x36 --samples 1 -o pictures
