#!/usr/bin/env bash
# Pictures have the requested size and the film has all frames, without a display; invalid options are reported.
# ctest: timeout 300
set -euo pipefail
unset DISPLAY WAYLAND_DISPLAY

source "$DOLLOP_SOURCE/tests/support/find_python.sh"
find_python 'import numpy, zlib' 'NumPy'

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm}
method: pbf
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 3}
materials:
  honey: {density: 1400, look: honey}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
fluids:
  - {material: honey, shape: box, position: [25 cm, 30 cm, 25 cm], size: [50 cm, 60 cm, 50 cm]}
cameras:
  - {name: above, position: [0.6, 0.2, 3], target: [0.6, 0.3, 0]}
YAML

fail() { echo "FAILED: $*"; exit 1; }

"$DOLLOP" run scene.yaml -o out --quiet
"$DOLLOP" render out --size 321x181 --quiet
"$DOLLOP" render out/frame_000003.vtkhdf --size 160x90 --camera auto --color velocity -o colored --quiet
"$DOLLOP" render out/frame_000003.vtkhdf --size 160x90 --camera 3,-3,2,0.6,0.3,0.2,25 --particles -o spheres --quiet
"$python" - <<'PY' || fail "the pictures"
import struct, zlib
import numpy as np

def read(path):
    data, at, body, size = open(path, "rb").read(), 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + chunk) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        size = struct.unpack(">II", chunk[:8]) if kind == b"IHDR" else size
        body += chunk if kind == b"IDAT" else b""
        at += 12 + length
    return size, zlib.decompress(body)

for n in range(4):
    size, pixels = read(f"out/picture_{n:06d}.png")
    assert size == (321, 181), size
    assert len(pixels) == 181 * (3 * 321 + 1) and np.frombuffer(pixels, np.uint8).std() > 10
assert read("colored/picture_000003.png")[1] != read("spheres/picture_000003.png")[1]
PY
if command -v ffprobe > /dev/null; then
    frames=$(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 out/film.mp4)
    [[ ${frames%,} == 4 ]] || fail "the film has $frames frames"
fi

expect() # CODE PATTERN ARGUMENT...
{
    local code=0 expected=$1 pattern=$2
    shift 2
    "$DOLLOP" render "$@" 2> error.txt || code=$?
    [[ $code == "$expected" ]] && grep -q -- "$pattern" error.txt || { cat error.txt; fail "exit $code for: render $*"; }
}
[[ ! -e out/film.mp4.new ]] || fail "the temporary file of the film was left"
expect 2 "no field 'speed'; available fields: velocity" out --color speed
expect 2 "camera must be the name of a camera" out --camera below
[[ $(grep -c camera error.txt) == 1 ]] || fail "the error was printed more than once"
expect 2 "1280x720" out --size 3x3
expect 2 "from 0.1 to 1000" out --fps 0
expect 2 "lower one first" out --color velocity --range 3,1
expect 6 "run.json" out/run.json
[[ ! -e out/picture_000004.png ]] || fail "an unexpected picture was written"
