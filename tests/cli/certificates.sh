#!/usr/bin/env bash
# Certificates: a Newtonian liquid, a paste and a spectrum of relaxation times are within 3 % of their laws in particles, and an elastic solid.
# The index says what the pages say, and so do the pages of docs/materials, one for each built-in material.
# ctest: timeout 300
set -euo pipefail
source "$DOLLOP_SOURCE/tests/support/expect.sh"

# check_index FOLDER: each row has the deviation of its page, which is the largest of its table, and a complete plot; none is above 3 %
check_index() {
    local row name deviation largest
    while read -r row; do
        name=$(sed -E 's/^\| \[([a-z_]+)\].*/\1/' <<< "$row")
        deviation=$(sed -E 's/.* ([0-9.]+) % \|$/\1/' <<< "$row")
        grep -qF "within **$deviation %** of its law" "$1/$name.md" || fail "$1: $name.md does not say $deviation %"
        largest=$(sed -n '/^| spacing /,/^$/p' "$1/$name.md" | grep -oE '[0-9.]+ %' | sort -g | tail -1)
        [[ $largest == "$deviation %" ]] || fail "$1: $deviation % of $name is not the largest deviation of its page, $largest"
        awk -v deviation="$deviation" 'BEGIN { exit !(deviation <= 3) }' || fail "$1: $name is $deviation % off its law"
        grep -q "!\[.*($name.svg)" "$1/$name.md" || fail "$1: the page of $name does not show its plot"
        grep -q '</svg>' "$1/$name.svg" || fail "$1: the plot of $name is not complete"
    done < <(grep -E '^\| \[' "$1/README.md")
}

expect 0 'polymer_melt' "$DOLLOP" rheometer --certify glycerol ketchup polymer_melt rubber -o pages --threads 1 --within 3
[[ $(grep -cE '^\| \[' pages/README.md) == 4 ]] || fail "the index lists the four materials"
check_index pages
expect 1 'glycerol deviates from its law by .*, more than 1e-06 %' "$DOLLOP" rheometer --certify glycerol -q --within 1e-6

check_index "$DOLLOP_SOURCE/docs/materials"
for name in $("$DOLLOP" materials | awk 'NR > 1 && !NF { exit } NR > 1 { print $1 }'); do
    grep -q "^| \[$name\]($name.md)" "$DOLLOP_SOURCE/docs/materials/README.md" ||
        fail "docs/materials has no page of $name: write it with 'dollop rheometer --certify $name -o docs/materials'"
done
[[ $failures == 0 ]]
