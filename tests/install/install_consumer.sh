#!/usr/bin/env bash
# Installs the build into a scratch prefix, moves the prefix, starts both programs, and builds and runs a small program
# against it: through find_package with each library, and through pkg-config with each library. CTest gives DOLLOP_BUILD,
# CC and CMAKE.
# ctest: timeout 120
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "$PWD/install.XXXXXX")
trap 'rm -rf "$work"' EXIT

"$CMAKE" --install "$DOLLOP_BUILD" --prefix "$work/staged" >"$work/install.log"
mv "$work/staged" "$work/prefix" # an installed tree can be moved

prefix=$work/prefix
version=$("$prefix/bin/dollop" --version)
echo "installed: $version"
"$prefix/bin/dollop" study --list >"$work/studies.txt"
grep -q barreiro-fig7 "$work/studies.txt"

echo "find_package:"
"$CMAKE" -S "$here/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" >"$work/configure.log" ||
    { cat "$work/configure.log"; exit 1; }
"$CMAKE" --build "$work/build" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/build/consumer_shared"
"$work/build/consumer_static"

echo "pkg-config:"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name dollop.pc)")
export PKG_CONFIG_PATH
read -ra cflags <<<"$(pkg-config --cflags dollop)"
read -ra libs <<<"$(pkg-config --libs dollop)"
read -ra static_libs <<<"$(pkg-config --static --libs dollop)"
libdir=$(pkg-config --variable=libdir dollop)
"$CC" -std=c17 "${cflags[@]}" "$here/consumer/consumer.c" "${libs[@]}" -Wl,-rpath,"$libdir" -o "$work/pc_shared"
"$work/pc_shared"
static_libs=("${static_libs[@]/#-ldollop/$libdir/libdollop.a}")
"$CC" -std=c17 "${cflags[@]}" "$here/consumer/consumer.c" "${static_libs[@]}" -o "$work/pc_static"
"$work/pc_static"
