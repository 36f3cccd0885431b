/* A thread between two plates, as particles: which of them are connected to the plates, where its ends are and how thick it is. */
#ifndef STUDIES_THREAD_PARTS_H
#define STUDIES_THREAD_PARTS_H

#include "studies/study_world.h"

typedef struct ThreadParts {
    bool whole;                  /* one connected piece touches both plates                                      */
    double dispersed;            /* fraction of the particles that are connected to neither plate                */
    double upper_tip, lower_tip; /* m, lowest height of the piece at the upper plate, highest of the one below   */
    uint8_t *connected;          /* of each particle: to one of the plates. Reused by the next call, to be freed */
    int64_t capacity;
} ThreadParts;

typedef struct ThreadPlates {
    double lower, upper; /* m, heights of the two wetted faces */
} ThreadPlates;

/* Start from zeros. Particles within 1.5 spacings belong to one piece; a particle is dispersed if no chain of particles within 2
 * spacings connects it to a plate. */
void thread_find_parts(StudyRun *run, const StudyParticles *particles, double spacing, ThreadPlates plates,
                       ThreadParts *parts);
void thread_parts_free(ThreadParts *parts);

/* m, radius of a round thread with the volume of the connected particles between two heights. */
double thread_radius(const StudyParticles *particles, const ThreadParts *parts, double spacing, double from, double to);

/* m, the same of the thinnest slice, one spacing thick, between the plates. */
double thread_least_radius(const StudyParticles *particles, const ThreadParts *parts, double spacing,
                           ThreadPlates plates);

#endif
