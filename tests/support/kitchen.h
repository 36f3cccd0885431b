/* A scene for tests of bits, in which everything meets: two blocks of unlike stuff thrown at each other in a tank, a ball between
 * them, and a third material from a nozzle above. */
#ifndef DLP_TESTS_SUPPORT_KITCHEN_H
#define DLP_TESTS_SUPPORT_KITCHEN_H

#include "support/world_fixture.h"

/* What a kitchen is made of; the ball's shape is given. */
typedef struct KitchenDef {
    dlp_MaterialDef material[3]; /* of both blocks and of the nozzle */
    double tank_friction;
    dlp_SolidDef ball;
} KitchenDef;

dlp_WorldDef kitchen_world(const char *method, int threads, int simd, int parts);
void fill_kitchen(dlp_World *world, const KitchenDef *def);

/* So many steps, in the middle of which the world is saved into `file`, destroyed and loaded again; returns the loaded one. */
dlp_World *step_across_checkpoint(dlp_World *world, const char *file, int steps, double dt);

#endif
