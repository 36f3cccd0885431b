#!/usr/bin/env bash
# Progress of `dollop render`: a bar and the remaining time on a terminal, plain lines elsewhere, nothing with --quiet; Ctrl-C leaves
# whole files; the floor of a film does not move with a solid; -j, its former spelling -t, --device and --verbose.
# ctest: timeout 300
set -euo pipefail
unset DISPLAY WAYLAND_DISPLAY

source "$DOLLOP_SOURCE/tests/support/find_python.sh"
find_python 'import pty, zlib' 'the modules pty and zlib'

fail() { echo "FAILED: $*"; exit 1; }

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm}
method: pbf
run: {time_step: 5 ms, frame_rate: 20 fps, frames: 5}
materials:
  honey: {density: 1400, look: honey}
solids:
  - {shape: box, position: [30 cm, 0, -10 cm], size: [6 cm, 160 cm, 6 cm], velocity: [0, 0, -1], friction: 1}   # a rod that sinks
fluids:
  - {material: honey, shape: box, position: [0, 0, 25 cm], size: [20 cm, 20 cm, 20 cm]}
YAML
"$DOLLOP" run scene.yaml -o out --quiet

# plain lines, with a count and the remaining time; standard output stays empty
"$DOLLOP" render out -s 160x90 -j 1 2> lines.txt > stdout.txt
[[ ! -s stdout.txt ]] || fail "standard output is not empty"
grep -q "out/picture_000001.png  (2 of 6, .* left)" lines.txt && grep -q "out/picture_000005.png  (6 of 6)" lines.txt ||
    { cat lines.txt; fail "the lines of progress"; }
grep -q $'\r' lines.txt && fail "a bar without a terminal"
"$DOLLOP" render out -s 160x90 --quiet --no-film 2> quiet.txt
[[ ! -s quiet.txt ]] || { cat quiet.txt; fail "--quiet is not quiet"; }

# options of the machine
"$DOLLOP" render out/frame_000000.vtkhdf -s 160x90 -t 1 --device cpu -v -o one 2> former.txt
grep -q -- "-t is now -j" former.txt || { cat former.txt; fail "the note about -t"; }
grep -q "drawing with software: " former.txt && grep -q "picture_000000.png  read .* s, surface .* s, draw .* s" former.txt ||
    { cat former.txt; fail "--verbose"; }
"$DOLLOP" surface out/frame_000000.vtkhdf -t 1 -o one 2> former.txt
grep -q -- "-t is now -j" former.txt || fail "the note about -t of surface"
"$DOLLOP" render --help | grep -q -- "-j, --threads" || fail "-j in the help"
"$DOLLOP" render --help | grep -q -- "-t, " && fail "-t in the help"
code=0
"$DOLLOP" render out --device quantum 2> error.txt || code=$?
[[ $code == 2 ]] && grep -q "valid values: auto, gpu, cpu" error.txt || fail "an invalid device"

"$python" - "$DOLLOP" <<'PY'
import os, pty, shutil, struct, sys, zlib

def pixels(path):
    data, at, body = open(path, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + chunk) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], path
        if kind == b"IHDR":
            width, height = struct.unpack(">II", chunk[:8])
        body += chunk if kind == b"IDAT" else b""
        at += 12 + length
    raw, rows = zlib.decompress(body), []
    for y in range(height):
        row = bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        assert raw[y * (3 * width + 1)] == 1, "the filter that dollop uses"
        for x in range(3, len(row)):
            row[x] = row[x] + row[x - 3] & 255
        rows.append(row)
    return rows

def on_terminal(words, interrupt_after=None):
    """Run dollop on a terminal; send Ctrl-C once the file exists. Returns the exit code and the output."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.execv(words[0], words)
    output, sent = b"", False
    while True:
        if interrupt_after and not sent and os.path.exists(interrupt_after):
            os.write(terminal, b"\x03")
            sent = True
        try:
            output += os.read(terminal, 4096)
        except OSError:
            break
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), output.decode()

code, text = on_terminal([sys.argv[1], "render", "out", "-s", "160x90", "-o", "bar"])
assert code == 0, (code, text)
assert "[" in text and "#" in text and "frame 3 of 6" in text and "left" in text, text
assert "6 of 6 frames rendered in" in text and "picture_000003.png" not in text, text

code, text = on_terminal([sys.argv[1], "render", "out", "-s", "1280x720", "-o", "stopped"], "stopped/picture_000000.png")
files = sorted(os.listdir("stopped"))
assert code == 5, (code, text)
assert "interrupted" in text and "run the same command again" in text, text
pictures = [f for f in files if f.startswith("picture_") and f.endswith(".png")]
# a picture that takes longer than half a second is given up where it is, under its temporary name
assert 1 <= len(pictures) < 6 and all(f.endswith((".png", ".mp4", ".lock", ".part")) for f in files), files
for picture in pictures:
    assert len(pixels("stopped/" + picture)) == 720
shutil.copytree("stopped", "again")
open("again/picture_000003.png.part", "wb").close()
code, text = on_terminal([sys.argv[1], "render", "out", "-s", "160x90", "-o", "again"])
assert code == 0 and not any(f.endswith(".part") for f in os.listdir("again")), (code, text, os.listdir("again"))

# the floor fades into the backdrop at the same height in all frames: the left edge does not change
edges = [[row[:30] for row in pixels(f"out/picture_{n:06d}.png")] for n in range(6)]
spread = max(max(values) - min(values) for rows in zip(*edges) for values in zip(*rows))
assert spread <= 2, f"the floor changes by {spread} during the film"
PY
if command -v ffprobe > /dev/null && [[ -e stopped/film.mp4 ]]; then # none if the picture took longer than half a second
    ffprobe -v error stopped/film.mp4 || fail "the film of an interrupted run is not whole"
fi
