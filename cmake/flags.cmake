# Compiler flags of all targets: warnings, floating point, sanitizers.

if(NOT CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
    message(FATAL_ERROR "dollop uses the vector extensions of gcc and clang; ${CMAKE_C_COMPILER_ID} has not been tried. "
        "Set CC=gcc or CC=clang.")
endif()

add_compile_options(-Wall -Wextra -Wpedantic -fvisibility=hidden)
if(DOLLOP_WERROR)
    add_compile_options(-Werror)
endif()

# Identical results for every vector width and thread count: no implicit fused multiply-add and no reassociation (so never
# -ffast-math). Without errno and traps the compiler can still vectorize sqrt and selects.
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)

# Strict C17 hides POSIX (clock_gettime, posix_memalign, mkstemp) unless requested.
add_compile_definitions(_POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)

# gcc 12 for arm64 ends with an internal error in the vectorizer (vect_transform_reduction) at one loop of this file.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set_source_files_properties(src/geometry/distance_field.c PROPERTIES COMPILE_OPTIONS -fno-tree-vectorize)
endif()

# AVX2 and AVX-512 on x86-64; DOLLOP_WIDE=baseline leaves them out.
set(DOLLOP_X86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT DOLLOP_WIDE STREQUAL "baseline")
    set(DOLLOP_X86_64 ON)
else()
    add_compile_definitions(DLP_ONLY_BASELINE)
endif()

if(DOLLOP_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "DOLLOP_FUZZ needs clang, because libFuzzer is part of it: use the preset 'fuzz' or CC=clang.")
    endif()
    set(sanitizers "fuzzer-no-link,address,undefined")
else()
    set(sanitizers "${DOLLOP_SANITIZE}")
endif()
if(sanitizers)
    add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${sanitizers})
endif()
