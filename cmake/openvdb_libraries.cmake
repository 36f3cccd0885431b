# Libraries for writing OpenVDB files, as the target dollop_openvdb, if all are found. Used by the build of dollop, and by the
# installed package for programs that link the static library.

find_library(DOLLOP_OPENVDB_LIBRARY openvdb)
find_library(DOLLOP_TBB_LIBRARY tbb)
find_library(DOLLOP_IMATH_LIBRARY NAMES Imath Imath-3_1 Imath-3_2) # some builds of OpenVDB use its half floats
mark_as_advanced(DOLLOP_OPENVDB_LIBRARY DOLLOP_TBB_LIBRARY DOLLOP_IMATH_LIBRARY)
set(DOLLOP_OPENVDB_LIBRARIES ${DOLLOP_OPENVDB_LIBRARY} ${DOLLOP_TBB_LIBRARY})
if(DOLLOP_IMATH_LIBRARY)
    list(APPEND DOLLOP_OPENVDB_LIBRARIES ${DOLLOP_IMATH_LIBRARY})
endif()
if(DOLLOP_OPENVDB_LIBRARY AND DOLLOP_TBB_LIBRARY AND NOT TARGET dollop_openvdb)
    add_library(dollop_openvdb INTERFACE IMPORTED)
    target_link_libraries(dollop_openvdb INTERFACE ${DOLLOP_OPENVDB_LIBRARIES})
endif()
