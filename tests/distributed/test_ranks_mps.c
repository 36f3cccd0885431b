/* Method mps over several ranks is the same as in one process, bit for bit, where the pressure equation needs the multigrid: a tank with a
 * free surface, a full box, a periodic box, drops without contact, and fluid so small that ranks have no particles. All ranks compare.
 * DOLLOP_CASE=N tries only one case.
 * ctest: timeout 300 */
#include "methods/mps/mps_plan.h"
#include "poisson/poisson.h"
#include "support/rank_fixture.h"
#include "support/world_fixture.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double SPACING = 0.025, STEP = 0.004;

/* Blocks of particles on jittered lattices, side by side. */
typedef struct Scene {
    const char *name;
    int count[3];   /* particles along each axis of a block */
    int blocks[3];  /* along each axis                      */
    double gap;     /* m, between blocks                    */
    double packing; /* distance of particles in spacings; 0: 1. Less is compressed. */
    double height;  /* m, of the container; 0: none         */
    bool periodic;  /* along all axes                       */
    int lone;       /* further particles without neighbours */
    bool multigrid; /* from the first iteration on; otherwise where the diagonal does not suffice */
    int steps;
} Scene;

static const Scene scenes[] = {
    {.name = "tank with a free surface", .count = {22, 22, 22}, .blocks = {1, 1, 1}, .height = 1.0, .steps = 3},
    {.name = "full box", .count = {20, 20, 20}, .blocks = {1, 1, 1}, .height = 0.5, .steps = 2},
    {.name = "periodic box", .count = {21, 20, 19}, .blocks = {1, 1, 1}, .periodic = true, .steps = 2},
    {.name = "drops",
     .count = {4, 4, 4},
     .blocks = {5, 5, 3},
     .gap = 0.1,
     .packing = 0.7,
     .lone = 200,
     .multigrid = true,
     .steps = 2},
    {.name = "film", .count = {50, 50, 2}, .blocks = {1, 1, 1}, .packing = 0.7, .multigrid = true, .steps = 2},
    {.name = "one cell", .count = {2, 2, 2}, .blocks = {1, 1, 1}, .packing = 0.5, .multigrid = true, .steps = 4},
};
enum { SCENES = sizeof scenes / sizeof scenes[0], SCHEMES = 2 };

static double width_of(const Scene *scene, int axis)
{
    return scene->count[axis] * SPACING * (scene->packing > 0.0 ? scene->packing : 1.0);
}

/* The position of a particle on the jittered lattice of its block. */
static void place(const Scene *scene, int64_t number, uint64_t *random, float position[3])
{
    for (int a = 0; a < 3; a++) {
        const double lattice = (double)(number % scene->count[a]) + random_between(random, 0.35, 0.65);
        number /= scene->count[a];
        const double block = (double)(number % scene->blocks[a]);
        number /= scene->blocks[a];
        position[a] = (float)(width_of(scene, a) * lattice / scene->count[a] +
                              block * (width_of(scene, a) + scene->gap));
    }
}

static void add_particles(dlp_World *world, const Scene *scene)
{
    const int *count = scene->count, *blocks = scene->blocks;
    const int64_t lattice = (int64_t)count[0] * count[1] * count[2] * blocks[0] * blocks[1] * blocks[2],
                  all = lattice + scene->lone;
    float *points = malloc(3 * (size_t)all * sizeof *points);
    uint64_t random = 1;
    assert_non_null(points);
    for (int64_t i = 0; i < all; i++) {
        if (i < lattice) {
            place(scene, i, &random, points + 3 * i);
        } else {
            memcpy(points + 3 * i, (const float[3]){-0.2f * (float)(i - lattice + 1), 0.0f, 0.5f}, 3 * sizeof *points);
        }
    }
    assert_int_equal(dlp_world_add_points(world, 0, points, all, (dlp_Vec3){0.3, 0.1, -0.2}), DLP_OK);
    free(points);
}

static dlp_World *start(const Scene *scene, int scheme, dlp_Ranks *over)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_MaterialDef syrup = dlp_default_material_def();
    snprintf(def.method, sizeof def.method, "mps");
    def.spacing = SPACING;
    def.hooks.ranks = over;
    def.threads = over != NULL ? 2 : 1;
    if (scene->periodic) {
        def.periodic_size = (dlp_Vec3){width_of(scene, 0), width_of(scene, 1), width_of(scene, 2)};
    }
    dlp_World *world = make_world(&def);
    syrup.viscosity = 5.0;
    assert_int_equal(dlp_world_add_material(world, &syrup, NULL), DLP_OK);
    set_method(world, "cohesion", scheme == 0 ? DLP_MPS_BY_PRESSURE : DLP_MPS_BY_POTENTIAL);
    set_method(world, "form", scheme == 0 ? DLP_MPS_STRESS_FORM : DLP_MPS_LAPLACIAN_FORM);
    set_method(world, "preconditioner", scene->multigrid ? DLP_POISSON_MULTIGRID : DLP_POISSON_AUTOMATIC);
    if (scene->height > 0.0) {
        dlp_SolidDef walls = dlp_default_solid_def();
        walls.shape.kind = DLP_SHAPE_CONTAINER;
        walls.shape.size = (dlp_Vec3){width_of(scene, 0), width_of(scene, 1), scene->height};
        walls.shape.position = (dlp_Vec3){0.5 * walls.shape.size.x, 0.5 * walls.shape.size.y, 0.5 * scene->height};
        assert_int_equal(dlp_world_add_solid(world, &walls, NULL), DLP_OK);
    }
    add_particles(world, scene);
    return world;
}

/* How often the multigrid has been built. */
static int64_t multigrids(const dlp_World *world)
{
    dlp_StageTime time;
    for (int n = 0; dlp_world_stage_time(world, n, &time); n++) {
        if (strcmp(time.name, "poisson set-up") == 0) {
            return time.calls;
        }
    }
    return 0;
}

/* Number of ranks without particles. */
static int64_t idle_ranks(const dlp_World *world)
{
    return dlp__ranks_sum(ranks, dlp__domains_own_particles(&world->domains) == 0);
}

static int failures;

static void compare(const Scene *scene, int scheme)
{
    dlp_World *alone = start(scene, scheme, NULL), *shared = start(scene, scheme, ranks);
    bool equal = true;
    for (int n = 0; n < scene->steps && equal; n++) {
        step_or_fail(alone, STEP);
        step_or_fail(shared, STEP);
        const uint64_t expected = dlp_world_hash(alone), hash = dlp_world_hash(shared);
        equal = hash == expected;
        if (!equal) {
            failures++;
            print_message("%s, scheme %d: %016" PRIx64 " instead of %016" PRIx64 " after step %d\n", scene->name,
                          scheme, hash, expected, n + 1);
        }
    }
    print_message("%s, scheme %d: %d particles, %d multigrids, %d of %d ranks without particles\n", scene->name, scheme,
                  (int)dlp_world_particle_count(alone), (int)multigrids(alone), (int)idle_ranks(shared),
                  dlp_ranks_count(ranks));
    assert_true(multigrids(alone) > 0);
    assert_int_equal(multigrids(shared), multigrids(alone));
    assert_int_equal(dlp_world_particle_count(shared), dlp_world_particle_count(alone));
    assert_true(strcmp(scene->name, "one cell") != 0 || dlp_ranks_count(ranks) == 1 || idle_ranks(shared) > 0);
    dlp_world_destroy(shared);
    dlp_world_destroy(alone);
}

static void ranks_change_no_bit_of_pressure(void **state)
{
    const char *only = getenv("DOLLOP_CASE");
    (void)state;
    for (int number = 0; number < SCENES * SCHEMES; number++) {
        if (only == NULL || atoi(only) == number) {
            compare(&scenes[number / SCHEMES], number % SCHEMES);
        }
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_change_no_bit_of_pressure)};
    return cmocka_run_group_tests(tests, start_ranks, end_ranks);
}
