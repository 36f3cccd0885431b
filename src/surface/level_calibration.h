/* Maps sums over ellipsoids to distances from the surface. The mapping is measured on a fluid with a flat top that
 * passes through the same code as any fluid. So a flat surface is reconstructed in its place for any radius, smoothing
 * and flatness. */
#ifndef DLP_SURFACE_LEVEL_CALIBRATION_H
#define DLP_SURFACE_LEVEL_CALIBRATION_H

#include "surface/level_blocks.h"

/* Fill the plan's table of levels. False when out of memory. */
bool dlp__level_calibrate(dlp__LevelPlan *plan, const dlp__EllipsoidPlan *ellipsoids, dlp__Memory *memory,
                          const dlp__Parallel *parallel);

#endif
