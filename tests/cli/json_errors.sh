#!/usr/bin/env bash
# With --json, errors and warnings are on standard output too, as an object with the exit code and, for scenes, the place.
# ctest: timeout 120
set -euo pipefail

cp "$DOLLOP_SOURCE/tests/support/small_dam.yaml" scene.yaml
sed 's/spacing: 5 cm/spaceing: 5 cm/' scene.yaml > "a \"wrong\" scene.yaml"

failures=0
# answer CODE EXPRESSION COMMAND...: the command returns CODE; the Python expression holds for `last`, the last object on standard
# output, and `text`, the standard error
answer() {
    local expected=$1 expression=$2 code=0
    shift 2
    "$@" > out.jsonl 2> err.txt || code=$?
    if [[ $code != "$expected" ]] || ! python3 - "$expression" <<'PYTHON'; then
import json, sys
lines = open("out.jsonl").read().splitlines()
objects = [json.loads(line) for line in lines]
assert objects, "no object"
last, text = objects[-1], open("err.txt").read()
assert eval(sys.argv[1]), last
PYTHON
        echo "FAILED: $* gives $code ($expected); $expression"
        sed 's/^/    /' out.jsonl err.txt
        failures=$((failures + 1))
    fi
}

wrong='a "wrong" scene.yaml'
answer 3 'last["valid"] is False and last["exit_code"] == 3 and last["error"]["file"] == "a \"wrong\" scene.yaml"' "$DOLLOP" check "$wrong" --json
answer 3 'last["error"]["line"] == 1 and last["error"]["column"] == 9' "$DOLLOP" check "$wrong" --json
answer 3 'last["error"]["message"].startswith("unknown key \x27spaceing\x27") and "\n" not in last["error"]["message"]' "$DOLLOP" check "$wrong" --json
answer 3 '"spaceing" in text and len(objects) == 1' "$DOLLOP" check "$wrong" --json # people still read it
answer 4 'last["valid"] is False and last["error"]["line"] is None and "missing.yaml" in last["error"]["message"]' "$DOLLOP" check missing.yaml --json
answer 2 'last["exit_code"] == 2 and "--help" in last["error"]["notes"][0]' "$DOLLOP" check scene.yaml --json --thread 2
answer 2 'last["done"] is False and "pbg" in last["error"]["message"]' "$DOLLOP" methods pbg --json
answer 3 'last["done"] is False and last["error"]["line"] == 1' "$DOLLOP" run "$wrong" -o run --json
answer 4 'last["file"] == "none" and last["error"]["message"] and len(objects) == 2 and "error" in objects[0]' "$DOLLOP" info none none --json

# success: warnings are a list of texts
answer 0 'last["valid"] is True and last["exit_code"] == 0 and last["warnings"] == [] and "error" not in last' "$DOLLOP" check scene.yaml --json
answer 0 'len(last["warnings"]) == 1 and "time step" in last["warnings"][0] and "warning: " + last["warnings"][0] in text' \
    "$DOLLOP" check scene.yaml --json --set run.time_step=20ms
answer 0 'last["done"] is True and last["exit_code"] == 0 and last["warnings"] == []' "$DOLLOP" run scene.yaml -o run --json
answer 9 'last["exit_code"] == 9 and "finished run" in last["error"]["message"] and len(last["error"]["notes"]) == 1' "$DOLLOP" run scene.yaml -o run --json
# without --json nothing is on standard output
"$DOLLOP" check "$wrong" > out.jsonl 2> /dev/null || true
[[ ! -s out.jsonl ]] || { echo "FAILED: JSON without --json"; failures=$((failures + 1)); }

[[ $failures == 0 ]] || exit 1
echo "all errors are JSON"
