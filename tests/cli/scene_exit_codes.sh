#!/usr/bin/env bash
# Errors of a scene return its exit code, 3, with the file and the line, whether they are found while it is read, while the world is built
# or in the first step. Exhausted resources keep their own code.
# ctest: timeout 120
set -euo pipefail

cat > scene.yaml <<'YAML'
world: {spacing: 5 cm, threads: 1}
method: METHOD
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 1}
materials: {water: {density: 1000}}
meshes: {part: {MESH}}
solids:
  - {shape: container, position: [60 cm, 30 cm, 40 cm], size: [120 cm, 60 cm, 80 cm]}
  - {SOLID}
fluids:
  - {material: water, shape: box, position: [25 cm, 30 cm, 25 cm], size: [20 cm, 20 cm, 20 cm]}
emitters: [{material: water, position: [60 cm, 30 cm, 40 cm], speed: 1 EMITTER}]
YAML
ball='shape: sphere, position: [1, 0.3, 0.2], radius: 5 cm'
form='form: spoon'

source "$DOLLOP_SOURCE/tests/support/expect.sh"
count=0
# scene METHOD MESH SOLID EMITTER: a scene of these parts
scene() {
    sed "s|METHOD|$1|; s|MESH|$2|; s|SOLID|$3|; s|EMITTER|$4|" scene.yaml > "case.yaml"
}
# refused LINE PATTERN: `check` and `run` return 3 with this line of the scene
refused() {
    count=$((count + 1))
    expect 3 "^error: case.yaml:$1:[0-9]+: .*$2" "$DOLLOP" check case.yaml
}

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > open.obj
printf 'v 0 0 0\nv 1 0 surprise\n' > damaged.obj
printf 'ply\nsurprise\n' > damaged.ply
mkdir -p folder.stl
scene pbf "$form" "$ball" ''
expect 0 'case.yaml is valid' "$DOLLOP" check case.yaml

# meshes: missing, of another kind, damaged, not closed, too fine, too large
scene pbf 'file: none.obj' "$ball" '' && refused 5 'meshes.part.*No such file'
scene pbf 'file: none.blend' "$ball" '' && refused 5 'must end in .ply, .obj or .stl'
scene pbf 'file: folder.stl' "$ball" '' && refused 5 'not a regular file'
scene pbf 'file: damaged.obj' "$ball" '' && refused 5 'line 2'
scene pbf 'file: damaged.ply' "$ball" '' && refused 5 'line 2'
scene pbf 'file: open.obj' 'shape: mesh, mesh: part' '' && refused '[58]' 'not closed'
scene pbf "$form, scale: 1e-6" 'shape: mesh, mesh: part' '' && "$DOLLOP" check case.yaml > fine.txt 2>&1 || [[ $? == 3 ]] || fail "a tiny mesh"
scene pbf "$form, height: 90 km" 'shape: mesh, mesh: part' '' && refused '[58]' 'meshes.part|solids'
scene pbf 'file: open.obj, frames: 3' "$ball" '' && refused 5 'has no number in its name'
# values that only the world can refuse
scene pbf "$form" 'shape: plane, density: 1000' '' && refused 8 'solids'
scene pbf "$form" "$ball, keys: [{time: 0}, {time: 1e-12}]" '' && refused 8 'times must increase'
scene pbf "$form" "shape: mesh, mesh: party" '' && refused 8 "party"
scene pbf "$form" "$ball" ', material: wotar' && refused 11 'wotar|duplicate'
scene pbf "$form" "$ball" ', nozzle: mesh, mesh: part' && refused 11 'emitters'
scene pbfs "$form" "$ball" '' && refused 2 'pbfs'
# hostile values
python3 - << 'PYTHON'
bomb = "[&a0 [x, x, x, x, x, x, x, x, x, x]" + "".join(f", &a{i} [" + ", ".join([f"*a{i - 1}"] * 10) + "]" for i in range(1, 10)) + "]"
values = {"deep": "[" * 10000 + "]" * 10000, "bomb": bomb, "long": "9" * 100000, "nan": ".nan", "large": "1e308", "map": "{a: b}", "twice": "1, frames: 2"}
for name, value in values.items():
    open(f"{name}.yaml", "w").write(f"world: {{spacing: 5 cm}}\nrun: {{frames: {value}}}\n")
PYTHON
for name in deep bomb long nan large map twice; do
    cp "$name.yaml" case.yaml && refused 2 ''
done
# a draft builds the world, too; in a run nothing is left behind
scene pbf 'file: none.obj' "$ball" ''
expect 3 'case.yaml:5:.*No such file' "$DOLLOP" check case.yaml --draft
expect 3 'case.yaml:5:.*No such file' "$DOLLOP" run case.yaml --draft=2 -o out
expect 3 'case.yaml:5:.*No such file' "$DOLLOP" run case.yaml -o out
[[ ! -e out/run.json ]] || fail "a run of an invalid scene was recorded"
# derived fields that the method does not have
scene pbf "$form" "$ball" ''
expect 3 'case.yaml:3:.*run.fields: method pbf has no field stress' "$DOLLOP" run case.yaml -o fields --fields stress
# found in the first step
scene '{name: springs, form: sequence}' "$form" "$ball" ''
expect 3 'needs a single subdomain' "$DOLLOP" check case.yaml --subdomains 2
expect 3 'needs a single subdomain' "$DOLLOP" run case.yaml -o stepped --subdomains 2
scene pbf "$form" 'shape: sphere, radius: 5 cm, name: ball, density: 1e-30' ''
expect 3 "solid 1, 'ball': a free body cannot have a density of 1e-30" "$DOLLOP" check case.yaml
# files outside the folder of the scene are included only from folders that are allowed, and not quoted otherwise
mkdir -p elsewhere folder
printf 'materials: {cream: {density: 900}}\nsecret: 1\n' > elsewhere/secret.yaml
printf 'materials: {cream: {density: 900}}\n' > elsewhere/cream.yaml
including() { # FILE: folder/scene.yaml includes it in its first line
    { printf 'include: %s\n' "$1" && cat "$DOLLOP_SOURCE/tests/support/small_dam.yaml"; } > folder/scene.yaml
}
for file in ../elsewhere/secret.yaml "$PWD/elsewhere/secret.yaml" /etc/passwd; do
    including "$file"
    expect 3 'folder/scene.yaml:1:10: .*outside the folder of the scene.*--allow-include' "$DOLLOP" check folder/scene.yaml
    ! grep -q 'secret:\|root:' output.txt || fail "the content of $file is printed"
done
including ../elsewhere/secret.yaml
expect 3 "secret.yaml:2:1: an included file may contain only" "$DOLLOP" check folder/scene.yaml --allow-include elsewhere
including ../elsewhere/cream.yaml
expect 0 'is valid' "$DOLLOP" check folder/scene.yaml --set run.frames=1 --allow-include elsewhere
# resources
scene pbf "$form" "$ball" ''
expect 3 'case.yaml:5:.*meshes.part: the mesh is .* too large for a grid' "$DOLLOP" check case.yaml --set world.spacing=0.001mm
sed -i '/meshes/d' case.yaml
expect 7 'case.yaml:9:.*particles are too many' "$DOLLOP" check case.yaml --set world.spacing=0.001mm

[[ $failures == 0 ]] || exit 1
echo "$count scenes were refused while their world was built"
