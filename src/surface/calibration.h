/* Which sum over ellipsoids is the surface, and how far from it is another? That is read off a fluid with a flat top, put through
 * the very code that fluids go through. So a flat surface comes out in its place whatever radius, smoothing and flatness are. */
#ifndef DLP_SURFACE_CALIBRATION_H
#define DLP_SURFACE_CALIBRATION_H

#include "surface/level_blocks.h"

/* Fill the plan's table of levels. False without memory. */
bool dlp__level_calibrate(dlp__LevelPlan *plan, const dlp__EllipsoidPlan *ellipsoids, dlp__Memory *memory,
                          const dlp__Parallel *parallel);

#endif
