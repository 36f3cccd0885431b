# Files that end in _wide.c hold the pair loops. Each is compiled once per vector width with DLP_WIDTH set, and the binary selects a
# width at run time. Width 1 is the reference for the others, so it must stay scalar.

set(DOLLOP_WIDTHS 1 4)
if(DOLLOP_X86_64)
    list(APPEND DOLLOP_WIDTHS 8 16)
endif()

if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(DOLLOP_WIDTH_FLAGS_1 -fno-tree-vectorize -fno-tree-slp-vectorize)
else()
    set(DOLLOP_WIDTH_FLAGS_1 -fno-vectorize -fno-slp-vectorize)
endif()
set(DOLLOP_WIDTH_FLAGS_4 "")
set(DOLLOP_WIDTH_FLAGS_8 -mavx2 -mfma -mf16c)
set(DOLLOP_WIDTH_FLAGS_16 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512 -mavx2 -mfma -mf16c)

# Inlined checks take most of the build time of the sanitizers: 37 s for the four widths of physical_operator_wide.c, 17 s like this.
# The address sanitizer calls its checks in the widths that few tests run (such loops take twice as long) and sees null and wild pointers
# itself. Other undefined behaviour is checked at width 1, which has the same source; fuzz targets test readers, not pair loops.
foreach(width IN LISTS DOLLOP_WIDTHS)
    set(DOLLOP_WIDTH_SANITIZERS_${width} "")
    if(sanitizers MATCHES "address" AND width LESS 16 AND CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 14)
        list(APPEND DOLLOP_WIDTH_SANITIZERS_${width} -fsanitize-address-outline-instrumentation)
    endif()
    if(sanitizers MATCHES "undefined" AND (width GREATER 1 OR DOLLOP_FUZZ))
        list(APPEND DOLLOP_WIDTH_SANITIZERS_${width} -fno-sanitize=undefined)
    elseif(sanitizers MATCHES "address,undefined")
        list(APPEND DOLLOP_WIDTH_SANITIZERS_${width} -fno-sanitize=null,pointer-overflow)
    endif()
endforeach()

# Adds one object library per width, named PREFIX_WIDTH, and lists them in the variable OUT.
function(dollop_add_wide_objects prefix out)
    set(targets "")
    if(ARGN)
        foreach(width IN LISTS DOLLOP_WIDTHS)
            add_library(${prefix}_${width} OBJECT ${ARGN})
            dollop_configure_objects(${prefix}_${width})
            target_compile_definitions(${prefix}_${width} PRIVATE DLP_WIDTH=${width})
            target_compile_options(${prefix}_${width} PRIVATE ${DOLLOP_WIDTH_FLAGS_${width}})
            target_compile_options(${prefix}_${width} PRIVATE ${DOLLOP_WIDTH_SANITIZERS_${width}})
            list(APPEND targets ${prefix}_${width})
        endforeach()
    endif()
    set(${out} ${targets} PARENT_SCOPE)
endfunction()
