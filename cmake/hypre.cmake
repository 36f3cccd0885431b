# hypre, whose BoomerAMG may precondition the pressure equation (src/poisson/poisson_hypre.h). It needs MPI; no other file uses it.

set(DOLLOP_HYPRE_FOUND OFF)
set(DOLLOP_HYPRE_LEFT_OUT "/poisson_hypre\\.c$")
if(NOT DOLLOP_HYPRE)
    return()
endif()

find_path(DOLLOP_HYPRE_INCLUDE HYPRE.h PATH_SUFFIXES hypre)
find_library(DOLLOP_HYPRE_LIBRARY HYPRE)
mark_as_advanced(DOLLOP_HYPRE_INCLUDE DOLLOP_HYPRE_LIBRARY)
pkg_search_module(DOLLOP_MPI IMPORTED_TARGET ompi-c mpi-c mpich)
if(NOT DOLLOP_HYPRE_INCLUDE OR NOT DOLLOP_HYPRE_LIBRARY OR NOT DOLLOP_MPI_FOUND)
    message(FATAL_ERROR "DOLLOP_HYPRE is ${DOLLOP_HYPRE}, but hypre or MPI is not found: install them (Debian: libhypre-dev, "
        "libopenmpi-dev), or set it to OFF.")
endif()

set(DOLLOP_HYPRE_FOUND ON)
set(DOLLOP_HYPRE_LEFT_OUT "/poisson_without_hypre\\.c$")
list(APPEND DOLLOP_LINK_LIBRARIES ${DOLLOP_HYPRE_LIBRARY} PkgConfig::DOLLOP_MPI)
set(hypre_options "-isystem${DOLLOP_HYPRE_INCLUDE}")
foreach(folder IN LISTS DOLLOP_MPI_INCLUDE_DIRS)
    list(APPEND hypre_options "-isystem${folder}")
endforeach()
set_source_files_properties(src/poisson/poisson_hypre.c PROPERTIES COMPILE_OPTIONS "${hypre_options}")
