/* The scenes of Table 1 of Barreiro et al. (2017): the printed values, and stand-ins for the geometry. */
#ifndef STUDIES_TABLE1_SCENES_H
#define STUDIES_TABLE1_SCENES_H

#include "studies/barreiro_cube.h"

enum { TABLE1_SCENES = 7, TABLE1_FRAME_RATE = 30 /* frames per second, all scenes */ };

typedef struct Table1Scene {
    const char *name;
    /* As printed. */
    double particles;
    double time_step; /* s */
    int steps;        /* per frame */
    int iterations;   /* viscoelastic, per step */
    double seconds;   /* per frame, on the paper's GPU */
    /* Fill the world with about `particles`, including those that nozzles emit up to `flow_time` (s). */
    void (*fill)(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step);
} Table1Scene;

extern const Table1Scene table1_scenes[TABLE1_SCENES];
enum { TABLE1_INTERACTIVE = 2, TABLE1_ARMADILLOS = 6 };

/* A world of about `particles`; null after a failure. The method physical iterates to its default tolerance, any other runs
 * the iterations of the table. */
dlp_World *table1_world(StudyRun *run, const Table1Scene *scene, BarreiroSolver solver, double particles,
                        double flow_time);

#endif
