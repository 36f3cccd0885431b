#!/usr/bin/env bash
# Installs the build into a scratch prefix, moves the prefix, looks for all that should be in it, starts both programs in an empty
# folder, and builds and runs a small program against it: through find_package with each library, through pkg-config with each library,
# and by the lines of the README. CTest gives DOLLOP_BUILD, DOLLOP_SOURCE, CC and CMAKE.
# ctest: timeout 300
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "$PWD/install.XXXXXX")
trap 'rm -rf "$work"' EXIT

"$CMAKE" --install "$DOLLOP_BUILD" --prefix "$work/staged" >"$work/install.log"
mv "$work/staged" "$work/prefix" # an installed tree can be moved

prefix=$work/prefix
fail()
{
    echo "FAILED: $*"
    exit 1
}

echo "files:"
while read -r file; do
    [[ -s $prefix/$file ]] || fail "$file is not installed"
done <<'FILES'
bin/dollop
libexec/dollop/dollop-study
include/dollop/dollop.h
include/dollop/version.h
share/dollop/scenes/dam_break.yaml
share/dollop/scenes/meshes/duck.obj
share/dollop/docs/scene.schema.json
share/dollop/blender/render.py
share/dollop/blender/dollop_blender/__init__.py
share/doc/dollop/README.md
share/doc/dollop/LICENSE
share/doc/dollop/scenes/dam_break.yaml
share/doc/dollop/blender/render.py
share/doc/dollop/include/dollop/dollop.h
share/doc/dollop/CHANGELOG.md
share/doc/dollop/docs/scene_reference.md
share/doc/dollop/docs/portability.md
share/doc/dollop/docs/gallery/coiling.jpg
share/doc/dollop/examples/first_world.c
share/man/man1/dollop.1
share/bash-completion/completions/dollop
share/zsh/site-functions/_dollop
share/fish/vendor_completions.d/dollop.fish
FILES
for name in libdollop.so libdollop.a dollop.pc dollopConfig.cmake dollopConfigVersion.cmake; do
    [[ -n $(find "$prefix" -name $name) ]] || fail "$name is not installed"
done
for folder in scenes blender; do # complete
    (cd "$DOLLOP_SOURCE/$folder" && find . -type f ! -path '*__pycache__*') | while read -r file; do
        cmp -s "$DOLLOP_SOURCE/$folder/$file" "$prefix/share/dollop/$folder/$file" || fail "$folder/$file is not installed"
    done
done
[[ -z $(find "$prefix" -name __pycache__) ]] || fail "compiled Python is installed"
"$prefix/bin/dollop" completion bash | cmp - "$prefix/share/bash-completion/completions/dollop"

# Only the functions of the public headers are exported, and nothing from the programs. Lower case: local to the file, as far as the
# linker is concerned. A name with @ is a variable of libc.
library=$(find "$prefix" -name libdollop.so)
exported=$(nm -D --defined-only "$library" | awk '$2 !~ /[a-tv-z]/ && $3 !~ /^dlp_[a-z]/ && $3 !~ /@/ { print $3 }')
[[ -z $exported ]] || fail "the library exports" $exported
[[ $(nm -D --defined-only "$library" | grep -c ' T dlp_[a-z]') -ge 50 ]] || fail "the library exports too little"
for program in bin/dollop libexec/dollop/dollop-study; do
    exported=$(nm -D --defined-only "$prefix/$program" | awk '$2 !~ /[a-tv-z]/ && $3 !~ /@/ { print $3 }')
    [[ -z $exported ]] || fail "$program exports" $exported
done

mkdir "$work/empty" "$work/home"
cd "$work/empty"
version=$("$prefix/bin/dollop" --version)
echo "installed: $version"
header=$(sed -nE 's/#define DLP_VERSION_(MAJOR|MINOR|PATCH) +//p' "$prefix/include/dollop/version.h" | paste -sd.)
[[ $version == "dollop $header" ]] || fail "the headers have version $header"
"$prefix/bin/dollop" study --list >"$work/studies.txt"
grep -q barreiro-fig7 "$work/studies.txt"

echo "scenes:"
"$prefix/bin/dollop" help scenes >"$work/scenes.txt"
grep -q "They are in $prefix/share/dollop/scenes" "$work/scenes.txt"
grep -qE '^  scenes/dam_break.yaml +[A-Za-z]' "$work/scenes.txt"
"$prefix/bin/dollop" run scenes/duck.yaml --quiet --frames ..0 --set world.spacing=4cm
[[ -e out/duck/frame_000000.vtkhdf ]] || fail "an installed scene does not run"

echo "find_package:"
"$CMAKE" -S "$here/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" >"$work/configure.log" ||
    { cat "$work/configure.log"; exit 1; }
"$CMAKE" --build "$work/build" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/build/consumer_shared"
"$work/build/consumer_static"

echo "pkg-config:"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name dollop.pc)")
export PKG_CONFIG_PATH
[[ $(pkg-config --modversion dollop) == "$header" ]] || fail "pkg-config has version $(pkg-config --modversion dollop)"
read -ra cflags <<<"$(pkg-config --cflags dollop)"
read -ra libs <<<"$(pkg-config --libs dollop)"
read -ra static_libs <<<"$(pkg-config --static --libs dollop)"
libdir=$(pkg-config --variable=libdir dollop)
"$CC" -std=c17 "${cflags[@]}" "$here/consumer/consumer.c" "${libs[@]}" -Wl,-rpath,"$libdir" -o "$work/pc_shared"
"$work/pc_shared"
static_libs=("${static_libs[@]/#-ldollop/$libdir/libdollop.a}")
"$CC" -std=c17 "${cflags[@]}" "$here/consumer/consumer.c" "${static_libs[@]}" -o "$work/pc_static"
"$work/pc_static"

# The lines of the README, in a folder like that of the clone: only the build is there.
echo "README:"
mkdir -p "$work/clone/build"
ln -s "$DOLLOP_BUILD" "$work/clone/build/release"
awk '/^```sh/ { block = ""; inside = 1; next } /^```/ { if (block ~ /pkg-config/) printf "%s", block; inside = 0 } inside { block = block $0 "\n" }' \
    "$DOLLOP_SOURCE/README.md" >"$work/lines.sh"
grep -q 'pkg-config' "$work/lines.sh" || fail "the README has no lines with pkg-config"
unset PKG_CONFIG_PATH
(cd "$work/clone" && HOME=$work/home bash -euo pipefail "$work/lines.sh" >"$work/lines.log" 2>&1) || { cat "$work/lines.log"; fail "the README"; }
tail -n 1 "$work/lines.log"
