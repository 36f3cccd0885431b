/* A thread of particles that is periodic along z: a wave on a cylinder of radius 1 m, with its neck at the height 0. Lengths are in m. */
#ifndef STUDIES_PERIODIC_THREAD_H
#define STUDIES_PERIODIC_THREAD_H

#include "studies/study_world.h"

#include <dollop/rheology.h>

typedef struct ThreadShape {
    double length;    /* of a period */
    double amplitude; /* of the wave */
} ThreadShape;

enum { THREAD_RADII = 400 };

typedef struct PeriodicThread {
    dlp_World *world;
    ThreadShape shape;
    dlp_MaterialId fluid;
    StudyParticles particles;
    int64_t count;
    double spacing;
    double wave_number;
    double radius; /* of a cylinder with the volume of the thread */
} PeriodicThread;

/* At rest, Newtonian, with surface tension 1. The length is rounded to whole spacings. */
PeriodicThread thread_make(StudyRun *run, const ThreadShape *shape, int per_radius, double viscosity, double density);
void thread_destroy(PeriodicThread *thread);

/* First Fourier component of the volume per length over its mean, and the height of the neck (m). */
double thread_amplitude(StudyRun *run, PeriodicThread *thread, double *neck);

/* m, radius of a cylinder with the mean cross section around the neck, weighted by 1 + cos over this window, of the particles read last. */
double thread_neck(const PeriodicThread *thread, double neck, double window);

/* The slender thread of the same shape, as the particles were read last. `radii` keeps its radii. */
dlp_ThreadDef thread_slender(const PeriodicThread *thread, double neck, double window, double radii[THREAD_RADII]);

#endif
