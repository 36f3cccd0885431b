/* An estimate of the largest stable time step of a scene by the Courant condition: no particle should move more than a fraction of
 * the spacing per step. This requires an estimate of the maximum speed. */
#ifndef DOLLOP_SAFE_STEP_H
#define DOLLOP_SAFE_STEP_H

#include <dollop/world.h>

#define SAFE_COURANT 0.4 /* spacings per step */

typedef struct ExpectedSpeed {
    double fluid;      /* m/s, fastest particle of the probe, or emitter */
    double drop;       /* m, height from the highest fluid to the floor; infinite without a floor */
    double falling;    /* m/s, after falling from that height       */
    double solids;     /* m/s, fastest point of a moving solid        */
    double maximum;    /* m/s, the largest of these                   */
    const char *cause; /* text: origin of the maximum */
} ExpectedSpeed;

/* `probe_speed`: maximum speed (m/s) during a short probe run. `duration`: simulated time of the scene in seconds. */
ExpectedSpeed expected_speed(const dlp_World *world, double probe_speed, double duration);

/* Seconds; infinite if nothing is expected to move. */
double safe_time_step(const ExpectedSpeed *speed, double spacing);

/* Warn if fixed steps of `time_step` (s; 0: automatic) are longer than the safe step; returns the number of warnings. */
int warn_of_long_step(const dlp_World *world, const ExpectedSpeed *speed, double time_step);

#endif
