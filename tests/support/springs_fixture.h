/* Worlds of method springs for tests. */
#ifndef DLP_TESTS_SUPPORT_SPRINGS_FIXTURE_H
#define DLP_TESTS_SUPPORT_SPRINGS_FIXTURE_H

#include <dollop/world.h>

#define SPRINGS_SPACING 0.01 /* m */

/* Without gravity. */
dlp_WorldDef springs_def(void);
/* With one material; `form` is a value of the method's parameter of that name. */
dlp_World *make_springs(int form, const dlp_MaterialDef *material);
void run_springs(dlp_World *world, int steps, double dt);
/* m, from the lowest to the highest particle. */
double springs_height(const dlp_World *world);

/* A dlp_PushFunction that stretches a drop along an axis. */
void stretch_drop(void *user, uint64_t id, const float position[3], float velocity[3]);

#endif
