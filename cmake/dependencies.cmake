# Libraries that dollop links: libfyaml, HDF5 (the serial build, even if an MPI build is also installed; with DOLLOP_MPI
# the parallel one), zlib, libm and POSIX threads.

find_package(PkgConfig REQUIRED)
pkg_check_modules(DOLLOP_FYAML REQUIRED IMPORTED_TARGET libfyaml)
if(DOLLOP_MPI)
    pkg_check_modules(DOLLOP_HDF5 REQUIRED IMPORTED_TARGET hdf5-openmpi)
else()
    pkg_search_module(DOLLOP_HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
endif()
pkg_check_modules(DOLLOP_ZLIB REQUIRED IMPORTED_TARGET zlib)

set(DOLLOP_MATH_LIBRARY "")
if(UNIX AND NOT APPLE)
    set(DOLLOP_MATH_LIBRARY m)
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
set(DOLLOP_LINK_LIBRARIES PkgConfig::DOLLOP_FYAML PkgConfig::DOLLOP_HDF5 PkgConfig::DOLLOP_ZLIB Threads::Threads ${DOLLOP_MATH_LIBRARY})

# Embeds files in the object of SOURCE, which names them by macros (src/base/embed.h). Definitions and the embedded FILES follow.
function(dollop_embed source definitions)
    set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARGN}" COMPILE_DEFINITIONS "${definitions}")
endfunction()

set(template_dir ${PROJECT_SOURCE_DIR}/src/scene/templates)
file(GLOB templates CONFIGURE_DEPENDS ${template_dir}/*.yaml)
dollop_embed(src/scene/scene_templates.c "DLP_TEMPLATE_DIR=\"${template_dir}\"" ${templates})
set(material_library ${PROJECT_SOURCE_DIR}/src/scene/material_library.yaml)
dollop_embed(src/scene/scene_library.c "DLP_MATERIAL_LIBRARY=\"${material_library}\"" ${material_library})

# Pictures: OpenGL through libepoxy, which loads it when the first picture is drawn. Shaders and a font are embedded in the library.
if(DOLLOP_RENDER)
    pkg_check_modules(DOLLOP_EPOXY REQUIRED IMPORTED_TARGET epoxy)
    find_path(DOLLOP_STB_DIR stb/stb_truetype.h REQUIRED)
    find_file(DOLLOP_FONT DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu
        /usr/share/fonts/TTF /usr/share/fonts/dejavu-sans-fonts NO_DEFAULT_PATH)
    if(NOT DOLLOP_FONT)
        message(FATAL_ERROR "The font DejaVuSans.ttf is not found: install it (fonts-dejavu-core), give its path with "
            "-DDOLLOP_FONT=..., or build without pictures with -DDOLLOP_RENDER=OFF.")
    endif()
    list(APPEND DOLLOP_LINK_LIBRARIES PkgConfig::DOLLOP_EPOXY)
    set(shader_dir ${PROJECT_SOURCE_DIR}/src/render/shaders)
    file(GLOB shaders CONFIGURE_DEPENDS ${shader_dir}/*)
    dollop_embed(src/render/embedded_files.c "DLP_SHADER_DIR=\"${shader_dir}\";DLP_FONT_FILE=\"${DOLLOP_FONT}\""
        ${shaders} ${DOLLOP_FONT})
endif()

# Compile settings of every object library.
function(dollop_configure_objects target)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    if(WIN32)
        target_compile_definitions(${target} PRIVATE DLP_BUILD) # exports the public functions, see types.h
    endif()
    target_link_libraries(${target} PRIVATE PkgConfig::DOLLOP_FYAML PkgConfig::DOLLOP_HDF5 PkgConfig::DOLLOP_ZLIB)
    if(DOLLOP_RENDER)
        target_link_libraries(${target} PRIVATE PkgConfig::DOLLOP_EPOXY)
    endif()
endfunction()
