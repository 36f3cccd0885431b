#!/usr/bin/env bash
# dollop plot: the columns that are drawn, several files, folders, and files that are not tables.
# ctest: timeout 60
set -euo pipefail

fails() { # fails CODE WORDS COMMAND...: the command ends with that code and a message that contains the words
    local code=0 wanted=$1 words=$2
    shift 2
    "$@" > /dev/null 2> message.txt || code=$?
    if [ $code != "$wanted" ] || ! grep -qF -- "$words" message.txt; then
        echo "exit code $code instead of $wanted, or no '$words': $*" >&2
        cat message.txt >&2
        exit 1
    fi
}
well_formed() { # XML of one <svg>; checked where Python is installed
    grep -q '^<svg ' "$1"
    grep -q '^</svg>$' "$1"
    if command -v python3 > /dev/null; then
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"
    fi
}
count() { grep -c "$1" "$2" || true; }

printf 'time [s],force_x [N],force_z [N],height [m],note\n0,1,2,0.1,start\n0.5,1.5,-2,0.2,\n1,nan,3,0.4,end\n' > run.csv
"$DOLLOP" plot run.csv | grep -qx run.svg
well_formed run.svg
test "$(count '<clipPath' run.svg)" = 2                  # newton and metre
test "$(count '<path clip-path' run.svg)" = 3            # the column of text is left out
grep -q '>time (s)<' run.svg
grep -q '>height (m)<' run.svg
grep -q '>force_z<' run.svg

printf 'time [s],full [J],empty [J]\n0,1,\n1,2,\n' > empty.csv
"$DOLLOP" plot empty.csv -q 2> empty.txt
test "$(count '<path clip-path' empty.svg)" = 1 # a column without values is left out
test ! -s empty.txt

"$DOLLOP" plot run.csv -o one.svg -q --columns height --x force_z --title 'a < b & "c"' --log y
well_formed one.svg
test "$(count '<path clip-path' one.svg)" = 1
grep -q 'a &lt; b &amp; "c"' one.svg
grep -q '>force_z (N)<' one.svg

sed 's/0.4/0.8/' run.csv > other.csv
"$DOLLOP" plot run.csv other.csv -o two.svg -q --columns 'height [m]'
grep -q '>run: height<' two.svg
grep -q '>other: height<' two.svg

mkdir out
cp run.csv out/probe_plate.csv
cp run.csv out/probe_flow.csv
cp run.csv out/frame_000000.csv
"$DOLLOP" plot out > written.txt
printf 'out/probe_flow.svg\nout/probe_plate.svg\n' | cmp - written.txt
test ! -e out/frame_000000.svg
"$DOLLOP" plot out -o all.svg -q --columns height
grep -q '>probe_flow: height<' all.svg

printf 'a,b<&>\x01\n1,2\n' > control.csv
printf 'a,b<&>\xff\xfe [\xed\xa0\x80]\n1,2\n2,3\n' > bytes.csv
"$DOLLOP" plot bytes.csv -q
well_formed bytes.svg
awk 'BEGIN { print "time [s],wave [1]"; for (i = 0; i < 200000; i++) print i * 1e-3 "," sin(i * 0.01) }' > long.csv
"$DOLLOP" plot long.csv -q
test "$(wc -c < long.svg)" -lt 100000
printf 'x,y\n1e308,1\n-1e308,2\n1e-300,1e300\n' > extreme.csv
"$DOLLOP" plot extreme.csv -q
"$DOLLOP" plot extreme.csv -q --log xy -o extreme_log.svg
well_formed extreme.svg
well_formed extreme_log.svg

fails 2 "has no column 'hight'; did you mean 'height'?" "$DOLLOP" plot run.csv --columns hight
fails 2 "column 'note' cannot be plotted: line 2 contains text" "$DOLLOP" plot run.csv --columns note
fails 2 "--x: run.csv has no column" "$DOLLOP" plot run.csv --x temperature
fails 2 "does not end in .svg" "$DOLLOP" plot run.csv -o plot.png
fails 2 "its x axis would be" "$DOLLOP" plot run.csv long.csv extreme.csv -o mixed.svg
fails 4 "cannot read absent.csv" "$DOLLOP" plot absent.csv
fails 4 "contains no probe_*.csv" "$DOLLOP" plot .
fails 6 "line 1 contains the byte 0x01" "$DOLLOP" plot control.csv
fails 6 "contains the byte" "$DOLLOP" plot "$DOLLOP"
fails 4 "not a regular file" "$DOLLOP" plot /dev/null -o null.svg
printf '' > empty.csv
fails 6 "it is empty" "$DOLLOP" plot empty.csv
printf 'a,b\n1,2\n3\n4,5\n' > ragged.csv
fails 6 "line 3 has 1 values, but the header names 2 columns" "$DOLLOP" plot ragged.csv
test ! -e ragged.svg
echo precious > run.svg
fails 9 "run.svg exists and is not an SVG file" "$DOLLOP" plot run.csv
grep -qx precious run.svg
fails 4 "cannot write 'absent/plot.svg'" "$DOLLOP" plot run.csv -o absent/plot.svg
test -z "$(find . -name '*.part')"
