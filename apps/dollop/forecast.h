/* A forecast of the time that a run takes, from the steps that it has taken and from rehearsals: the same scene at coarser spacings,
 * which show how the number of particles, the length of the steps and the number of solver iterations develop. The steps of the run
 * itself correct the forecast as it proceeds. */
#ifndef DOLLOP_FORECAST_H
#define DOLLOP_FORECAST_H

#include "step_trace.h"

enum { REHEARSALS_MOST = 2 };

typedef struct Forecast {
    StepTrace real;                        /* the run itself, or its first steps */
    StepTrace rehearsals[REHEARSALS_MOST]; /* the coarsest first */
    int rehearsal_count;
    double output_seconds, output_count; /* decaying sums over frames that were written */
} Forecast;

void forecast_begin(Forecast *forecast, const Schedule *schedule, const dlp_World *world);
/* Add the last step of the world or the output of a frame, which took `seconds`. */
void forecast_add_step(Forecast *forecast, const dlp_World *world, double seconds);
void forecast_add_output(Forecast *forecast, double seconds);

typedef struct Outlook {
    double seconds;       /* until the end; NaN before the first step */
    double steps;         /* number of substeps until the end */
    double particles_end; /* at the end */
} Outlook;

/* From the time that the run has reached to its end. */
Outlook forecast_outlook(const Forecast *forecast);

/* Rehearse the scene, for about `budget` seconds at most. The scene is restored. Without a spacing that suits (fluids given as
 * points, thin nozzles) or if the coarse run fails, nothing is added. Returns whether the time that is left suffices to finish the
 * real run instead. */
bool forecast_rehearse(Forecast *forecast, dlp_Scene *scene, double budget);

#endif
