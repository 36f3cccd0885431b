/* dollop: viscoelastic fluids made of particles. This header brings in the whole public interface. */
#ifndef DOLLOP_DOLLOP_H
#define DOLLOP_DOLLOP_H

#include <dollop/files.h>
#include <dollop/params.h>
#include <dollop/scene.h>
#include <dollop/surface.h>
#include <dollop/types.h>
#include <dollop/world.h>

#endif
