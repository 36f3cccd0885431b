# cmake --install: headers, both libraries, the command, its manual page and completions, scenes, the Blender add-on, documentation and
# examples, the program with the studies (a component of its own), and what a consumer's build looks for (dollop.pc for pkg-config,
# dollopConfig.cmake for find_package).

include(CMakePackageConfigHelpers)

install(DIRECTORY include/dollop DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# Two export sets: linking the shared library does not require the development files of HDF5 and libfyaml.
install(TARGETS dollop_shared EXPORT dollopSharedTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS dollop_static EXPORT dollopStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS dollop_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS dollop_study RUNTIME DESTINATION ${libexec_dir} COMPONENT studies) # found from the command, not by PATH
install(FILES docs/dollop.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# What the command and its users read. The scenes name their schema relative to themselves.
install(DIRECTORY scenes blender DESTINATION ${data_dir} PATTERN __pycache__ EXCLUDE)
install(FILES docs/scene.schema.json DESTINATION ${data_dir}/docs)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
    PATTERN dollop.1 EXCLUDE PATTERN make_gallery EXCLUDE)
# The pages refer to the scenes, the add-on and the headers as in the source tree.
file(RELATIVE_PATH data_from_doc "${CMAKE_INSTALL_FULL_DOCDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/dollop")
file(RELATIVE_PATH include_from_doc "${CMAKE_INSTALL_FULL_DOCDIR}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
install(CODE "
    set(doc_dir ${CMAKE_INSTALL_DOCDIR})
    cmake_path(ABSOLUTE_PATH doc_dir BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
    foreach(name IN ITEMS scenes blender)
        file(CREATE_LINK ${data_from_doc}/\${name} \"\$ENV{DESTDIR}\${doc_dir}/\${name}\" SYMBOLIC)
    endforeach()
    file(CREATE_LINK ${include_from_doc} \"\$ENV{DESTDIR}\${doc_dir}/include\" SYMBOLIC)")
set(completion_dir ${PROJECT_BINARY_DIR}/completion)
install(FILES ${completion_dir}/dollop.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dollop)
install(FILES ${completion_dir}/dollop.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _dollop)
install(FILES ${completion_dir}/dollop.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dollop)
foreach(kind IN ITEMS Shared Static)
    install(EXPORT dollop${kind}Targets NAMESPACE dollop:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/dollopConfig.cmake.in ${PROJECT_BINARY_DIR}/dollopConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dollopConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dollopConfig.cmake ${PROJECT_BINARY_DIR}/dollopConfigVersion.cmake
    DESTINATION ${package_dir})

# dollop.pc derives the prefix from its own location, so that an installed tree can be moved.
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
set(pc_private_libs "-lm ${CMAKE_THREAD_LIBS_INIT}")
set(pc_render "")
if(DOLLOP_RENDER)
    set(pc_render " epoxy")
endif()
set(pc_hypre "")
if(DOLLOP_HYPRE_FOUND)
    set(pc_hypre " ${DOLLOP_MPI_MODULE_NAME}")
    string(APPEND pc_private_libs " ${DOLLOP_HYPRE_LIBRARY}")
endif()
set(pc_ode "")
if(DOLLOP_LIBODE_FOUND)
    set(pc_ode " ode")
endif()
set(pc_cminpack "")
if(DOLLOP_LIBCMINPACK_FOUND)
    set(pc_cminpack " cminpack")
endif()
if(DOLLOP_OPENVDB_FOUND)
    install(FILES cmake/openvdb_libraries.cmake DESTINATION ${package_dir})
    list(JOIN DOLLOP_OPENVDB_LIBRARIES " " pc_openvdb)
    list(JOIN cxx_runtime " -l" pc_cxx_runtime)
    string(APPEND pc_private_libs " ${pc_openvdb} -l${pc_cxx_runtime}")
endif()
if(DOLLOP_EMBREE_FOUND)
    string(APPEND pc_private_libs " ${DOLLOP_EMBREE_LIBRARY}")
endif()
configure_file(cmake/dollop.pc.in ${PROJECT_BINARY_DIR}/dollop.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dollop.pc DESTINATION ${pc_dir})
