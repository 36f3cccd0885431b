/* The stress-based solver that study barreiro-stress compares with: the same bits for every vector width, reused
 * against rebuilt neighbour lists, and momentum. Its shear wave is checked against theory by the study itself. */
#include "methods/conformation/conformation_fields.h"
#include "studies/barreiro-stress/stress_solver.h"

#include "base/simd.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const dlp__ConformationFields *conformation_fields_of(const dlp__Particles *p)
{
    return dlp__own_fields(p);
}

static const double SPACING = 0.1, STEP = 2e-4; /* m, s */
enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE, STEPS = 60 };

/* Final state of a particle, in the order of ids. */
typedef struct State {
    float position[3], velocity[3], conformation[6];
} State;

typedef struct Setup {
    int64_t width;
    double skin;
    bool falls; /* onto a floor; else free, without gravity */
} Setup;

/* A cube of particles with random velocities. */
static State *run_cube(const Setup *setup, int64_t *lists)
{
    dlp__StressSolver *solver = calloc(1, sizeof *solver);
    State *states = calloc(COUNT, sizeof *states);
    dlp__StressDef def = dlp__stress_default_def();
    def.world.spacing = SPACING;
    def.world.simd = setup->width;
    def.world.threads = 1;
    def.world.gravity.z = setup->falls ? -9.81 : 0.0;
    def.material.viscosity = 1e5;
    def.material.relaxation_time = 0.015;
    def.skin = setup->skin;
    assert_int_equal(dlp__stress_init(solver, &def), DLP_OK);
    const double side = SIDE * SPACING;
    const dlp_ShapeDef box = {.kind = DLP_SHAPE_BOX, .position = {0, 0, 0.5 * side}, .size = {side, side, side}};
    assert_int_equal(dlp__stress_add_fluid(solver, &box, (dlp_Vec3){0, 0, setup->falls ? -2.0 : 0.0}), DLP_OK);
    if (setup->falls) {
        dlp_SolidDef ground = dlp_default_solid_def();
        ground.friction = 0.0;
        ground.shape.kind = DLP_SHAPE_PLANE;
        assert_int_equal(dlp__stress_add_solid(solver, &ground), DLP_OK);
    }
    dlp__Particles *p = dlp__stress_particles(solver);
    assert_int_equal(p->count, COUNT);
    srand(5);
    for (int i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) {
            p->velocity[a][i] += (float)(2.0 * rand() / RAND_MAX - 1.0);
        }
    }
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(dlp__stress_step(solver, STEP), DLP_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        State *state = &states[p->id[0][i]];
        for (int n = 0; n < 6; n++) {
            state->position[n % 3] = p->position[n % 3][i];
            state->velocity[n % 3] = p->velocity[n % 3][i];
            state->conformation[n] = conformation_fields_of(p)->conformation[n][i];
        }
    }
    *lists = solver->lists;
    dlp__stress_release(solver);
    assert_int_equal(solver->memory.bytes, 0);
    free(solver);
    return states;
}

static void all_widths_compute_the_same_bits(void **state)
{
    (void)state;
    int64_t lists;
    State *scalar = run_cube(&(Setup){1, 0.1, true}, &lists);
    for (int width = 4; width <= dlp__width_most(); width *= 2) {
        State *wide = run_cube(&(Setup){width, 0.1, true}, &lists);
        assert_memory_equal(wide, scalar, COUNT * sizeof *wide);
        free(wide);
    }
    free(scalar);
}

/* Particles are sorted again with each list, so sums are taken in another order: equal to rounding, not to the bit. */
static void lists_that_are_kept_find_the_same_neighbours(void **state)
{
    (void)state;
    int64_t kept_lists, new_lists;
    State *kept = run_cube(&(Setup){0, 0.1, true}, &kept_lists),
          *rebuilt = run_cube(&(Setup){0, 0.0, true}, &new_lists);
    assert_int_equal(new_lists, STEPS);
    assert_in_range(kept_lists, 2, STEPS / 4); /* particles move: the first list does not last to the end */
    for (int i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) {
            assert_true(fabsf(kept[i].position[a] - rebuilt[i].position[a]) < 1e-4f * (float)SPACING);
        }
    }
    free(kept);
    free(rebuilt);
}

static void stress_keeps_momentum(void **state)
{
    (void)state;
    int64_t lists;
    State *free_cube = run_cube(&(Setup){0, 0.1, false}, &lists);
    double sum[3] = {0, 0, 0}, size = 0.0;
    srand(5);
    for (int i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) {
            double start = 2.0 * rand() / RAND_MAX - 1.0;
            sum[a] += (double)free_cube[i].velocity[a] - start;
            size += fabs(start);
        }
    }
    for (int a = 0; a < 3; a++) {
        assert_true(fabs(sum[a]) < 1e-5 * size); /* single precision, 60 steps */
    }
    free(free_cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_widths_compute_the_same_bits),
        cmocka_unit_test(lists_that_are_kept_find_the_same_neighbours),
        cmocka_unit_test(stress_keeps_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
