# cmake --install: headers, both libraries, the command, its manual page and scenes, and what a consumer's build looks for
# (dollop.pc for pkg-config, dollopConfig.cmake for find_package).

include(CMakePackageConfigHelpers)

install(DIRECTORY include/dollop DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# Two export sets: who links the shared library does not need the development files of HDF5 and libfyaml.
install(TARGETS dollop_shared EXPORT dollopSharedTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS dollop_static EXPORT dollopStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET dollop_command)
    install(TARGETS dollop_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/docs/dollop.1)
    install(FILES docs/dollop.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/scenes)
    install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/dollop/scenes)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dollop)
foreach(kind IN ITEMS Shared Static)
    install(EXPORT dollop${kind}Targets NAMESPACE dollop:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/dollopConfig.cmake.in ${PROJECT_BINARY_DIR}/dollopConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dollopConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dollopConfig.cmake ${PROJECT_BINARY_DIR}/dollopConfigVersion.cmake
    DESTINATION ${package_dir})

# dollop.pc finds its prefix from where it lies, so that an installed tree can be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
    set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
    file(RELATIVE_PATH up "/${pc_dir}" "/")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_private_libs "-lm")
set(pc_render "")
if(DOLLOP_RENDER)
    set(pc_render " epoxy")
endif()
if(DOLLOP_OPENMP)
    string(APPEND pc_private_libs " ${OpenMP_C_FLAGS}")
endif()
configure_file(cmake/dollop.pc.in ${PROJECT_BINARY_DIR}/dollop.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dollop.pc DESTINATION ${pc_dir})
