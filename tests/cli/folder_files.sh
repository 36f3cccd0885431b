#!/usr/bin/env bash
# Files of the output folder that somebody else prepared: with a symbolic link, a pipe, a folder, a device or a hard link in place of any
# file that a command reads or writes, nothing outside the folder changes, nothing waits, and an error names the file. Temporary files of
# a killed process are removed, those of a running one are kept.
# Every eighth combination; all of them at night.
# ctest: full, timeout 120
set -euo pipefail

source "$DOLLOP_SOURCE/tests/support/expect.sh"

cp "$DOLLOP_SOURCE/tests/support/small_block.yaml" scene.yaml
run=("$DOLLOP" run scene.yaml --export ply --export csv --quiet -o out)
"${run[@]}"
cp -r out finished
"${run[@]}" --overwrite --frames ..1
cp -r out resumable
rm -rf out

mkdir outside
fresh_outside() {
    rm -rf outside/*
    echo precious > outside/victim
    mkdir outside/folder
}
outside_is_unchanged() {
    [[ $(cat outside/victim) == precious && $(find outside | sort | xargs) == "outside outside/folder outside/victim" ]]
}
kinds=(link dangling link_to_folder pipe folder hard_link)
if mknod device c 1 3 2> /dev/null; then # needs root
    kinds+=(device)
fi
place() { # KIND PATH
    rm -rf "$2"
    case $1 in
    link) ln -s "$PWD/outside/victim" "$2" ;;
    dangling) ln -s "$PWD/outside/new" "$2" ;;
    link_to_folder) ln -s "$PWD/outside/folder" "$2" ;;
    pipe) mkfifo "$2" ;;
    folder) mkdir "$2" ;;
    hard_link) ln outside/victim "$2" ;;
    device) mknod "$2" c 1 3 ;;
    esac
}

every=8
case ${DOLLOP_TEST_SCALE:-} in
full) every=1 ;;
small) every=31 ;;
esac
combinations=0 cases=0
# try KIND FILE FOLDER COMMAND...: in a copy of the folder an error names the file; a hard link may also be replaced
try() {
    local kind=$1 path=out/$2 folder=$3 code=0
    shift 3
    combinations=$((combinations + 1))
    ((combinations % every == 0)) || return 0
    cases=$((cases + 1))
    rm -rf out && cp -r "$folder" out
    place "$kind" "$path"
    timeout -s KILL 20 "$@" > output.txt 2>&1 < /dev/null || code=$?
    if ! outside_is_unchanged; then
        fail "$kind $path: a file outside the folder was changed by $*"
        fresh_outside
    fi
    [[ $kind != hard_link || $code != 0 ]] || return 0
    if [[ $code != 4 ]] || ! grep -Eq "^error: .*$path.*(remove it|rename it|replace it|give the name)" output.txt; then
        sed 's/^/    /' output.txt
        fail "$kind $path: exit code $code, or the error does not name the file: $*"
    fi
}

files=(run.json run_scene.yaml run.log run.lock checkpoint.h5 checkpoint_previous.h5 probe_all.csv frame_000002.vtkhdf frame_000002.ply
    frame_000002.csv)
temporary=(run.json.part checkpoint.h5.part checkpoint_previous.h5.new frame_000002.vtkhdf.part)
fresh_outside
mkdir empty
renders=1 # this build
code=0
"$DOLLOP" render empty > output.txt 2>&1 || code=$?
[[ $code != 8 ]] || renders=0
for kind in "${kinds[@]}"; do
    for file in "${files[@]}" "${temporary[@]}"; do
        try "$kind" "$file" empty "${run[@]}" --overwrite
        # a hard link of the record or of a checkpoint is a damaged file
        [[ $kind == hard_link && $file =~ ^(run.json|checkpoint.*5)$ ]] || try "$kind" "$file" resumable "${run[@]}" --resume
    done
    for file in surface_000001.ply surface_000001.ply.part surface.json surface.json.part; do
        try "$kind" "$file" finished "$DOLLOP" surface out -q
    done
    [[ $kind != hard_link ]] || continue
    try "$kind" frame_000001.vtkhdf finished "$DOLLOP" surface out -q
    for file in frame_000001.vtkhdf picture_000001.png picture_000001.png.part film.mp4 film.mp4.new; do
        ((renders == 0)) || try "$kind" "$file" finished "$DOLLOP" render out -q -s 32x32
    done
    for file in probe_all.csv probe_all.svg probe_all.svg.part; do
        try "$kind" "$file" finished "$DOLLOP" plot out
    done
    try "$kind" checkpoint.h5 finished "$DOLLOP" info out
done
((combinations > 200)) || fail "only $combinations combinations"

# The user's own names are links: the output folder, the scene, and a file named on the command line.
rm -rf out real && mkdir real && ln -s real out && mkdir linked && ln -s ../scene.yaml linked/scene.yaml
"$DOLLOP" run linked/scene.yaml --quiet -o out
ln -s real/frame_000001.vtkhdf given.vtkhdf && ln -s real/probe_all.csv given.csv
expect 0 'frame, intact' "$DOLLOP" info given.vtkhdf
expect 0 'given.svg' "$DOLLOP" plot given.csv

# temporary files of a killed process are removed; other files of such names, and those of a running process, are kept
rm -f out && cp -r resumable out
for file in "${files[@]}"; do
    echo leftover > "out/$file.part"
done
echo mine > out/notes.part
echo leftover > out/checkpoint_previous.h5.new
"${run[@]}" --resume
rm out/run.lock.part # is never written
[[ $(cd out && echo *.part *.new) == 'notes.part *.new' ]] || fail "left by a run: $(cd out && echo *.part *.new)"
echo leftover > out/surface_000000.obj.part
echo leftover > out/picture_000009.png.part
"$DOLLOP" surface out -q
[[ $(cd out && echo *.part) == 'notes.part picture_000009.png.part' ]] || fail "left by surface: $(cd out && echo *.part)"
if ((renders)); then
    echo leftover > out/film.mp4.new
    "$DOLLOP" render out -q -s 32x32
    [[ $(cd out && echo *.part *.new) == 'notes.part *.new' ]] || fail "left by render: $(cd out && echo *.part *.new)"
    echo written > out/film.mp4.new
    expect 9 'cannot remove out/film.mp4.new: another process is writing it' flock out/film.mp4.new "$DOLLOP" render out -q -s 32x32
    [[ $(cat out/film.mp4.new) == written ]] || fail "the film of another process was removed"
fi

[[ $failures == 0 ]] || exit 1
echo "$cases of $combinations combinations: nothing outside was changed"
