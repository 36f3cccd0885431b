# Embree, for distances to meshes (src/geometry/closest_point.c). Version 3 has no pkg-config file.

set(DOLLOP_EMBREE_FOUND OFF)
if(NOT DOLLOP_EMBREE)
    return()
endif()

find_path(DOLLOP_EMBREE_INCLUDE embree3/rtcore.h)
find_library(DOLLOP_EMBREE_LIBRARY embree3)
mark_as_advanced(DOLLOP_EMBREE_INCLUDE DOLLOP_EMBREE_LIBRARY)
if(NOT DOLLOP_EMBREE_INCLUDE OR NOT DOLLOP_EMBREE_LIBRARY)
    set(advice "install Embree 3 (Debian: libembree-dev)")
    if(DOLLOP_EMBREE STREQUAL "AUTO")
        message(STATUS "Without meshes as shapes; to have them, ${advice}")
        return()
    endif()
    message(FATAL_ERROR "DOLLOP_EMBREE is ${DOLLOP_EMBREE}, but Embree is not found: ${advice}, or set it to OFF.")
endif()

set(DOLLOP_EMBREE_FOUND ON)
list(APPEND DOLLOP_LINK_LIBRARIES ${DOLLOP_EMBREE_LIBRARY})
set_source_files_properties(src/geometry/closest_point.c PROPERTIES COMPILE_DEFINITIONS DLP_EMBREE
    COMPILE_OPTIONS "-isystem${DOLLOP_EMBREE_INCLUDE}")
