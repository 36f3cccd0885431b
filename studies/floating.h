/* Balls in a tank: each floats with as much of it under the surface as it is lighter than the fluid, or sinks. For any method. */
#ifndef STUDIES_FLOATING_H
#define STUDIES_FLOATING_H

#include "studies/study_world.h"

typedef struct FloatingDef {
    const char *method;
    StudyValue settings[2]; /* of the method; without a name for none */
    int sizes[2];           /* radius of the ball in spacings; the second is left out of quick runs */
    double friction;        /* of the ball */
    double starts
        [2]; /* heights at which it is let go, in parts of the fluid's depth; 0 for none. Depths are the mean of both */
    int per_second; /* steps                       */
    double wanted;  /* part by which depths may be off at the most particles */
    double quick;   /* the same for the smaller ball of a quick run; 0: the same */
    double sunk;    /* m above the floor: the centre of the heavy ball is to come lower  */
    bool squeezed;  /* fluid gives way under its weight: its level is looked up, not told by its volume */
} FloatingDef;

/* Table, plot and verdict: balls of 0.3, 0.6, 0.9 and 1.2 of the fluid's density. */
void floating_run(StudyRun *run, const FloatingDef *def);

#endif
