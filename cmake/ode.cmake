# ODE, for free rigid bodies (src/bodies/bodies.h). Without it the same functions return an error that says how to get it.

set(DOLLOP_ODE_SOURCES bodies body_contacts body_forms body_joints body_mass body_step ode_guard)
set(DOLLOP_LIBODE_FOUND OFF)
if(DOLLOP_ODE)
    pkg_check_modules(DOLLOP_LIBODE IMPORTED_TARGET ode)
endif()
if(DOLLOP_LIBODE_FOUND)
    # Some packages of ODE are built in single precision, which is not accurate enough.
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES PkgConfig::DOLLOP_LIBODE)
    check_c_source_compiles("#include <ode/ode.h>
        _Static_assert(sizeof(dReal) == sizeof(double), \"double\");
        int main(void) { dInitODE(); }" DOLLOP_ODE_WORKS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    set(DOLLOP_LIBODE_FOUND ${DOLLOP_ODE_WORKS})
endif()
if(DOLLOP_ODE AND NOT DOLLOP_LIBODE_FOUND)
    set(advice "install ODE in double precision (Debian: libode-dev)")
    if(NOT DOLLOP_ODE STREQUAL "AUTO")
        message(FATAL_ERROR "DOLLOP_ODE is ${DOLLOP_ODE}, but ODE cannot be used: ${advice}, or set it to OFF.")
    endif()
    message(STATUS "Without free rigid bodies; to have them, ${advice}")
endif()

if(DOLLOP_LIBODE_FOUND)
    set(DOLLOP_LIBODE_FOUND ON)
    set(DOLLOP_ODE_LEFT_OUT "/bodies_without_ode\\.c$")
    list(APPEND DOLLOP_LINK_LIBRARIES PkgConfig::DOLLOP_LIBODE)
else()
    set(DOLLOP_LIBODE_FOUND OFF) # pkg_check_modules leaves it empty, which the installed package cannot parse
    list(JOIN DOLLOP_ODE_SOURCES "|" names)
    set(DOLLOP_ODE_LEFT_OUT "/src/bodies/(${names})\\.c$")
endif()
