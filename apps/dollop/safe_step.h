/* The largest time step that a scene can be expected to bear: no particle should cross more than a part of the spacing
 * in a step (the Courant condition), so the question is how fast the fastest will be. */
#ifndef DOLLOP_SAFE_STEP_H
#define DOLLOP_SAFE_STEP_H

#include <dollop/world.h>

#define SAFE_COURANT 0.4 /* spacings per step */

typedef struct ExpectedSpeed {
    double fluid;      /* m/s, fastest particle seen or emitter       */
    double drop;       /* m, from the highest fluid to the lowest floor; infinite without a floor */
    double falling;    /* m/s, fluid that also fell that far          */
    double solids;     /* m/s, fastest point of a moving solid        */
    double most;       /* m/s, the largest of these                   */
    const char *cause; /* in words, what the largest comes from    */
} ExpectedSpeed;

/* `speed_seen`: the fastest particle of a short probe. `duration`: seconds that the scene runs for. */
ExpectedSpeed expected_speed(const dlp_World *world, double speed_seen, double duration);

/* Seconds; infinite if nothing is expected to move. */
double safe_time_step(const ExpectedSpeed *speed, double spacing);

#endif
