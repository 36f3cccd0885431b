# Worlds over several processes (src/distributed): OpenMPI, Zoltan for load balance, and the parallel build of HDF5.

set(DOLLOP_MPI_LEFT_OUT "/distributed/(mpi_ranks|rank_division|rank_files)\\.c$")
if(NOT DOLLOP_MPI)
    return()
endif()

pkg_check_modules(DOLLOP_OPENMPI IMPORTED_TARGET ompi-c)
find_path(DOLLOP_ZOLTAN_INCLUDE zoltan.h PATH_SUFFIXES trilinos)
find_library(DOLLOP_ZOLTAN_LIBRARY NAMES trilinos_zoltan zoltan)
mark_as_advanced(DOLLOP_ZOLTAN_INCLUDE DOLLOP_ZOLTAN_LIBRARY)
if(NOT DOLLOP_OPENMPI_FOUND OR NOT DOLLOP_ZOLTAN_INCLUDE OR NOT DOLLOP_ZOLTAN_LIBRARY)
    message(FATAL_ERROR "DOLLOP_MPI is ${DOLLOP_MPI}, but OpenMPI or Zoltan is not found: install them (Debian: libopenmpi-dev, "
        "libtrilinos-zoltan-dev, libhdf5-openmpi-dev), or set it to OFF.")
endif()

set(DOLLOP_MPI_LEFT_OUT "/distributed/ranks_without_mpi\\.c$")
list(APPEND DOLLOP_LINK_LIBRARIES ${DOLLOP_ZOLTAN_LIBRARY} PkgConfig::DOLLOP_OPENMPI)
set(mpi_options "-isystem${DOLLOP_ZOLTAN_INCLUDE}")
foreach(folder IN LISTS DOLLOP_OPENMPI_INCLUDE_DIRS)
    list(APPEND mpi_options "-isystem${folder}")
endforeach()
set_source_files_properties(src/distributed/mpi_ranks.c src/distributed/rank_division.c src/distributed/rank_files.c
    PROPERTIES COMPILE_OPTIONS "${mpi_options}")
