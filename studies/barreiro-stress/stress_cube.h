/* The falling cube of the study, simulated by the stress-based rival or by our method, and what is measured of it. */
#ifndef DLP_STUDIES_STRESS_CUBE_H
#define DLP_STUDIES_STRESS_CUBE_H

#include "studies/study.h"

#define CUBE_SIDE    1.0   /* m                                                                              */
#define CUBE_SAMPLE  0.012 /* s, between two points of a curve: a whole number of steps, of the paper's two */
#define CUBE_SAMPLES 40    /* points after the first: 0.48 s, to shortly before the second impact            */

/* A cube and how it is simulated. */
typedef struct CubeSetup {
    int n;            /* particles along an edge          */
    double viscosity; /* Pa.s                             */
    bool rival;
    int parts;      /* steps from one sample to the next */
    int iterations; /* ours: half of velocities, half of positions; an even number */
    bool fresh;     /* ours: each step begins without stress, as published, not with that of the last step */
    double skin;    /* the rival's lists, in spacings    */
    bool landing;   /* starts on the floor, at the speed of the impact */
} CubeSetup;

static inline double cube_step(const CubeSetup *setup)
{
    return CUBE_SAMPLE / setup->parts;
}

/* A run from the release of the cube on. */
typedef struct CubeTrace {
    CubeSetup setup;
    bool stable;    /* finite, and never with more energy than at its release */
    double seconds; /* that it took, whatever else the machine was doing */
    double height[CUBE_SAMPLES + 1], width[CUBE_SAMPLES + 1]; /* m, over time */
    /* What is found out about it: */
    double rebound;                   /* m, highest the centre gets after the impact, above a cube at rest */
    double height_error, width_error; /* m, largest difference to the reference */
    double cost;                      /* s, for one simulated second            */
} CubeTrace;

/* Let the cube fall. */
void cube_simulate(StudyRun *run, const CubeSetup *setup, CubeTrace *trace);

/* Fill in the rebound, and how far it is from the reference. */
void cube_compare(CubeTrace *trace, const CubeTrace *reference);

/* Seconds of computing for one simulated second, measured over the first moments after the impact. */
double cube_cost(StudyRun *run, const CubeSetup *setup);

#endif
