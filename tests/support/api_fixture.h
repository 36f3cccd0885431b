/* Small worlds and assertions for tests of the world's public interface. */
#ifndef DLP_TESTS_SUPPORT_API_FIXTURE_H
#define DLP_TESTS_SUPPORT_API_FIXTURE_H

#include "world/world_state.h"

#define API_TIME_STEP 0.002 /* s */

/* Fails the test unless `text` contains `part`. */
void assert_contains(const char *text, const char *part);

/* A world of the default method without anything in it. */
dlp_World *empty_world(int subdomains);

/* About 200 particles on a floor, with one item of every kind, after a few steps. */
dlp_World *full_world(int subdomains);

/* A world with one particle, on which only gravity acts. */
dlp_World *lone_particle(void);

#endif
