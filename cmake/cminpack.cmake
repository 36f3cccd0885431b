# cminpack, for least squares (src/rheology/least_squares.h). Its licence is that of MINPACK, similar to BSD; GSL and levmar do the same, but
# are under the GPL, which a program linked with them would have to follow. Without it dlp_fit_create() returns an error that says how to
# get it.

set(DOLLOP_LIBCMINPACK_FOUND OFF)
if(DOLLOP_CMINPACK)
    pkg_check_modules(DOLLOP_LIBCMINPACK IMPORTED_TARGET cminpack)
endif()
if(DOLLOP_CMINPACK AND NOT DOLLOP_LIBCMINPACK_FOUND)
    set(advice "install cminpack (Debian: libcminpack-dev)")
    if(NOT DOLLOP_CMINPACK STREQUAL "AUTO")
        message(FATAL_ERROR "DOLLOP_CMINPACK is ${DOLLOP_CMINPACK}, but cminpack is not found: ${advice}, or set it to OFF.")
    endif()
    message(STATUS "Without 'dollop fit'; to have it, ${advice}")
endif()

if(DOLLOP_LIBCMINPACK_FOUND)
    set(DOLLOP_LIBCMINPACK_FOUND ON)
    set(DOLLOP_CMINPACK_LEFT_OUT "/least_squares_without_minpack\\.c$")
    list(APPEND DOLLOP_LINK_LIBRARIES PkgConfig::DOLLOP_LIBCMINPACK)
else()
    set(DOLLOP_LIBCMINPACK_FOUND OFF) # pkg_check_modules leaves it empty, which the installed package cannot parse
    set(DOLLOP_CMINPACK_LEFT_OUT "/least_squares_minpack\\.c$")
endif()
