#!/usr/bin/env bash
# No text from outside (names of files and options, scenes, meshes, tables) reaches the terminal with control characters, characters that
# change the direction of text, or invalid UTF-8; and JSON stays JSON.
# ctest: timeout 120
set -euo pipefail

cp "$DOLLOP_SOURCE/tests/support/small_dam.yaml" scene.yaml
failures=0
count=0

# show WORDS...: keep what the command prints, whatever it returns
show() {
    count=$((count + 1))
    mkdir -p shown
    printf '%s' "$*" > "shown/$count.words"
    "$DOLLOP" "$@" > "shown/$count.out" 2> "shown/$count.err" < /dev/null || true
}

esc=$'\x1b[31m' over=$'\xe2\x80\xae' isolate=$'\xe2\x81\xa6' mark=$'\xd8\x9c' nel=$'\xc2\x85' bad=$'\xff\xfe'
hostile="a${esc}${over}${isolate}${mark}${nel}${bad}"$'\r\x07z'

# as words of the command line
show "$hostile"
show help "$hostile"
show help scene "$hostile"
show materials "$hostile"
show materials "$hostile" --json
show methods "$hostile"
show methods "$hostile" --json
show completion "$hostile"
show new "$hostile" --from "$hostile"
show new scene --from pour --material "$hostile"
show check scene.yaml "--$hostile"
show check scene.yaml --threads "$hostile"
show check scene.yaml --method "$hostile"
show check scene.yaml --draft="$hostile"
show check scene.yaml --set "$hostile"
show check scene.yaml --set "run.frames=$hostile"
show check scene.yaml --set "materials.$hostile.density=$hostile" --json
show run scene.yaml --frames "$hostile"
show bench "$hostile"
show study "$hostile"

# as names of files and folders
show check "$hostile.yaml"
show check "$hostile.yaml" --json
show info "$hostile"
show info "$hostile" --json
show plot "$hostile.csv"
show render "$hostile"
show surface "$hostile"
cp scene.yaml "$hostile.yaml"
show check "$hostile.yaml" --set run.frames=1
show check "$hostile.yaml" --set run.frames=1 --json
show run "$hostile.yaml" --set run.frames=1
show run "$hostile.yaml" --set run.frames=1
show run "$hostile.yaml" --set run.frames=2 --json --overwrite -o "$hostile"
show info "$hostile"
show info "$hostile" --json
show surface "$hostile"
show new "$hostile" --from pour
show new "new$hostile" --from pour
printf 'time [s],height [m]\n0,1\n1,2\n' > "$hostile.csv"
show plot "$hostile.csv"
! grep -qP '\x1b|\xe2\x80\xae' "$hostile/run.log" || { echo "FAILED: run.log"; failures=$((failures + 1)); }

# as content
printf 'time [s],%s [m]\n0,%s\n1,2\n' "$hostile" "$hostile" > table.csv
show plot table.csv
show plot table.csv --columns "$hostile"
for text in "$hostile" "$esc" "$over" "$nel" "$bad" "\"\\u202e\"" "\"\\e[2J\""; do
    printf 'run: {frames: 1}\nmaterials: {%s: {density: 1}}\n' "$text" > content.yaml
    show check content.yaml --json
    printf 'include: [%s]\n' "$text" > content.yaml
    show check content.yaml
done
for ending in ply obj stl; do
    printf '%s\n%s\n' "$hostile" "v $hostile" > "part.$ending"
    printf 'ply\nformat %s 1.0\nelement %s 3\n' "$hostile" "$hostile" > part.ply
    cp "part.$ending" "$hostile.$ending"
    for file in "part.$ending" "$hostile.$ending"; do
        show check scene.yaml --set "meshes={m: {file: $file}}" --json
    done
done

python3 - "$count" << 'PYTHON' || failures=$((failures + 1))
import json, sys
def is_plain(c):
    o = ord(c)
    return c in "\n\t" or not (o < 32 or 127 <= o < 160 or o in (0x61c, 0x200e, 0x200f, 0x2028, 0x2029) or 0x202a <= o <= 0x202e
                               or 0x2066 <= o <= 0x2069)
failed = False
for number in range(1, int(sys.argv[1]) + 1):
    words, out, err = (open(f"shown/{number}.{part}", "rb").read() for part in ("words", "out", "err"))
    problem = "" if out or err else "nothing is printed"
    try:
        if not all(map(is_plain, (out + err).decode("utf-8"))):
            problem = "control characters"
        if b"--json" in words:
            for line in out.decode("utf-8").splitlines():
                json.loads(line)
    except ValueError as error: # invalid UTF-8, invalid JSON
        problem = str(error)
    if problem:
        print("FAILED:", words, problem, out, err)
        failed = True
sys.exit(failed)
PYTHON

[[ $failures == 0 ]] || exit 1
echo "$count commands printed plain text"
