/* A short-range stage works on the neighbours within the short radius, and on pair data that were written for their lists. A stage
 * whose lists or pair data do not exist fails the step with its name. */
#include "base/simd.h"
#include "support/world_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double SPACING = 0.02, PERIOD = 0.24; /* m */
enum { EDGE = 10, IDS = EDGE * EDGE * EDGE };

/* A disturbed lattice, periodic along x, with neighbours within two radii of this ratio. */
static const dlp__Method TWO_RADII = {.support = 3.1, .short_support = 2.1};

static dlp_World *make_block(int parts, int width, double support)
{
    static float points[3 * IDS];
    uint64_t seed = 1;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = SPACING;
    def.support = support;
    def.subdomains = parts;
    def.simd = width;
    def.threads = 2;
    def.periodic_size = (dlp_Vec3){PERIOD, 0, 0};
    dlp_World *world = make_world(&def);
    const dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    for (int k = 0; k < 3 * IDS; k++) {
        const int at = k % 3 == 0 ? k / 3 % EDGE : k % 3 == 1 ? k / 3 / EDGE % EDGE : k / 3 / EDGE / EDGE;
        points[k] = (float)(SPACING * (1.2 * at + random_between(&seed, -0.4, 0.4)));
    }
    assert_int_equal(dlp_world_add_points(world, 0, points, IDS, (dlp_Vec3){0, 0, 0}), DLP_OK);
    world->domains.short_support = (float)(SPACING * dlp__short_support(&TWO_RADII, support));
    int64_t removed = 0;
    dlp__domains_begin_step(&world->domains);
    dlp__domains_update(&world->domains, &removed);
    assert_int_equal(world->domains.failure, DLP_OK);
    for (int d = 0; d < parts; d++) {
        dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            p->pressure[0][i] = (float)p->id[0][i]; /* so that neighbours have a name */
        }
    }
    return world;
}

/* The neighbours that a stage saw. */
typedef struct Seen {
    bool of[IDS][IDS];
    int32_t count[IDS];
} Seen;

static void record_neighbors(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    Seen *seen = *(Seen *const *)c->arguments;
    for (int64_t i = begin; i < end; i++) {
        const int own = (int)c->rows[0][4 * i + 3];
        for (int32_t k = 0; k < c->fluid->count[i]; k++) {
            seen->of[own][(int)c->rows[0][4 * (int64_t)*dlp__neighbors_entry(c->fluid, i, k) + 3]] = true;
            seen->count[own]++;
        }
    }
}

static const dlp__Stage SHORT = {.name = "short",
                                 .function = record_neighbors,
                                 .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_pressure)},
                                 .short_range = true};
static const dlp__Stage LONG = {.name = "long",
                                .function = record_neighbors,
                                .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_pressure)}};

/* A name of component c of the long row of a particle. */
static float long_row_value(float id, int c)
{
    return id + 0.01f * (float)c;
}

static void store_long_rows(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        float *row = c->long_rows + DLP_LONG_ROW * i;
        for (int n = 0; n < DLP_LONG_ROW; n++) {
            row[n] = n >= 12 && n < 15 ? p->position[n - 12][i] : long_row_value(p->pressure[0][i], n);
        }
    }
}

static void check_long_rows(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    int64_t *wrong = *(int64_t *const *)c->arguments;
    for (int64_t i = begin; i < end; i++) {
        for (int32_t k = 0; k < c->fluid->count[i]; k++) {
            const int64_t j = *dlp__neighbors_entry(c->fluid, i, k);
            const float *row = c->long_rows + DLP_LONG_ROW * j, *short_row = c->rows[0] + 4 * j;
            for (int n = 0; n < DLP_LONG_ROW; n++) {
                const float expected = n >= 12 && n < 15 ? short_row[n - 12] : long_row_value(short_row[3], n);
                *wrong += row[n] != expected;
            }
        }
    }
}

/* Whether two particles, or an image of one, are closer than the radius. */
static bool is_near(const float a[3], const float b[3], float radius)
{
    for (int image = -1; image <= 1; image++) {
        const float shifted = image != 0 ? b[0] + (float)(image * PERIOD) : b[0];
        const float dx = a[0] - shifted, dy = a[1] - b[1], dz = a[2] - b[2];
        if (dx * dx + dy * dy + dz * dz < radius * radius) {
            return true;
        }
    }
    return false;
}

/* Compares with brute force; the box is wider than two radii, so no particle is a neighbour twice. Returns the number of pairs. */
static int check_seen(const dlp_World *world, const Seen *seen, float radius)
{
    static float x[IDS][3];
    int pairs = 0;
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            for (int a = 0; a < 3; a++) {
                x[p->id[0][i]][a] = p->position[a][i];
            }
        }
    }
    for (int i = 0; i < IDS; i++) {
        int count = 0;
        for (int j = 0; j < IDS; j++) {
            const bool expected = i != j && is_near(x[i], x[j], radius);
            assert_int_equal(seen->of[i][j], expected);
            count += expected;
        }
        assert_int_equal(seen->count[i], count);
        pairs += count;
    }
    return pairs;
}

static void a_stage_gathers_the_long_rows_that_another_stored(void **state)
{
    (void)state;
    static const dlp__Stage store = {.name = "store",
                                     .function = store_long_rows,
                                     .reads = {DLP_FIELD_position, DLP_FIELD_pressure},
                                     .writes_long_rows = true};
    static const dlp__Stage check = {.name = "check",
                                     .function = check_long_rows,
                                     .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_pressure)},
                                     .gathers_long_rows = true};
    for (int parts = 1; parts <= 4; parts *= 2) {
        dlp_World *world = make_block(parts, 0, TWO_RADII.support);
        int64_t wrong = 0, *of = &wrong;
        world->domains.parallel->threads = 1;
        dlp__run(&world->domains, &store, NULL);
        dlp__run(&world->domains, &check, &of);
        assert_int_equal(world->domains.failure, DLP_OK);
        assert_int_equal(wrong, 0);
        dlp_world_destroy(world);
    }
}

static void a_stage_sees_the_neighbours_within_its_radius(void **state)
{
    (void)state;
    static const double supports[] = {3.1, 2.6};
    static const int widths[] = {1, 4, 8, 16};
    static Seen seen;
    Seen *const to = &seen;
    for (int n = 0; n < 16; n++) {
        const int parts = n % 2 == 0 ? 1 : 4, width = widths[n / 4];
        if (width > dlp__width_most()) {
            continue;
        }
        dlp_World *world = make_block(parts, width, supports[n / 2 % 2]);
        memset(&seen, 0, sizeof seen);
        dlp__run(&world->domains, &SHORT, &to);
        const int near = check_seen(world, &seen, world->domains.short_support);
        memset(&seen, 0, sizeof seen);
        dlp__run(&world->domains, &LONG, &to);
        assert_int_equal(world->domains.failure, DLP_OK);
        assert_true(check_seen(world, &seen, world->domains.support) > 2 * near && near > IDS);
        dlp_world_destroy(world);
    }
}

/* Pair data: the id of the neighbour, and a sum of them. */

static void store_neighbors(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = c->fluid->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP;
        for (int32_t k = 0; k < c->fluid->count[i]; k++) {
            c->pair_weights[first + (int64_t)k * DLP_GROUP] =
                c->rows[0][4 * (int64_t)*dlp__neighbors_entry(c->fluid, i, k)];
        }
    }
}

static void sum_stored(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = c->fluid->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP;
        c->particles->density[0][i] = 0.0f;
        for (int32_t k = 0; k < c->fluid->count[i]; k++) {
            c->particles->density[0][i] += c->pair_weights[first + (int64_t)k * DLP_GROUP];
        }
    }
}

#define STORE(range) \
    { \
        .name = "store", .function = store_neighbors, .gathers = {DLP_ROW_SCALAR(DLP_FIELD_pressure)}, \
        .pair_weights = DLP_PAIRS_WRITTEN, .short_range = (range) \
    }
#define SUM(range) \
    { \
        .name = "sum", .function = sum_stored, .writes = {DLP_FIELD_density}, .pair_weights = DLP_PAIRS_READ, \
        .short_range = (range) \
    }
static const dlp__Stage STORE_SHORT = STORE(true), STORE_LONG = STORE(false);
static const dlp__Stage SUM_SHORT = SUM(true), SUM_LONG = SUM(false);

static void pair_data_belong_to_the_lists_of_their_stage(void **state)
{
    (void)state;
    for (int parts = 1; parts <= 4; parts *= 4) {
        for (int range = 0; range < 2; range++) {
            dlp_World *world = make_block(parts, 1, 3.1);
            dlp__run(&world->domains, range == 0 ? &STORE_SHORT : &STORE_LONG, NULL);
            dlp__run(&world->domains, range == 0 ? &SUM_SHORT : &SUM_LONG, NULL);
            assert_int_equal(world->domains.failure, DLP_OK);
            for (int d = 0; d < parts; d++) {
                const dlp__Domain *part = &world->domains.part[d];
                const dlp__NeighborList *list = range == 0 ? &part->near_fluid : &part->fluid;
                for (int64_t i = 0; i < part->particles.count; i++) {
                    float sum = 0.0f;
                    for (int32_t k = 0; k < list->count[i]; k++) {
                        sum += (float)part->particles.id[0][*dlp__neighbors_entry(list, i, k)];
                    }
                    assert_true(part->particles.density[0][i] == sum);
                }
            }
            dlp_world_destroy(world);
        }
    }
}

static void assert_failed_in(dlp_World *world, const char *stage)
{
    assert_int_equal(world->domains.failure, DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), stage));
    dlp_world_destroy(world);
}

static void reading_pair_data_of_other_lists_fails_the_step(void **state)
{
    (void)state;
    for (int range = 0; range < 2; range++) {
        dlp_World *world = make_block(4, 1, 3.1);
        dlp__run(&world->domains, range == 0 ? &STORE_SHORT : &STORE_LONG, NULL);
        dlp__run(&world->domains, range == 0 ? &SUM_LONG : &SUM_SHORT, NULL);
        assert_failed_in(world, "sum");
        world = make_block(1, 1, 3.1);
        dlp__run(&world->domains, range == 0 ? &SUM_LONG : &SUM_SHORT, NULL); /* nothing is stored */
        assert_failed_in(world, "sum");
    }
}

static void a_short_range_stage_without_a_short_radius_fails_the_step(void **state)
{
    (void)state;
    dlp_World *world = make_block(1, 1, 3.1);
    world->domains.short_support = 0.0f;
    dlp__run(&world->domains, &STORE_SHORT, NULL);
    assert_failed_in(world, "store");
}

/* Of method mps: the short radius scales with `support`, and may not be shorter than that of other methods. */
static void the_short_radius_follows_the_support(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_Error error = {0};
    snprintf(def.method, sizeof def.method, "mps");
    def.spacing = SPACING;
    def.support = 3.5;
    world = make_world(&def);
    assert_float_equal((double)world->domains.short_support / SPACING, 3.5 * 2.1 / 3.1, 1e-6);
    dlp_world_destroy(world);
    world = NULL;
    def.support = 1.5;
    assert_int_equal(dlp_world_create(&def, &world, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "at least 1.77"));
    assert_null(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_short_radius_follows_the_support),
        cmocka_unit_test(a_stage_sees_the_neighbours_within_its_radius),
        cmocka_unit_test(a_stage_gathers_the_long_rows_that_another_stored),
        cmocka_unit_test(pair_data_belong_to_the_lists_of_their_stage),
        cmocka_unit_test(reading_pair_data_of_other_lists_fails_the_step),
        cmocka_unit_test(a_short_range_stage_without_a_short_radius_fails_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
