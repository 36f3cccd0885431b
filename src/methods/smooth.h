/* Velocity smoothing (XSPH) at the end of a step, with each material's coefficient `smoothing`; for methods that have it. */
#ifndef DLP_METHODS_SMOOTH_H
#define DLP_METHODS_SMOOTH_H

#include "methods/method.h"

/* The material parameter of smoothing. A method with smoothing puts it first in its material struct `type`, as
 * `member`, and the line below into its table. */
typedef struct dlp__SmoothMaterial {
    double smoothing; /* fraction of the velocity difference to its neighbours that a particle loses in a step */
} dlp__SmoothMaterial;

/* clang-format off */
#define DLP_SMOOTH_PARAMS(type, member) \
    {"smoothing", DLP_PARAM_REAL, offsetof(type, member.smoothing), "", {0.02, 0, 0}, 0.0, 0.5, NULL, \
     .help = "fraction of the velocity difference to its neighbours that a particle loses in a step (XSPH)"}
/* clang-format on */

/* Needs neighbour lists, `specific_volume` and the field `smoothing`. */
void dlp__smooth_velocities(dlp__StepContext *step);

#endif
