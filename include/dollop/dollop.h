/* dollop: particle simulation of viscoelastic fluids. This header includes the public interface (except render.h). */
#ifndef DOLLOP_DOLLOP_H
#define DOLLOP_DOLLOP_H

#include <dollop/defs.h>
#include <dollop/files.h>
#include <dollop/fit.h>
#include <dollop/material_library.h>
#include <dollop/params.h>
#include <dollop/probe.h>
#include <dollop/ranks.h>
#include <dollop/rheometer.h>
#include <dollop/rheology.h>
#include <dollop/scene.h>
#include <dollop/surface.h>
#include <dollop/types.h>
#include <dollop/world.h>
#include <dollop/writer.h>

#endif
