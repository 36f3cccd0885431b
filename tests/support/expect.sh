# For tests of the command, which source it: checks that count their failures. A script ends with [[ $failures == 0 ]], or redefines
# `fail` to end at the first one.
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE PATTERN COMMAND...: the command returns CODE and prints PATTERN
expect() {
    local expected=$1 pattern=$2 code=0
    shift 2
    "$@" > output.txt 2>&1 || code=$?
    if [[ $code != "$expected" ]] || ! grep -qE -- "$pattern" output.txt; then
        sed 's/^/    /' output.txt
        fail "$* gives $code, not $expected, or does not print: $pattern"
    fi
}
