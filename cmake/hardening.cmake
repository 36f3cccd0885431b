# Programs and libraries read files from strangers: a memory error in them must end the program and not run foreign code.
# tests/install/hardening.sh reads the result from the ELF headers.

include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# No search path for libraries: those of the system need none, and CMake pads the path of a build tree with an empty element, which
# means the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

set(hardening -fstack-protector-strong -fstack-clash-protection)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    list(APPEND hardening -fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(APPEND hardening -mbranch-protection=standard)
endif()
foreach(flag IN LISTS hardening)
    string(MAKE_C_IDENTIFIER "DOLLOP_HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
        add_compile_options(${flag})
    endif()
endforeach()
if(NOT sanitizers) # they check more, and their own way
    add_compile_options("$<$<NOT:$<CONFIG:Debug>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>") # needs optimization
endif()
if(NOT APPLE)
    add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
endif()
