#!/usr/bin/env bash
# dollop fit: formats, errors with their place, the written material in a scene, JSON and the plot.
# ctest: timeout 120
set -euo pipefail
source "$DOLLOP_SOURCE/tests/support/expect.sh"

printf 'rate [1/s],stress [Pa]\n' > oil.csv
for rate in 0.1 0.3 1 3 10 30 100; do awk -v r=$rate 'BEGIN { printf "%g,%g\n", r, 2.5 * r }' >> oil.csv; done
if ! "$DOLLOP" fit oil.csv > output.txt 2>&1 && grep -q libcminpack-dev output.txt; then
    echo "this build has no cminpack"
    exit 77
fi
data=$DOLLOP_SOURCE/examples/fit

expect 0 'newtonian .*chosen' "$DOLLOP" fit oil.csv
expect 0 'viscosity +2\.5 Pa\.s \(2\.49977 to 2\.50023\)' "$DOLLOP" fit oil.csv
expect 0 'herschel_bulkley .*chosen' "$DOLLOP" fit "$data/emulsion.csv" -o emulsion.yaml --plot emulsion.svg
expect 0 'carreau .*chosen' "$DOLLOP" fit "$data/ethyl_cellulose.csv"
expect 0 'modes \(6\) .*chosen' "$DOLLOP" fit "$data/polyisoprene.csv"
expect 0 'modes \(3\): deviation' "$DOLLOP" fit "$data/polyisoprene.csv" --modes 3 -o melt.yaml --name melt --density 910

# the material goes into a scene as it is
"$DOLLOP" fit oil.csv -q -o oil.yaml --density 1150
for name in oil emulsion melt; do
    printf "include: $name.yaml\nworld: {spacing: 1 cm}\nfluids: [{material: $name, shape: box, size: [0.05, 0.05, 0.05]}]\n" > scene_$name.yaml
    expect 0 'is valid' "$DOLLOP" check scene_$name.yaml
done
grep -qx '    density: 1150 # kg/m3' oil.yaml || fail "the given density is written"
grep -q 'the default: not measured' emulsion.yaml || fail "a density that was not given is marked"
grep -qE '^#   yield_stress: 13\.25 Pa \(13 to 13\.5\)$' emulsion.yaml || fail "the file names the confidence intervals"
grep -qE '^    yield_stress: 13\.25[0-9]* # Pa$' emulsion.yaml || fail "the yield stress is written"
[[ $(grep -cE '^      - \[' melt.yaml) == 3 ]] || fail "three modes are written"

# the plot: 30 measured points without a line, and the law
grep -q '</svg>' emulsion.svg || fail "the plot is complete"
[[ $(grep -c '<circle' emulsion.svg) == 31 ]] || fail "30 points and that of the legend are drawn"
[[ $(grep -c '<path clip-path' emulsion.svg) == 1 ]] || fail "one curve is drawn"

# JSON
"$DOLLOP" fit oil.csv --json > fit.json
if command -v jq > /dev/null; then
    [[ $(jq -r .law fit.json) == newtonian ]] || fail "the law in JSON"
    [[ $(jq '.laws[0].parameters[0].value * 1000 | round' fit.json) == 2500 ]] || fail "the viscosity in JSON"
    "$DOLLOP" fit oil.csv --law carreau --json 2> /dev/null | jq -e '.laws[0].parameters[1] | .determined == false and .high == null' \
        > /dev/null || fail "a parameter that is not determined has no interval in JSON"
fi

# Windows line ends, decimal commas, several files
printf 'Shear Rate;Viscosity\r\n1/s;mPa.s\r\n0,1;2500\r\n1,5;2500\r\n10;2500\r\n' > windows.csv
expect 0 'viscosity +2\.5' "$DOLLOP" fit windows.csv
printf 'frequency [Hz],G1,"G'"'"' [kPa]","G'"''"' [kPa]"\n0.1,0,0.1,1\n1,0,5,5\n10,0,10,1\n' > sweep.csv
expect 0 'frequency sweep  3 points, 0.628 to 62.8 rad/s' "$DOLLOP" fit oil.csv sweep.csv --law maxwell
expect 0 'fitted to the flow curve alone' "$DOLLOP" fit oil.csv sweep.csv --law newtonian

# warnings and errors
expect 0 'thinning_time is not determined by these data' "$DOLLOP" fit oil.csv --law carreau
expect 2 'relaxation modes need' "$DOLLOP" fit oil.csv --law modes
expect 2 "--law cannot be .carot." "$DOLLOP" fit oil.csv --law carot
expect 2 'the law casson has no modes' "$DOLLOP" fit oil.csv sweep.csv --law casson --modes 2
expect 2 'density must be a number' "$DOLLOP" fit oil.csv --density heavy
expect 2 'is not a name for a material' "$DOLLOP" fit oil.csv --name '1: {'
expect 2 'does not end in .svg' "$DOLLOP" fit oil.csv --plot oil.png
expect 4 'cannot read absent.csv' "$DOLLOP" fit absent.csv
printf 'rate [1/s],stress [Pa]\n1,2\n2,x\n' > bad.csv
expect 6 "bad\.csv:3:3: expected a number for the shear stress, found 'x'" "$DOLLOP" fit bad.csv
printf 'rate,stress\n1,2\n\0\n' > zero.csv
expect 6 'zero\.csv:3:1: the byte 0x00' "$DOLLOP" fit zero.csv
printf '\033[31mrate,stress\n' > "$(printf 'esc\033.csv')"
expect 6 'esc.x1b.csv:1:1: the byte 0x1b' "$DOLLOP" fit "$(printf 'esc\033.csv')"

# only files of dollop fit are replaced
echo 'world: {}' > mine.yaml
expect 9 'was not written by' "$DOLLOP" fit oil.csv -o mine.yaml
[[ $(cat mine.yaml) == 'world: {}' ]] || fail "the file of somebody else is as it was"
expect 0 'oil.yaml' "$DOLLOP" fit oil.csv -o oil.yaml

[[ $failures == 0 ]]
