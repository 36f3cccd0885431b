#!/usr/bin/env bash
# `dollop new` writes scenes that check and run as they are; --draft coarsens them, says so, and keeps apart from the real run.
# ctest: nightly, timeout 300
set -euo pipefail

source "$DOLLOP_SOURCE/tests/support/expect.sh"

# every template: written, valid, without a warning, and it runs
frames=3
[[ ${DOLLOP_SANITIZED:-} ]] && frames=1
templates=$("$DOLLOP" new --list | awk '{print $1}')
[[ $(wc -w <<< "$templates") == 8 ]] || fail "not eight templates: $templates"
for template in $templates; do
    expect 0 "dollop run $template.yaml --draft" "$DOLLOP" new "$template" --from "$template"
    expect 0 'is valid' "$DOLLOP" check "$template.yaml" --draft
    grep -qE 'warning|error' output.txt && fail "$template warns: $(cat output.txt)"
    expect 0 'done: frame' "$DOLLOP" run "$template.yaml" --draft --frames "..$frames"
    grep -q 'warning' output.txt && fail "$template warns: $(cat output.txt)"
    grep -q 'note: draft: spacing .* -> .* are not resolved' output.txt || fail "$template does not say what a draft costs"
    [[ -e out/${template}_draft/frame_00000$frames.vtkhdf ]] || fail "$template: no frame"
    [[ ! -e out/$template ]] || fail "a draft wrote to out/$template"
done

# names and materials
expect 9 'pour.yaml exists; choose another name, or add --overwrite' "$DOLLOP" new pour --from drop
grep -q 'coils' pour.yaml || fail 'pour.yaml was replaced'
expect 0 'wrote pour.yaml' "$DOLLOP" new pour.yaml --from drop --overwrite
grep -q 'coils' pour.yaml && fail 'pour.yaml was not replaced'
expect 0 'wrote sauce.yaml.*ketchup' "$DOLLOP" new sauce --from pour --material ketchup
grep -q 'material: ketchup' sauce.yaml || fail 'no ketchup'
expect 0 'done: frame' "$DOLLOP" run sauce.yaml --draft --frames 0
rm -r out/sauce_draft
expect 3 "did you mean 'honey'" "$DOLLOP" new other --from pour --material hony
expect 2 'not the name of a material' "$DOLLOP" new other --from pour --material $'honey\nsolids: []'
expect 2 'not the name of a material' "$DOLLOP" new other --from pour --material 'a: {b}'
expect 2 'is empty' "$DOLLOP" new other --from pour --material ''
expect 2 'temperatures of' "$DOLLOP" new other --from melt --material honey
expect 2 'choose a template' "$DOLLOP" new other
expect 2 'valid values: pour, drop' "$DOLLOP" new other --from por
expect 2 'NAME is missing' "$DOLLOP" new --from pour
mkdir folder
ln -s nowhere dangling.yaml
for name in '' . .. folder/ folder/.. .yaml -- "$(printf 'a%.0s' {1..300})" $'a\nb'; do
    code=0
    "$DOLLOP" new --from pour -- "$name" > output.txt 2>&1 || code=$?
    [[ $name == -- || $code == 2 ]] || fail "new '$name' gives $code: $(cat output.txt)"
done
expect 4 'cannot write missing/scene.yaml' "$DOLLOP" new missing/scene --from pour
expect 9 'exists' "$DOLLOP" new dangling --from pour
expect 9 'not a regular file' "$DOLLOP" new dangling --from pour --overwrite
[[ ! -e nowhere && ! -e other.yaml ]] || fail 'a refused command wrote a file'

# --set finds items by name
expect 0 'done: frame' "$DOLLOP" run fill.yaml -o named --frames 0 --set emitters.spout.rate=50ml/s --set solids.glass.friction=0.3
expect 3 "there is no item 'spot'; did you mean 'spout'" "$DOLLOP" check fill.yaml --set emitters.spot.rate=50ml/s

# factors, and what limits them
expect 0 'spacing 2 mm -> 2.5 mm' "$DOLLOP" run sauce.yaml -o factor --frames 0 --draft=1.25
expect 0 'emitters.nozzle is 1 cm thick and keeps 3 particles across' "$DOLLOP" run sauce.yaml -o limit --frames 0 --draft=50
expect 2 'not a factor' "$DOLLOP" check sauce.yaml --draft=0.5
expect 2 'not a factor' "$DOLLOP" check sauce.yaml --draft=nan
expect 2 'not a factor' "$DOLLOP" check sauce.yaml --draft=2x
expect 0 '"draft": 1.5' "$DOLLOP" check sauce.yaml --draft=1.5 --json
cat > points.yaml <<'YAML'
fluids: [{material: water, points: [[0, 0, 0], [1 cm, 0, 0]]}]
YAML
expect 3 'fluids\[0\] is given as points' "$DOLLOP" run points.yaml --draft
cat > thin.yaml <<'YAML'
world: {spacing: 1 cm}
fluids: [{name: film, material: honey, size: [10 cm, 10 cm, 3 cm]}]
YAML
expect 0 'the spacing remains 1 cm, because fluids.film has only three' "$DOLLOP" run thin.yaml --frames 0 --draft

# resuming a draft, and its record
"$DOLLOP" run sauce.yaml --draft=1.5 --frames ..2 -q --hash > whole.txt
grep -q '"draft": 1.5' out/sauce_draft/run.json || fail 'run.json has no draft'
"$DOLLOP" run sauce.yaml --draft=1.5 --frames ..1 -q -o halves
"$DOLLOP" run sauce.yaml --draft=1.5 --frames ..2 -q -o halves --resume --hash > halves.txt
cmp whole.txt halves.txt || fail 'a resumed draft differs'
expect 9 'other settings' "$DOLLOP" run sauce.yaml --frames ..3 -o halves --resume

exit $((failures > 0))
