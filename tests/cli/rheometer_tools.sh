#!/usr/bin/env bash
# Rheology tools read the files of dollop rheometer: rheofit (TRIOS JSON) and pandas (CSV). Skipped where rheofit is not installed:
# python3 -m pip install rheofit; DOLLOP_PYTHON selects an interpreter.
# ctest: timeout 120
set -euo pipefail
source "$DOLLOP_SOURCE/tests/support/expect.sh"

python=${DOLLOP_PYTHON:-python3}
"$python" -c 'import rheofit, pandas' 2> /dev/null || exit 77
"$DOLLOP" rheometer ketchup --edge 5 --rates 0.1,10,5 -q --trios flow.json -o flow.csv
"$DOLLOP" rheometer shampoo --edge 5 --test oscillation --frequencies 10,40,2 -q --trios sweep.json
"$python" "$DOLLOP_SOURCE/tests/cli/rheometer_tools.py"
