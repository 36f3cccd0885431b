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

/* A test of a method in variants of the scene. */
typedef struct KitchenTest {
    dlp_World *(*make)(int variant, int threads, int simd, int parts);
    void (*check)(dlp_World *world, int variant); /* of the end of each run in one subdomain; may be null */
    int variants;
    int divisible; /* the first of them, which have a result that does not depend on the number of subdomains */
    int steps;
    double dt;        /* s */
    const char *file; /* for the checkpoint */
} KitchenTest;

/* Runs the tests that threads (1, 2, 8), vector widths and subdomains (2, 4, 8) give the bits of one lane on one thread in one subdomain, and
 * that so does a run that is saved and loaded half-way. Returns the exit status of the program. */
int run_kitchen_tests(const KitchenTest *test);

/* Take `steps` steps. Half-way the world is saved to `file`, destroyed and loaded again; returns the loaded world. */
dlp_World *step_across_checkpoint(dlp_World *world, const char *file, int steps, double dt);

#endif
