#!/usr/bin/env bash
# dollop materials: the table, one material with a definition that a scene accepts, JSON, and errors. A scene uses materials by name.
# ctest: timeout 300
set -euo pipefail

fail() {
    echo "FAILED: $*"
    exit 1
}

"$DOLLOP" materials > table.txt
[[ $(grep -c ' degC ' table.txt) -ge 50 ]] || fail "fewer than 50 materials"
grep -q '^honey  *1420  *newtonian  *19 Pa.s .* 20 degC  *measured  *beekeepers' table.txt || fail "no honey"
grep -q '^ketchup  *1140  *herschel_bulkley  *32 Pa + 18.7 Pa.s^0.27  *-  *-  *20 degC  *unverified' table.txt || fail "no law of ketchup"
grep -q '^tempered_chocolate .* bingham  *36.1 Pa + 8.7 Pa.s  *44 kPa ' table.txt || fail "no law and modulus of chocolate"
grep -q '^blood .* carreau  *56 mPa.s, n 0.22 ' table.txt || fail "no law of blood"
grep -q '^polymer_melt .* maxwell, 4 modes  *4.15 kPa.s  *91.4 kPa  *to 4.59 s ' table.txt || fail "no modes of a melt"
grep -q '^jelly .* elastic  *1 Pa.s  *5 kPa ' table.txt || fail "no elastic jelly"
! grep -q $'\x1b' table.txt || fail "colours in a file"

# The definition that is printed can be pasted into a scene, and changes nothing.
"$DOLLOP" materials ketchup > ketchup.txt
grep -q '^Source: ' ketchup.txt || fail "no source"
grep -q 'without laws  *viscosity 50.7 Pa.s,' ketchup.txt || fail "no viscosity for methods without laws"
grep -q 'steady flow at 1/s' ketchup.txt || fail "no rate of that viscosity"
cat > plain.yaml <<'YAML'
world: {spacing: 2 cm, threads: 1}
method: physical
run: {time_step: 4 ms, frame_rate: 50 fps, frames: 2}
fluids:
  - {material: ketchup, position: [0, 0, 5 cm], size: [10 cm, 10 cm, 10 cm]}
solids:
  - {shape: plane, friction: 1}
YAML
{ cat plain.yaml; sed -n '/^materials:/,$p' ketchup.txt; } > pasted.yaml
for scene in plain pasted; do
    "$DOLLOP" run $scene.yaml -o out/$scene --hash > $scene.txt 2>&1 || { cat $scene.txt; fail "run $scene"; }
    ! grep -q 'warning\|note' $scene.txt || { cat $scene.txt; fail "$scene: a warning"; }
done
[[ $(grep -o 'hash .*' plain.txt) == "$(grep -o 'hash .*' pasted.txt)" ]] || fail "the pasted definition is another material"
"$DOLLOP" run plain.yaml -o out/thin --hash --set materials.ketchup.viscosity='1 Pa.s' > thin.txt 2>&1 || fail "run thin"
[[ $(grep -o 'hash .*' plain.txt) != "$(grep -o 'hash .*' thin.txt)" ]] || fail "the setting has no effect"

"$DOLLOP" materials --json > all.jsonl
python3 - <<'PYTHON' || fail "JSON"
import json
materials = {m["name"]: m for m in map(json.loads, open("all.jsonl"))}
assert len(materials) >= 50
assert materials["honey"]["viscosity"] == 19 and materials["honey"]["viscosity_at"][0] == [293.15, 19]
assert materials["jelly"]["relaxation_time"] is None and materials["jelly"]["modulus"] == 5000
ketchup = materials["ketchup"]
assert (ketchup["law"], ketchup["yield_stress"], ketchup["equivalent_rate"]) == ("herschel_bulkley", 32, 1)
assert abs(ketchup["viscosity"] - 50.7) < 1e-9
assert materials["mayonnaise"]["equivalent_rate"] == 0.1 and materials["honey"]["law"] == "newtonian"
assert all(m["source"] and m["grade"] in ("measured", "simulation", "unverified", "guess") for m in materials.values())
PYTHON

if "$DOLLOP" materials hony > hony.txt 2>&1; then fail "an unknown material is accepted"; fi
grep -q "did you mean 'honey'" hony.txt || fail "no suggestion"
sed 's/ketchup/kechup/' plain.yaml > wrong.yaml
if "$DOLLOP" check wrong.yaml > wrong.txt 2>&1; then fail "a misspelled material is accepted"; fi
grep -q "did you mean 'ketchup'" wrong.txt || fail "no suggestion in a scene"
"$DOLLOP" help materials | grep -q 'built-in materials' || fail "no help"
echo passed
