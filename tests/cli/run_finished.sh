#!/usr/bin/env bash
# A finished run is not repeated, shortened or replaced without --overwrite, and lock files do not stay behind: not after success,
# errors, Ctrl-C, a second Ctrl-C, nor, once another run has used the folder, after kill -9.
# ctest: timeout 300
set -euo pipefail

sed 's/frames: 2/frames: 4/' "$DOLLOP_SOURCE/tests/support/small_dam.yaml" > scene.yaml

source "$DOLLOP_SOURCE/tests/support/expect.sh"
fail() {
    echo "FAILED: $*"
    exit 1
}
# all files of a folder with their time and contents
state() {
    (cd "$1" && stat -c '%n %Y %i' -- * && sha256sum -- *)
}

hash=$("$DOLLOP" run scene.yaml -o run --quiet --hash)
[[ ! -e run/run.lock ]] || fail "a lock file after success"
before=$(state run)
expect 9 'contains the finished run of this scene, up to frame 4' "$DOLLOP" run scene.yaml -o run
grep -q -- '--overwrite to run the scene again' output.txt || fail "no way out is shown"
expect 9 'finished run' "$DOLLOP" run scene.yaml -o run --frames ..2
expect 9 'finished run' "$DOLLOP" run scene.yaml -o run --frames 3..4 --threads 2
expect 9 'add --resume to extend it to frame 6' "$DOLLOP" run scene.yaml -o run --frames ..6
expect 2 'already at frame 4, past frame 2' "$DOLLOP" run scene.yaml -o run --frames ..2 --resume
[[ $(state run) == "$before" ]] || fail "a refused run has changed the folder"

# --resume on a finished run is not an error, so that scripts may always give it; it extends
[[ $("$DOLLOP" run scene.yaml -o run --quiet --hash --resume) == "$hash" ]] || fail "--resume on a finished run"
"$DOLLOP" run scene.yaml -o run --quiet --resume --frames ..6
[[ -e run/frame_000006.vtkhdf && -e run/frame_000000.vtkhdf ]] || fail "the run was not extended"
expect 9 'up to frame 6' "$DOLLOP" run scene.yaml -o run
[[ $("$DOLLOP" run scene.yaml -o run --quiet --hash --overwrite) == "$hash" && ! -e run/frame_000006.vtkhdf ]] ||
    fail "--overwrite"

# without checkpoints
"$DOLLOP" run scene.yaml -o plain --quiet --set run.checkpoint_every=0
expect 9 'finished run' "$DOLLOP" run scene.yaml -o plain --set run.checkpoint_every=0
expect 9 'no checkpoint to extend it from' "$DOLLOP" run scene.yaml -o plain --set run.checkpoint_every=0 --resume --frames ..6

# locks: errors
expect 9 'another scene|other settings' "$DOLLOP" run scene.yaml -o run --set world.spacing=6cm
expect 3 'subdomains' "$DOLLOP" run scene.yaml -o bad --set world.subdomains=3
[[ ! -e run/run.lock && ! -e bad/run.lock ]] || fail "a lock file after an error"
"$DOLLOP" surface run/frame_000001.vtkhdf -o meshes -q
[[ ! -e meshes/run.lock ]] || fail "a lock file of surface"

# locks: signals. start FOLDER: a long run in the background, which has written its first frame
start() {
    "$DOLLOP" run scene.yaml -o "$1" --quiet --set world.spacing=2cm --set run.frames=2000 &
    process=$!
    for _ in $(seq 200); do
        [[ -e $1/frame_000000.vtkhdf ]] && return
        sleep 0.05
    done
    fail "no frame"
}
start stopped
[[ -e stopped/run.lock ]] || fail "no lock file during a run"
kill -TERM $process
code=0
wait $process || code=$?
[[ $code == 5 && ! -e stopped/run.lock ]] || fail "Ctrl-C: exit code $code and $(ls stopped)"

start twice
kill -STOP $process # both signals are pending before the first step ends
kill -TERM $process
kill -HUP $process
kill -CONT $process
code=0
wait $process 2> /dev/null || code=$?
[[ ($code == 129 || $code == 143) && ! -e twice/run.lock ]] || fail "two signals: exit code $code and $(ls twice)"

start killed
kill -KILL $process
wait $process 2> /dev/null || true
[[ -e killed/run.lock ]] || fail "kill -9 cannot remove the lock file"
expect 0 'done' "$DOLLOP" run scene.yaml -o killed --overwrite
[[ ! -e killed/run.lock ]] || fail "a stale lock file stays behind"

# a run in progress keeps its lock against others, whose failure does not remove it
start busy
expect 9 "another run \(process $process\)" "$DOLLOP" run scene.yaml -o busy --overwrite
expect 9 "another run \(process $process\)" "$DOLLOP" run scene.yaml -o busy --overwrite
[[ -e busy/run.lock ]] || fail "the lock of another process was removed"
kill -TERM $process
wait $process || true

# a link with the name of the lock is not followed
mkdir linked
ln -s ../victim linked/run.lock
expect 4 'cannot write' "$DOLLOP" run scene.yaml -o linked
[[ ! -e victim ]] || fail "a file outside the folder was created"
echo "finished runs are kept and locks are removed"
