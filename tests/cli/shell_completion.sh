#!/usr/bin/env bash
# The completion scripts of 'dollop completion': asked in bash and fish, and checked by zsh; shells that are not installed are left out.
# ctest: timeout 120
set -euo pipefail

fail() {
    echo "FAILED: $*"
    exit 1
}
mkdir -p 'a folder' out
touch honey.yaml 'a scene.yaml' notes.txt out/frame_000001.vtkhdf
for shell in bash zsh fish; do
    "$DOLLOP" completion $shell > dollop.$shell
done
code=0
"$DOLLOP" completion tcsh 2> /dev/null || code=$?
[[ $code == 2 ]] || fail "an unknown shell gives $code"

# bash: complete WORDS..., the last of which is being typed
bash -n dollop.bash
# shellcheck disable=SC1091
source ./dollop.bash
complete_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _dollop
    local IFS='|'
    reply="|${COMPREPLY[*]-}|"
}
# offers PATTERN WORDS...: the pattern is among the replies; PATTERN may be several words
offers() {
    local pattern
    complete_words "${@:2}"
    for pattern in $1; do
        [[ $reply == *"|${pattern//_SPACE_/ }|"* ]] || fail "bash: '${*:2}' does not offer $pattern but $reply"
    done
}
lacks() {
    complete_words "${@:2}"
    [[ $reply != *"|$1|"* ]] || fail "bash: '${*:2}' offers $1"
}
offers 'run check info surface render methods bench study help completion --version' dollop ''
offers 'run render' dollop r
lacks check dollop r
offers '--output --frames --export --resume --overwrite --set --method --threads --json --help' dollop run honey.yaml --
offers '--overwrite --output' dollop run --o
lacks --resume dollop run --o
offers 'ply csv' dollop run --export ''
lacks csv dollop run --export p
offers 'ply' dollop run --export = p
offers 'honey.yaml a_SPACE_scene.yaml out a_SPACE_folder' dollop run ''
lacks notes.txt dollop run ''
offers 'out a_SPACE_folder' dollop run honey.yaml -o ''
lacks honey.yaml dollop run honey.yaml -o ''
offers 'out' dollop render o
offers 'out/frame_000001.vtkhdf' dollop surface out/
offers 'physical pbf links' dollop methods ''
offers 'physical' dollop run honey.yaml --method ph
offers 'run exit-codes resume scene' dollop help ''
offers 'bash zsh fish' dollop completion ''
offers 'honey.yaml' dollop run --draft '' # its value is optional and never the next word
offers 'pour melt' dollop new honey --from ''
offers 'honey lava' dollop new lunch --material ''
offers 'honey' dollop materials ho
offers '1 4 8 16' dollop run honey.yaml --simd ''
[[ $("$DOLLOP" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r name; do
    complete_words dollop "$name"
    [[ $reply == *"|$name|"* ]] || echo "$name"
done) == '' ]] || fail "bash: commands are missing"
# every option of every command
for name in run check info surface render methods bench study; do
    for option in $("$DOLLOP" help $name | grep -oE '^  (-.,|   ) --[a-z-]+' | grep -oE -- '--[a-z-]+'); do
        offers "$option" dollop $name "$option"
    done
done

if command -v zsh > /dev/null; then
    zsh -n dollop.zsh
    # Load it as zsh does, and complete in an interactive shell on a terminal of its own.
    mkdir -p functions
    cp dollop.zsh functions/_dollop
    zsh -f -c 'fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -d ./dump; (( $+_comps[dollop] ))' ||
        fail "zsh does not load the function"
    cat > ask.zsh <<'ZSH'
# ask.zsh LINE WORD: prints what zsh offers for the line, until that contains the word
zmodload zsh/zpty
zpty shell zsh -f -i
say() { zpty -w shell "$1" }
say "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -d ./dump; cd $PWD"
say "zstyle ':completion:*' list-colors ''; LISTMAX=10000; COLUMNS=200; LINES=500; print READY"
zpty -r shell text '*READY*READY*'
zpty -w -n shell "$1"$'\t\t'
for i in {1..150}; do
    while zpty -r -t shell text; do answer+=$text; done
    [[ $answer == *$2* ]] && break
    sleep 0.1
done
print -r -- "$answer"
zpty -d shell
ZSH
    for question in 'dollop |surface' 'dollop run --|overwrite' 'dollop run --export |csv' 'dollop methods |physical' \
        'dollop run |honey.yaml'; do
        zsh -f ask.zsh "${question%%|*}" "${question##*|}" > answer.txt 2>&1 < /dev/null || true
        grep -q -- "${question##*|}" answer.txt || { cat -v answer.txt; fail "zsh: '${question%%|*}' does not offer ${question##*|}"; }
    done
else
    echo "without zsh"
fi

if command -v fish > /dev/null; then
    fish --no-execute dollop.fish
    ask_fish() {
        HOME=$PWD/home XDG_CONFIG_HOME=$PWD/home fish --private -c "source dollop.fish; complete -C '$1'" | cut -f1
    }
    mkdir -p home
    for question in 'dollop |run' 'dollop sur|surface' 'dollop run --ov|--overwrite' 'dollop run --export |csv' 'dollop methods ph|physical' \
        'dollop run h|honey.yaml' 'dollop render o|out/' 'dollop run honey.yaml -o o|out/' 'dollop help ex|exit-codes'; do
        ask_fish "${question%%|*}" | grep -qx -- "${question##*|}" ||
            fail "fish: '${question%%|*}' does not offer ${question##*|} but $(ask_fish "${question%%|*}" | tr '\n' ' ')"
    done
    [[ -z $(ask_fish 'dollop run --export p' | grep -x csv) ]] || fail "fish: csv for p"
else
    echo "without fish"
fi
echo "completions are as in the tables"
