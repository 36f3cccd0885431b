#!/usr/bin/env bash
# Reads the ELF headers of all programs and libraries that are installed, and of the command in the build tree: no search path for
# libraries, position-independent, all relocations resolved and read-only at start, no executable stack, stack protector, checked libc
# functions, control-flow protection where the machine has it; programs export nothing, the library only dlp_ symbols. Then starts the
# command in a folder with a library that would run if the folder were searched. CTest gives DOLLOP_BUILD, DOLLOP_SOURCE, CC and CMAKE.
# ctest: timeout 120
set -euo pipefail

work=$(mktemp -d "$PWD/hardening.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$CMAKE" --install "$DOLLOP_BUILD" --prefix "$work/prefix" >"$work/install.log"
source "$DOLLOP_SOURCE/tests/support/expect.sh"

is_elf()
{
    [[ $(head -c 4 "$1" | tr -d '\0') == $'\x7fELF' ]]
}

optimized=$(grep -c '^CMAKE_BUILD_TYPE:STRING=Debug' "$DOLLOP_BUILD/CMakeCache.txt" || :)
check_file() # FILE
{
    local name=${1#"$work/"} exported
    readelf -W -h -d -l -n "$1" >"$work/headers" 2>/dev/null
    readelf -W --dyn-syms "$1" >"$work/symbols"
    nm -D --defined-only "$1" 2>/dev/null | awk '$3 !~ /@/ && $2 ~ /[B-Z]/ { print $3 }' >"$work/exported"
    lacks() { ! grep -Eq "$1" "$work/headers" || fail "$name: $2"; }
    has() { grep -Eq "$1" "$work/headers" || fail "$name: $2"; }
    lacks '\((RPATH|RUNPATH)\)' "has a search path for libraries"
    lacks 'TEXTREL' "has relocations in its code"
    lacks 'GNU_STACK.* RWE' "has an executable stack"
    has 'Type: +DYN' "is not position-independent"
    has 'GNU_RELRO' "has no read-only relocations"
    has 'BIND_NOW|FLAGS_1.*NOW' "resolves functions late"
    if grep -q 'X86-64' "$work/headers"; then # the header says so only if the files of the C library, too, were built with it
        LC_ALL=C grep -qaP '\xf3\x0f\x1e\xfa' "$1" || fail "$name: has no control-flow protection (endbr64)"
    fi
    grep -q '__stack_chk_fail' "$work/symbols" || fail "$name: has no stack protector"
    [[ $optimized != 0 ]] || grep -q '_chk@' "$work/symbols" || fail "$name: does not use the checked functions of libc"
    case $name in
    *.so*) exported=$(grep -v '^dlp_' "$work/exported" || :) ;;
    *) exported=$(cat "$work/exported") ;;
    esac
    [[ -z $exported ]] || fail "$name: exports $(head -n 3 <<<"$exported" | tr '\n' ' ')"
}

files=0
while IFS= read -r file; do
    if is_elf "$file"; then
        check_file "$file"
        files=$((files + 1))
    fi
done < <(find "$work/prefix" "$DOLLOP_BUILD/bin" -type f -size +4k)
[[ $files -ge 5 ]] || fail "only $files programs and libraries were found"

# A downloaded folder with a library of a name that the command needs
mkdir "$work/downloads"
cd "$work/downloads"
cat >foreign.c <<'C'
#include <stdlib.h>
__attribute__((constructor)) static void run(void)
{
    _Exit(99);
}
C
for library in $(readelf -d "$DOLLOP_BUILD/bin/dollop" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    case $library in
    libc.* | libm.* | ld-*) ;;
    *) "$CC" -shared -fPIC foreign.c -o "$library" ;;
    esac
done
for command in "$DOLLOP_BUILD/bin/dollop" "$work/prefix/bin/dollop"; do
    "$command" help >/dev/null || fail "$command loads libraries from the current folder"
done

[[ $failures == 0 ]] || exit 1
echo "$files programs and libraries are hardened"
