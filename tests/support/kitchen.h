/* A scene for tests of bitwise reproducibility, with many kinds of interaction: two blocks of different materials collide in a tank
 * with a ball between them, and an emitter adds a third material from above. */
#ifndef DLP_TESTS_SUPPORT_KITCHEN_H
#define DLP_TESTS_SUPPORT_KITCHEN_H

#include "support/world_fixture.h"

/* Contents of the scene; the shape of the ball is fixed. */
typedef struct KitchenDef {
    dlp_MaterialDef material[3]; /* of the two blocks and of the emitter */
    double tank_friction;
    dlp_SolidDef ball;
} KitchenDef;

dlp_WorldDef kitchen_world(const char *method, int threads, int simd, int parts);
void fill_kitchen(dlp_World *world, const KitchenDef *def);

/* Take `steps` steps. Half-way the world is saved to `file`, destroyed and loaded again; returns the loaded world. */
dlp_World *step_across_checkpoint(dlp_World *world, const char *file, int steps, double dt);

#endif
