#!/usr/bin/env bash
# dollop rheometer: the table, CSV, JSON of TRIOS, plot, a material of a file, the limit of --within, and errors.
# ctest: timeout 120
set -euo pipefail
source "$DOLLOP_SOURCE/tests/support/expect.sh"

"$DOLLOP" rheometer ketchup --edge 5 --rates 0.1,10,3 -o ketchup.csv --trios ketchup.json --plot ketchup.svg > ketchup.txt
grep -qE '^0\.1 to 1 1/s: within 0\.[0-9]+ % of the law$' ketchup.txt || fail "each decade has a verdict"
[[ $(head -1 ketchup.csv) == 'Shear rate (1/s),Shear stress (Pa),First normal stress difference (Pa),Viscosity (Pa.s),'* ]] ||
    fail "columns have names and units"
[[ $(wc -l < ketchup.csv) == 4 ]] || fail "a row for each point"
awk -F, 'NR > 1 { if (!($7 < 0.005)) exit 1 }' ketchup.csv || fail "the stress is within 0.5 % of the law"
grep -q '</svg>' ketchup.svg || fail "the plot is complete"
if command -v jq > /dev/null; then
    jq -e '.Results.Processed.Rows | length == 3 and (.[2]["Shear rate_1/s"] == 10)' ketchup.json > /dev/null || fail "rows in JSON"
    jq -e '.Results.Processed.ColumnHeaders["Stress_Pa"].Unit.Name == "Pa"' ketchup.json > /dev/null || fail "units in JSON"
fi
# what was measured can be fitted
if "$DOLLOP" fit ketchup.csv --law power_law > fit.txt 2>&1; then
    grep -q 'flow curve  *3 points, 0.1 to 10 1/s' fit.txt || fail "dollop fit reads the CSV"
fi

printf 'materials: {own: {density: 1000, viscosity: 2 Pa.s}, two: {density: 900, viscosity: 3 Pa.s}}\n' > own.yaml
expect 0 '^own: steady shear' "$DOLLOP" rheometer own.yaml:own --edge 5 --rates 1,1,1
expect 0 '^two: small oscillations' "$DOLLOP" rheometer own.yaml:two --edge 5 --test oscillation --frequencies 1,1,1
expect 1 'deviates by .* more than 1e-06 %' "$DOLLOP" rheometer own.yaml:own --edge 5 --rates 1,1,1 --within 1e-6 -q
expect 3 'needs the name of one: own.yaml:NAME' "$DOLLOP" rheometer own.yaml
expect 0 '^own: a disc between plates' "$DOLLOP" rheometer own.yaml:own --test squeeze --edge 4 --gaps 0.035,0.04,1 --radius 0.1 -o squeeze.csv
[[ $(head -1 squeeze.csv) == 'Gap (m),Axial force (N),Radius (m),Time (s),Axial force of the law (N),'* ]] || fail "columns of squeeze flow"
expect 0 'radius .* in a cup of' "$DOLLOP" rheometer own.yaml:own --test couette --edge 4 --rates 1,1,1
expect 2 'only the test vane uses --blades' "$DOLLOP" rheometer honey --test couette --blades 4
expect 2 'the test couette does not use --gaps' "$DOLLOP" rheometer honey --test couette --gaps 0.01,0.02
expect 2 'has no flow curve' "$DOLLOP" rheometer rubber --test vane
printf 'world: {spacing: 1 cm}\nfluids: [{material: honey, shape: box, size: [0.05, 0.05, 0.05]}]\n' > scene.yaml
expect 0 '^honey: steady shear' "$DOLLOP" rheometer scene.yaml --edge 5 --rates 1,1,1
expect 2 "has no material 'three'" "$DOLLOP" rheometer scene.yaml:three
expect 2 "did you mean 'ketchup'" "$DOLLOP" rheometer ketchop
expect 2 'rates must be FROM,TO' "$DOLLOP" rheometer honey --rates 1:10
expect 2 'the test flow does not use --stress' "$DOLLOP" rheometer honey --stress 3
expect 2 'give surface_tension' "$DOLLOP" rheometer own.yaml:own --test thinning
expect 0 '^a thread of radius 5 mm, 4 particles a radius' "$DOLLOP" rheometer honey --test thinning --edge 4 --times 0.1,0.2,2 -o thread.csv
[[ $(head -1 thread.csv) == 'Time (s),Radius (m),Radius of the law (m),Deviation,Time step (s)' ]] || fail "columns of a thread"
expect 2 'has no flow curve' "$DOLLOP" rheometer rubber --test flow
expect 2 'give one material' "$DOLLOP" rheometer honey ketchup
[[ $failures == 0 ]]
