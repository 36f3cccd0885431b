#!/usr/bin/env bash
# Plays a new user: installs into a fresh prefix and runs, in an empty folder, every `dollop` line of the README's blocks above
# "What it promises", and the README's scenes. CTest gives DOLLOP_BUILD, DOLLOP_SOURCE, CC and CMAKE.
# ctest: timeout 600
set -euo pipefail

work=$(mktemp -d "$PWD/first.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail()
{
    echo "FAILED: $*"
    exit 1
}

"$CMAKE" --install "$DOLLOP_BUILD" --prefix "$work/prefix" >"$work/install.log"
export PATH=$work/prefix/bin:$PATH HOME=$work/home
mkdir "$work/home" "$work/empty"
cd "$work/empty"

# The blocks of one language of the README, up to a heading.
blocks()
{
    awk -v fence="\`\`\`$1" -v last="$2" '$0 == last { exit } $0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' \
        "$DOLLOP_SOURCE/README.md"
}

# Shell lines, without those that build and install.
blocks sh '## What it promises' | grep -vE '^(tools/install_deps|cmake |export )' >lines.sh
for command in new check run render materials plot; do
    grep -q "^dollop $command" lines.sh || fail "the README never uses dollop $command"
done
if ! dollop help render >/dev/null 2>&1 || ! command -v ffmpeg >/dev/null; then
    sed -i '/^dollop render/d' lines.sh # a build without pictures
fi
while IFS= read -r line; do
    [[ $line == dollop* ]] && echo "\$ $line"
done <lines.sh
bash -euo pipefail lines.sh >lines.out 2>lines.err || { tail -n 20 lines.out lines.err; fail "a line of the README"; }
! grep -i 'warning' lines.err lines.out || fail "a line of the README warns"

[[ -s honey.yaml && -s paste.yaml ]] || fail "dollop new wrote no scene"
[[ $(grep -c 'Pa.s' lines.out) -ge 30 ]] || fail "dollop materials lists too little"
[[ -s out/measured/probe_weight.csv ]] || fail "no probe was written"
[[ -n $(find out/measured -name '*.svg' -size +1k) ]] || fail "no plot was drawn"
if grep -q '^dollop render' lines.sh; then
    [[ -s out/honey_draft/film.mp4 && -s out/ketchup/picture_000060.png ]] || fail "no film or picture"
fi

# Forces are in newtons: at the end the plate carries most of the honey that has left the nozzle, and its weight falls on it.
python3 - out/measured/probe_weight.csv out/measured/probe_pool.csv <<'PYTHON'
import csv, sys
weight, pool = ([row for row in csv.reader(open(path))] for path in sys.argv[1:])
force = [float(row[weight[0].index("force_z [N]")]) for row in weight[1:]][-20:]
mass = float(pool[-1][pool[0].index("mass [kg]")])
mean = -sum(force) / len(force)
print(f"on the plate {mean:.3g} N, weight of all honey {9.81 * mass:.3g} N")
assert 0.5 * 9.81 * mass < mean < 1.5 * 9.81 * mass
PYTHON

# The scenes of the README: the first runs as it stands, all pass `check`.
blocks yaml '### Scenes that come with dollop' >scenes.txt
csplit -sz -f scene_ -b %d.yaml scenes.txt '/^world:/' '{*}'
[[ -s scene_0.yaml && -s scene_1.yaml ]] || fail "the README has fewer than two scenes"
for scene in scene_*.yaml; do
    dollop check "$scene" >check.out 2>&1 || { cat check.out; fail "$scene of the README"; }
    ! grep -i 'warning\|note' check.out || fail "$scene of the README warns"
done
first=$(dollop run scene_0.yaml -q --frames ..8 --hash -o out/a)
[[ -n $first && $first == $(dollop run scene_0.yaml -q --frames ..8 --hash -o out/b -j1) ]] || fail "the hash is not repeatable"
echo "the first hour works"
