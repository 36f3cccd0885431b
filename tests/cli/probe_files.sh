#!/usr/bin/env bash
# ctest: timeout 120
# Probes of a scene: the files that a run writes, that an interrupted and resumed run writes the same bytes, and mistakes.
set -eu

cat > scene.yaml <<'END'
method: physical
world: {spacing: 1 cm}
run: {frames: 6, checkpoint_every: 2}
materials: {syrup: {viscosity: 5 Pa.s}}
solids:
  floor: {shape: plane, friction: 1}
fluids:
  - {material: syrup, shape: box, size: [6 cm, 6 cm, 6 cm], position: [0, 0, 3 cm]}
probes:
  lift: {kind: force, solid: floor}
  slow: {kind: fluid, interval: 50 ms}
  gap: {kind: point, position: [0, 0, 1 m], quantity: velocity}
END

fail() { echo "$1" >&2; exit 1; }

"$DOLLOP" run scene.yaml -o whole -q
head -1 whole/probe_lift.csv | grep -q '^time \[s\],force_x \[N\],force_y \[N\],force_z \[N\],torque_x \[N.m\]' ||
    fail "the header of a force probe is wrong: $(head -1 whole/probe_lift.csv)"
[ "$(wc -l < whole/probe_slow.csv)" -eq 5 ] || fail "a probe of 50 ms should have 4 samples in 0.2 s"
tail -1 whole/probe_gap.csv | grep -q '^[0-9.e-]*,,,$' || fail "where there is no fluid, cells must be empty"

"$DOLLOP" run scene.yaml -o part -q --frames ..4
for file in part/probe_*.csv; do echo "9,garbage" >> "$file"; done # as if it had been killed after the checkpoint
"$DOLLOP" run scene.yaml -o part -q --resume
for name in lift slow gap; do
    cmp "whole/probe_$name.csv" "part/probe_$name.csv" || fail "a resumed run wrote other samples of probe $name"
done

sed 's/  gap:/  gap2:/' scene.yaml > other.yaml
"$DOLLOP" run other.yaml -o part -q --overwrite --frames ..1
[ ! -e part/probe_gap.csv ] || fail "--overwrite left the file of a probe behind"

refuses() { # SETTING-OR-SED MESSAGE
    sed "$1" scene.yaml > bad.yaml
    if "$DOLLOP" check bad.yaml > log 2>&1; then fail "accepted: $1"; fi
    grep -q "$2" log || { cat log >&2; fail "wrong message for: $1"; }
}
refuses 's/solid: floor/solid: ceiling/' "ceiling"
refuses 's/  gap:/  "..\/gap":/' "gap"
refuses 's/kind: fluid,/kind: fluid, reach: 2,/' "reach has no effect"
refuses 's/kind: fluid,/kind: flow,/' "disc, rectangle or plane"

if python3 -c 'import pandas' 2> /dev/null; then
    python3 - <<'END'
import pandas
table = pandas.read_csv("whole/probe_lift.csv")
assert table.columns[0] == "time [s]" and len(table) > 6 and (table["force_z [N]"].tail(3) < 0).all(), table
assert pandas.read_csv("whole/probe_gap.csv")["velocity_x [m/s]"].isna().all()
END
fi
