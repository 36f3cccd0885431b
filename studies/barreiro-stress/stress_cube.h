/* The falling cube of the study, simulated by the stress-based rival or by our method, and its measurements. */
#ifndef DLP_STUDIES_STRESS_CUBE_H
#define DLP_STUDIES_STRESS_CUBE_H

#include "studies/study.h"

#define CUBE_SIDE    1.0   /* m                                                                              */
#define CUBE_SAMPLE  0.012 /* s between two points of a curve: an integer number of the paper's steps */
#define CUBE_SAMPLES 40    /* points after the first: 0.48 s, to shortly before the second impact            */

/* A cube and how it is simulated. */
typedef struct CubeSetup {
    int n;            /* particles along an edge          */
    double viscosity; /* Pa.s                             */
    bool rival;
    int parts;      /* steps from one sample to the next */
    int iterations; /* ours: half for velocities, half for positions; an even number */
    bool fresh;   /* ours: each step starts with zero stress, as published, not with the stress of the previous step */
    double skin;  /* the rival's lists, in spacings    */
    bool landing; /* starts on the floor, at the speed of the impact */
} CubeSetup;

static inline double cube_step(const CubeSetup *setup)
{
    return CUBE_SAMPLE / setup->parts;
}

/* A run from the release of the cube on. */
typedef struct CubeTrace {
    CubeSetup setup;
    bool stable;    /* finite, and its energy never exceeds that at its release */
    double seconds; /* wall clock of the run, on a possibly shared machine */
    double height[CUBE_SAMPLES + 1], width[CUBE_SAMPLES + 1]; /* m, over time */
    /* Derived: */
    double rebound;                   /* m, highest the centre gets after the impact, above a cube at rest */
    double height_error, width_error; /* m, largest difference to the reference */
    double cost;                      /* s, for one simulated second            */
} CubeTrace;

/* Let the cube fall. */
void cube_simulate(StudyRun *run, const CubeSetup *setup, CubeTrace *trace);

/* Compute the rebound and the errors against the reference. */
void cube_compare(CubeTrace *trace, const CubeTrace *reference);

/* Computing seconds per simulated second, measured just after the impact. */
double cube_cost(StudyRun *run, const CubeSetup *setup);

#endif
