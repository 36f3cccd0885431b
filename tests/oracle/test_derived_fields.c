/* Derived fields against a double-precision sum over all pairs; the same bits for any threads, lanes and subdomains, and after a
 * checkpoint; and no effect on the run.
 * ctest: threaded, timeout 300 */
#include "support/world_fixture.h"

#include "base/simd.h"

#include <dollop/files.h>
#include <dollop/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL = DLP_DERIVED_SHEAR_RATE | DLP_DERIVED_STRESS | DLP_DERIVED_VISCOSITY, VALUES = 8, MOST = 4000 };

static const double SPACING = 0.01, VISCOSITY = 3.0, SOLVENT = 0.5;

typedef struct Setting {
    int threads, width, subdomains;
} Setting;

/* A viscoelastic block in a box that is periodic along x; its velocities are irregular. */
static dlp_World *make_block(const char *method, Setting setting, double relaxation_time)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){0.12, 0, 0};
    def.threads = setting.threads;
    def.simd = setting.width;
    def.subdomains = setting.subdomains;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = 1000.0;
    material.viscosity = VISCOSITY;
    material.relaxation_time = relaxation_time;
    material.solvent_viscosity = strcmp(method, "physical") == 0 ? SOLVENT : 0.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    float points[3 * 12 * 9 * 9];
    uint64_t seed = 5;
    int count = 0;
    for (int n = 0; n < 12 * 9 * 9; n++) {
        const int lattice[3] = {n % 12, n / 12 % 9, n / 108};
        for (int a = 0; a < 3; a++) {
            points[count++] = (float)(SPACING * (lattice[a] + 0.4 * random_number(&seed)));
        }
    }
    assert_int_equal(dlp_world_add_points(world, 0, points, count / 3, (dlp_Vec3){0.2, 0, 0}), DLP_OK);
    return world;
}

static void stir(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    velocity[0] += 0.2f * (float)sin(60.0 * (double)position[2]);
    velocity[1] += 0.1f * (float)cos(50.0 * (double)position[0]);
    velocity[2] -= 0.1f * (float)sin(40.0 * (double)position[1]);
}

static void run(dlp_World *world, int steps)
{
    for (int n = 0; n < steps; n++) {
        if (n == 0) {
            assert_int_equal(dlp_world_push(world, stir, NULL), DLP_OK);
        }
        step_or_fail(world, 0.002);
    }
}

/* All derived values by id. */
static void collect(dlp_World *world, int fields, float values[MOST][VALUES])
{
    assert_int_equal(dlp_world_derive(world, fields), DLP_OK);
    memset(values, 0, sizeof(float[MOST][VALUES]));
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        for (int64_t i = 0; i < view.count; i++) {
            float *to = values[view.id[i]];
            assert_true(view.id[i] < MOST);
            to[0] = view.shear_rate != NULL ? view.shear_rate[i] : 0.0f;
            for (int n = 0; n < 6; n++) {
                to[1 + n] = view.stress[n] != NULL ? view.stress[n][i] : 0.0f;
            }
            to[7] = view.viscosity != NULL ? view.viscosity[i] : 0.0f;
        }
    }
}

static double separation(const dlp__Particles *p, int64_t i, int64_t j, int axis)
{
    const double difference = (double)p->position[axis][j] - (double)p->position[axis][i];
    return axis == 0 ? difference - 0.12 * round(difference / 0.12) : difference;
}

/* Solve m x = b for a symmetric 3x3 matrix by Cramer's rule. */
static void solve(double m[3][3], const double b[3], double x[3])
{
    double minor[3][3], det = 0.0;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            minor[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
        det += m[0][r] * (r == 0 ? minor[0][0] : minor[0][r]);
    }
    for (int r = 0; r < 3; r++) {
        x[r] = (minor[0][r] * b[0] + minor[1][r] * b[1] + minor[2][r] * b[2]) / det;
    }
}

/* L_ab = d u_a / d x_b: the sum over all pairs of (u_j - u_i) (x_j - x_i) w, with the inverse of the sum of (x_j - x_i)^2 w. */
static void gradient_by_all_pairs(const dlp_World *world, int64_t i, double gradient[3][3])
{
    const dlp__Particles *p = &world->domains.part[0].particles;
    double moment[3][3] = {{0}}, sums[3][3] = {{0}};
    for (int64_t j = 0; j < p->count; j++) {
        const double x[3] = {separation(p, i, j, 0), separation(p, i, j, 1), separation(p, i, j, 2)};
        const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        if (j == i || r >= (double)world->domains.support) {
            continue;
        }
        const double weight = -dlp__kernel_slope(&world->kernel, r) / r;
        for (int n = 0; n < 9; n++) {
            moment[n / 3][n % 3] += weight * x[n / 3] * x[n % 3];
            sums[n / 3][n % 3] += weight * x[n % 3] * ((double)p->velocity[n / 3][j] - (double)p->velocity[n / 3][i]);
        }
    }
    for (int a = 0; a < 3; a++) {
        solve(moment, sums[a], gradient[a]);
    }
}

static void fields_agree_with_a_sum_over_all_pairs(void **state)
{
    (void)state;
    static float values[MOST][VALUES];
    dlp_World *world = make_block("physical", (Setting){1, 0, 1}, 0.0);
    run(world, 3);
    collect(world, ALL, values);
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i += 5) {
        static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2}; /* xx yy zz xy yz xz */
        const float *found = values[p->id[0][i]];
        double gradient[3][3], square = 0.0;
        gradient_by_all_pairs(world, i, gradient);
        for (int n = 0; n < 6; n++) {
            const double twice_rate = gradient[row[n]][column[n]] + gradient[column[n]][row[n]];
            square += (n < 3 ? 0.5 : 1.0) * twice_rate * twice_rate;
            /* velocities of 0.4 m/s in single precision over a spacing; corners amplify that */
            assert_true(fabs((double)found[1 + n] - (VISCOSITY + SOLVENT) * twice_rate) < 0.005);
        }
        assert_true(fabs((double)found[0] - sqrt(square)) < 0.001);
        assert_true(square > 1e-4);
        assert_true(found[7] == (float)(VISCOSITY + SOLVENT));
    }
    dlp_world_destroy(world);
}

static void fields_have_the_same_bits_in_every_setting(void **state)
{
    (void)state;
    static float known[MOST][VALUES], found[MOST][VALUES];
    static const Setting settings[] = {{1, 1, 1}, {2, 1, 1}, {1, 4, 1}, {2, 0, 1}, {1, 0, 2}, {2, 4, 4}, {2, 0, 8}};
    for (int s = 0; s < (int)(sizeof settings / sizeof settings[0]); s++) {
        dlp_World *world = make_block("physical", settings[s], 0.05);
        run(world, 8);
        collect(world, ALL, s == 0 ? known : found);
        assert_memory_equal(s == 0 ? known : found, known, sizeof known);
        dlp_world_destroy(world);
    }
}

/* Positions beyond the periodic box stay there, particles keep their order, and the next steps are the same. */
static void reading_fields_does_not_change_a_run(void **state)
{
    (void)state;
    static const char *const methods[] = {"physical", "pbf", "springs", "conformation", "links"};
    static float values[MOST][VALUES];
    for (int m = 0; m < 5; m++) {
        dlp_World *read = make_block(methods[m], (Setting){2, 0, 2}, 0.0);
        dlp_World *left = make_block(methods[m], (Setting){2, 0, 2}, 0.0);
        for (int n = 0; n < 12; n++) {
            run(read, 1);
            run(left, 1);
            const uint64_t hash = dlp_world_hash(read);
            collect(read, m == 0 ? ALL : DLP_DERIVED_SHEAR_RATE, values);
            assert_true(dlp_world_hash(read) == hash);
            assert_true(dlp_world_hash(left) == hash);
            assert_true(values[100][0] > 0.0f);
        }
        dlp_world_destroy(read);
        dlp_world_destroy(left);
    }
}

static void fields_are_the_same_after_a_checkpoint(void **state)
{
    (void)state;
    static float known[MOST][VALUES], found[MOST][VALUES];
    dlp_World *world = make_block("physical", (Setting){1, 0, 1}, 0.05), *loaded = NULL;
    dlp_Error error;
    run(world, 5);
    assert_int_equal(dlp_world_save(world, "derived.h5"), DLP_OK);
    collect(world, ALL, known);
    assert_int_equal(dlp_world_load("derived.h5", NULL, &loaded, &error), DLP_OK);
    collect(loaded, ALL, found);
    assert_memory_equal(found, known, sizeof known);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

static void fields_that_a_method_does_not_have_are_refused(void **state)
{
    (void)state;
    dlp_World *world = make_block("pbf", (Setting){1, 0, 1}, 0.0);
    dlp_ParticleView view;
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_STRESS), DLP_ERROR_UNSUPPORTED);
    assert_non_null(strstr(dlp_world_error(world), "method pbf has no field stress"));
    assert_int_equal(dlp_world_set_frame_fields(world, DLP_DERIVED_VISCOSITY), DLP_ERROR_UNSUPPORTED);
    assert_int_equal(dlp_world_derive(world, 64), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_SHEAR_RATE), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_non_null(view.shear_rate);
    assert_null(view.stress[0]);
    assert_null(view.viscosity);
    step_or_fail(world, 0.001);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_null(view.shear_rate); /* of the state before */
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_SHEAR_RATE), DLP_OK);
    assert_int_equal(dlp_world_advance(world, dlp_world_time(world) + 0.001), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_null(view.shear_rate);
    particles_of(world)->velocity[1][3] = NAN;
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_SHEAR_RATE), DLP_ERROR_NOT_FINITE);
    dlp_world_destroy(world);
}

static void a_world_without_particles_has_empty_fields(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    dlp_World *world = make_world(&def);
    assert_int_equal(dlp_world_derive(world, ALL), DLP_OK);
    dlp_world_destroy(world);
}

static void the_names_of_a_scene_are_those_of_the_fields(void **state)
{
    (void)state;
    const dlp_Param *fields = dlp_params_find(dlp_run_params(), "fields");
    dlp_DerivedInfo info;
    int all = 0, count = 0;
    for (; dlp_derived_info(count, &info); count++) {
        assert_string_equal(fields->choices[count], info.name);
        assert_int_equal(info.field, 1 << count);
        all |= (int)info.field;
    }
    assert_null(fields->choices[count]);
    assert_int_equal((int)fields->most, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_agree_with_a_sum_over_all_pairs),
        cmocka_unit_test(fields_have_the_same_bits_in_every_setting),
        cmocka_unit_test(reading_fields_does_not_change_a_run),
        cmocka_unit_test(fields_are_the_same_after_a_checkpoint),
        cmocka_unit_test(fields_that_a_method_does_not_have_are_refused),
        cmocka_unit_test(a_world_without_particles_has_empty_fields),
        cmocka_unit_test(the_names_of_a_scene_are_those_of_the_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
