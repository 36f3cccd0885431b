/* A limit of the speed that displacements near walls become. Walls that close a gap narrower than particles leave them no way but along
 * the gap, and position constraints would expel them at several times the speed of the walls. Near a wall, displacements give a
 * particle no more speed relative to its surroundings than neighbours and walls have among themselves, besides what it had before. */
#ifndef DLP_METHODS_SQUEEZE_LIMIT_H
#define DLP_METHODS_SQUEEZE_LIMIT_H

#include "methods/method.h"

/* Reduce `correction` accordingly, and leave positions as they are. */
void dlp__limit_squeezing(dlp__StepContext *step);

#endif
