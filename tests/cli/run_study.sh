#!/usr/bin/env bash
# The last line and the exit code of a study give its verdict. It writes files that other programs can read, only to its folder.
# ctest: timeout 300
set -euo pipefail

source "$DOLLOP_SOURCE/tests/support/expect.sh"

# Each study of the list has its folder and its README.
"$DOLLOP" study --list > list.txt
mapfile -t names < <(sed -n 's/^  \([a-z0-9-]*\)  (.*)$/\1/p' list.txt)
[[ ${#names[@]} -gt 0 ]] || fail "--list shows no study"
for name in "${names[@]}"; do
    [[ -s $DOLLOP_SOURCE/studies/$name/README.md ]] || fail "studies/$name/README.md is missing"
done

# errors
expect 2 'NAME is missing' "$DOLLOP" study
expect 2 "no study 'barriero-fig7'; did you mean 'barreiro-fig7'" "$DOLLOP" study barriero-fig7
expect 2 "unknown option '--quik'; did you mean --quick" "$DOLLOP" study barreiro-fig7 --quik
expect 2 'barreiro-fig7. has nothing for --large' "$DOLLOP" study barreiro-fig7 --large
expect 2 '--quick and --large exclude each other' "$DOLLOP" study barreiro-table1 --quick --large
[[ $(ls -A) == $'list.txt\noutput.txt' ]] || fail "an error left files: $(ls -A)"
printf 'a file' > taken
expect 4 'taken' "$DOLLOP" study barreiro-fig7 -o taken
expect 4 'taken' "$DOLLOP" study barreiro-fig7 -o taken/deeper
mkdir -p other run
printf 'study another-one\n' > other/study.txt
printf '{}' > run/run.json
expect 9 'other holds another study' "$DOLLOP" study barreiro-fig7 -o other
expect 9 'run holds a run' "$DOLLOP" study barreiro-fig7 -o run
[[ $(cat other/study.txt run/run.json taken) == $'study another-one\n{}a file' ]] || fail "a refused folder was changed"

# The studies are in a separate program, which is found relative to the command and nowhere else.
program=$(dirname "$DOLLOP")/dollop-study
! grep -q 'barreiro-timestep' "$DOLLOP" || fail "the command contains the studies"
"$DOLLOP" help study | cmp - <("$DOLLOP" study --help) || fail "the two help pages differ"
mkdir -p alone/bin current
cp "$DOLLOP" alone/bin/dollop
printf '#!/bin/sh\necho a program of the current folder\n' > current/dollop-study
chmod +x current/dollop-study
expect 8 'dollop-study, the program of .dollop study., is not installed' alone/bin/dollop study --list
expect 8 'target dollop_study' env -C current PATH="$PWD/current:.:$PATH" ../alone/bin/dollop study --list
expect 0 'dollop study NAME' alone/bin/dollop help study
expect 0 'barreiro-fig7' env DOLLOP_STUDY_PROGRAM="$program" alone/bin/dollop study --list
expect 2 'must be an absolute path' env -C current DOLLOP_STUDY_PROGRAM=dollop-study "$DOLLOP" study --list
expect 4 'no program /nowhere/dollop-study' env DOLLOP_STUDY_PROGRAM=/nowhere/dollop-study "$DOLLOP" study --list
expect 4 'cannot start' env DOLLOP_STUDY_PROGRAM="$PWD/taken" "$DOLLOP" study --list
mkdir -p alone/libexec/dollop linked
ln -s "$program" alone/libexec/dollop/dollop-study
ln -s ../alone/bin/dollop linked/dollop
expect 0 'barreiro-fig7' alone/bin/dollop study --list
expect 0 'barreiro-fig7' env PATH="$PWD/linked:$PATH" dollop study --list
expect 2 "no study 'two words'" linked/dollop study 'two words'

# Ctrl-C: no results, no partial files
"$DOLLOP" study barreiro-fig7 -o stopped > /dev/null 2> stopped.txt &
process=$!
for _ in $(seq 100); do
    [[ -s stopped.txt ]] && break
    sleep 0.1
done
kill -TERM $process
code=0
wait $process || code=$?
[[ $code == 5 && -z $(ls stopped) ]] || fail "a stopped study returns $code and leaves $(ls stopped)"

# A complete study; too slow under a sanitizer.
if [[ ${DOLLOP_TEST_SCALE:-} != small ]]; then
    before=$(ls -A)
    code=0
    "$DOLLOP" study barreiro-fig7 --quick > printed.txt 2> progress.txt || code=$?
    last=$(tail -n 1 printed.txt)
    case $code in
        0) [[ $last == 'holds: '* ]] || fail "returns 0 and ends with '$last'" ;;
        1) [[ $last == 'does not hold: '* ]] || fail "returns 1 and ends with '$last'" ;;
        *) fail "a quick study returns $code" ;;
    esac
    grep -q '[0-9] %' progress.txt || fail "no progress was printed"
    [[ $(printf '%s\nprinted.txt\nprogress.txt\nstudy-barreiro-fig7' "$before" | sort) == $(ls -A | sort) ]] ||
        fail "it wrote outside its folder"
    [[ $(tail -n 1 study-barreiro-fig7/study.txt) == "$last" ]] || fail "the last line of study.txt differs from the output"
    [[ $last == *'(quick run'* ]] || fail "a quick verdict does not say that it is one: '$last'"
    expect 0 '^holds: .*\(quick run, judged by coarser bounds: 0\.06 instead of 0\.03\)$' \
        "$DOLLOP" study waters-king --quick --quiet
    python3 - study-barreiro-fig7 <<'PY' || fail "its files cannot be read"
import csv, pathlib, sys, xml.etree.ElementTree
folder = pathlib.Path(sys.argv[1])
tables, drawings = sorted(folder.glob("*.csv")), sorted(folder.glob("*.svg"))
assert tables and drawings, "a CSV and an SVG file at least"
for file in tables:
    rows = list(csv.reader(file.open()))
    assert len(rows) > 1 and len({len(row) for row in rows}) == 1, f"{file}: rows of unequal length"
for file in drawings:
    root = xml.etree.ElementTree.parse(file).getroot()
    assert root.tag.endswith("}svg") and "nan" not in file.read_text(), file
PY
fi

[[ $failures == 0 ]] || exit 1
echo "${#names[@]} studies"
