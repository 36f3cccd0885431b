/* How far points are from a rigid body. */
#ifndef STUDIES_STUDY_FIT_H
#define STUDIES_STUDY_FIT_H

#include "studies/study_world.h"

/* Root mean square distance (m) of the particles `now` from the particles `rest`, moved as a whole by the rotation and
 * translation that make it least. Both hold the same ids. */
double study_rms_from_rigid(const StudyParticles *rest, const StudyParticles *now);

#endif
