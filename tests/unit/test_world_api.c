/* Errors of the world's public interface: invalid arguments are rejected with a message that names them, and a rejected call
 * changes nothing. */
#include "support/api_fixture.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All kinds of defs: their table and the calls that take them. */

typedef union AnyDef {
    dlp_WorldDef world;
    dlp_MaterialDef material;
    dlp_SolidDef solid;
    dlp_FluidDef fluid;
    dlp_EmitterDef emitter;
    dlp_SinkDef sink;
    dlp_ContactDef contact;
} AnyDef;

static dlp_Result set_and_add_material(dlp_World *world, const void *def)
{
    dlp_Result set = dlp_world_set_material(world, 0, def);
    assert_int_equal(dlp_world_add_material(world, def, NULL), set);
    return set;
}

static dlp_Result set_and_add_solid(dlp_World *world, const void *def)
{
    dlp_Result set = dlp_world_set_solid(world, 0, def);
    assert_int_equal(dlp_world_add_solid(world, def, NULL), set);
    return set;
}

static dlp_Result add_fluid(dlp_World *world, const void *def)
{
    return dlp_world_add_fluid(world, def, NULL);
}

static dlp_Result set_and_add_emitter(dlp_World *world, const void *def)
{
    dlp_Result set = dlp_world_set_emitter(world, 0, def);
    assert_int_equal(dlp_world_add_emitter(world, def, NULL), set);
    return set;
}

static dlp_Result add_sink(dlp_World *world, const void *def)
{
    return dlp_world_add_sink(world, def, NULL);
}

static dlp_Result set_and_add_contact(dlp_World *world, const void *def)
{
    dlp_Result set = dlp_world_set_contact(world, 0, def);
    assert_int_equal(dlp_world_add_contact(world, def, NULL), set);
    return set;
}

typedef struct DefKind {
    const dlp_ParamTable *(*table)(void);
    dlp_Result (*take)(dlp_World *world, const void *def);
} DefKind;

static const DefKind KINDS[] = {
    {dlp_material_params, set_and_add_material},
    {dlp_solid_params, set_and_add_solid},
    {dlp_fluid_params, add_fluid},
    {dlp_emitter_params, set_and_add_emitter},
    {dlp_sink_params, add_sink},
    {dlp_contact_params, set_and_add_contact},
};

enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

/* State that a rejected call must not change. */
typedef struct Snapshot {
    uint64_t hash;
    int materials, solids, emitters, sinks, contacts;
    dlp_MaterialDef material;
    dlp_SolidDef solid;
    dlp_EmitterDef emitter;
} Snapshot;

static Snapshot snapshot_of(const dlp_World *world)
{
    Snapshot before;
    memset(&before, 0, sizeof before);
    before.hash = dlp_world_hash(world);
    before.materials = dlp_world_material_count(world);
    before.solids = dlp_world_solid_count(world);
    before.emitters = dlp_world_emitter_count(world);
    before.sinks = dlp_world_sink_count(world);
    before.contacts = dlp_world_contact_count(world);
    assert_int_equal(dlp_world_get_material(world, 0, &before.material), DLP_OK);
    assert_int_equal(dlp_world_get_solid(world, 0, &before.solid), DLP_OK);
    assert_int_equal(dlp_world_get_emitter(world, 0, &before.emitter), DLP_OK);
    return before;
}

static void assert_unchanged(const dlp_World *world, const Snapshot *before)
{
    Snapshot now = snapshot_of(world);
    assert_memory_equal(&now, before, sizeof now);
}

static void defs_that_are_null_or_not_from_the_default_function_are_rejected(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    Snapshot before = snapshot_of(world);
    for (int k = 0; k < KIND_COUNT; k++) {
        const dlp_ParamTable *table = KINDS[k].table();
        char maker[64];
        snprintf(maker, sizeof maker, "dlp_default_%s_def()", table->name);
        AnyDef def;
        memset(&def, 0, sizeof def);
        assert_int_equal(KINDS[k].take(world, &def), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), table->name);
        assert_contains(dlp_world_error(world), maker);
        dlp_params_default(table, &def);
        size_t wrong = table->size + 8;
        memcpy(&def, &wrong, sizeof wrong);
        assert_int_equal(KINDS[k].take(world, &def), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), maker);
        assert_int_equal(KINDS[k].take(world, NULL), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), table->name);
        assert_unchanged(world, &before);
    }
    dlp_world_destroy(world);

    dlp_WorldDef def;
    dlp_Error error = {DLP_OK, ""};
    memset(&def, 0, sizeof def);
    assert_int_equal(dlp_world_create(&def, &world, &error), DLP_ERROR_ARGUMENT);
    assert_null(world);
    assert_contains(error.text, "dlp_default_world_def()");
    assert_int_equal(dlp_world_create(NULL, &world, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_create(NULL, &world, NULL), DLP_ERROR_ARGUMENT);
    assert_null(world);
}

/* Two valid rows, of which one number or their count is then made invalid. */
static bool set_invalid_rows(char *member, const dlp_ParamRows *rows, int which)
{
    int64_t *count = (int64_t *)(void *)member;
    double *row = (double *)(void *)(count + 1), *next = row + rows->columns;
    *count = 2;
    for (int c = 0; c < rows->columns; c++) {
        row[c] = 1.0;
        next[c] = 2.0;
    }
    switch (which) {
    case 0: *count = rows->most + 1; break;
    case 1: *count = -1; break;
    case 2: next[rows->columns - 1] = NAN; break;
    case 3: row[0] = rows->least[0] - 1.0; break;
    case 4: next[0] = row[0]; break;
    default: break;
    }
    return which < 5;
}

/* Set one component of a member to invalid value number `which`; false if there are no more invalid values. */
static bool set_invalid_value(void *def, const dlp_Param *param, int component, int which)
{
    char *member = (char *)def + param->offset;
    double step = fmax(1.0, fabs(param->most)) * 1e-6;
    const double reals[] = {NAN, INFINITY, -INFINITY, param->most + step,
                            param->least - fmax(1e-12, fabs(param->least) / 2)};
    const int64_t ints[] = {(int64_t)param->most + 1, (int64_t)param->least - 1, INT64_MAX, INT64_MIN};
    switch (param->type) {
    case DLP_PARAM_REAL:
    case DLP_PARAM_VEC3:
        if (which < 5) {
            memcpy(member + sizeof(double) * (size_t)component, &reals[which], sizeof(double));
        }
        return which < 5;
    case DLP_PARAM_INT:
        if (which < 4) {
            memcpy(member, &ints[which], sizeof ints[which]);
        }
        return which < 4;
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: {
        const int32_t small[] = {(int32_t)param->most + 1, (int32_t)param->least - 1, INT32_MAX, INT32_MIN};
        if (which < 4) {
            memcpy(member, &small[which], sizeof small[which]);
        }
        return which < 4;
    }
    case DLP_PARAM_NAME:
        memset(member, 'x', DLP_NAME_SIZE); /* no terminating zero */
        return which < 1;
    case DLP_PARAM_ROWS: return set_invalid_rows(member, param->rows, which);
    case DLP_PARAM_BOOL: break;
    }
    return false;
}

static void every_member_out_of_range_is_rejected_by_name_and_changes_nothing(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    Snapshot before = snapshot_of(world);
    int tried = 0;
    for (int k = 0; k < KIND_COUNT; k++) {
        const dlp_ParamTable *table = KINDS[k].table();
        for (int i = 0; i < table->count; i++) {
            const dlp_Param *param = &table->params[i];
            int components = param->type == DLP_PARAM_VEC3 ? 3 : 1;
            for (int which = 0; which < 5 * components; which++) {
                AnyDef def;
                dlp_params_default(table, &def);
                if (!set_invalid_value(&def, param, which % components, which / components)) {
                    continue;
                }
                char name[64];
                snprintf(name, sizeof name, "%s.%s", table->name, param->name);
                assert_int_equal(KINDS[k].take(world, &def), DLP_ERROR_ARGUMENT);
                assert_contains(dlp_world_error(world), name);
                tried++;
            }
        }
    }
    assert_true(tried > 200);
    assert_unchanged(world, &before);
    assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_OK);
    dlp_world_destroy(world);
}

static void every_member_of_the_world_out_of_range_is_rejected_by_name(void **state)
{
    (void)state;
    const dlp_ParamTable *table = dlp_world_params();
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        int components = param->type == DLP_PARAM_VEC3 ? 3 : 1;
        for (int which = 0; which < 5 * components; which++) {
            dlp_WorldDef def = dlp_default_world_def();
            snprintf(def.method, sizeof def.method, "pbf");
            if (!set_invalid_value(&def, param, which % components, which / components)) {
                continue;
            }
            dlp_Error error = {DLP_OK, ""};
            dlp_World *world = NULL;
            assert_int_equal(dlp_world_create(&def, &world, &error), DLP_ERROR_ARGUMENT);
            assert_null(world);
            assert_int_equal(error.code, DLP_ERROR_ARGUMENT);
            char name[64];
            snprintf(name, sizeof name, "world.%s", param->name);
            assert_contains(error.text, name);
        }
    }
}

static void assert_create_fails(const dlp_WorldDef *def, dlp_Result code, const char *word)
{
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_world_create(def, &world, &error), code);
    assert_null(world);
    assert_int_equal(error.code, code);
    assert_contains(error.text, word);
}

static void invalid_worlds_are_rejected_with_a_message(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "magic");
    assert_create_fails(&def, DLP_ERROR_ARGUMENT, "'magic'");
    def = dlp_default_world_def();
    for (int parts = 3; parts <= 7; parts++) {
        def.subdomains = parts;
        if (parts != 4) {
            assert_create_fails(&def, DLP_ERROR_ARGUMENT, "subdomains");
        }
    }
    def = dlp_default_world_def();
    for (int lanes = 2; lanes <= 15; lanes++) {
        def.simd = lanes;
        if (lanes != 4 && lanes != 8) {
            assert_create_fails(&def, DLP_ERROR_ARGUMENT, "simd");
        }
    }
    def = dlp_default_world_def();
    def.periodic_size.y = 1.9 * 2.0 * def.spacing;
    assert_create_fails(&def, DLP_ERROR_ARGUMENT, "two kernel supports");
}

static void a_new_world_is_empty_and_returns_its_def(void **state)
{
    (void)state;
    dlp_World *world = empty_world(4);
    assert_int_equal(dlp_world_particle_count(world), 0);
    assert_int_equal(dlp_world_part_count(world), 4);
    assert_int_equal(dlp_world_step_count(world), 0);
    assert_true(dlp_world_time(world) == 0.0);
    assert_string_equal(dlp_world_error(world), "");
    assert_string_equal(dlp_world_def(world).method, "pbf");
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_int_equal(stats.particles, 0);
    assert_true(stats.kinetic_energy == 0.0 && stats.neighbors == 0.0 && stats.lower.x == 0.0);
    assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_OK); /* stepping an empty world is allowed */
    assert_int_equal(dlp_world_step_count(world), 1);
    dlp_world_destroy(world);
    dlp_world_destroy(NULL);
}

static void unknown_ids_are_rejected(void **state)
{
    (void)state;
    static const int bad[] = {-1, 1, 65535, INT32_MAX, INT32_MIN};
    dlp_World *world = full_world(1);
    Snapshot before = snapshot_of(world);
    for (int b = 0; b < 5; b++) {
        AnyDef def;
        dlp_params_default(dlp_material_params(), &def);
        assert_int_equal(dlp_world_set_material(world, bad[b], &def.material), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no material");
        assert_int_equal(dlp_world_get_material(world, bad[b], &def.material), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no material");
        dlp_params_default(dlp_solid_params(), &def);
        assert_int_equal(dlp_world_set_solid(world, bad[b], &def.solid), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no solid");
        assert_int_equal(dlp_world_get_solid(world, bad[b], &def.solid), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no solid");
        dlp_params_default(dlp_emitter_params(), &def);
        assert_int_equal(dlp_world_set_emitter(world, bad[b], &def.emitter), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no emitter");
        assert_int_equal(dlp_world_get_emitter(world, bad[b], &def.emitter), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no emitter");
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, bad[b], &view), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no part");
        dlp_StageTime time;
        assert_false(dlp_world_stage_time(world, bad[b] == 1 ? 1000 : bad[b], &time));
        const float point[3] = {0.0f, 0.0f, 1.0f};
        assert_int_equal(dlp_world_add_points(world, bad[b], point, 1, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "no material");
    }
    AnyDef def;
    dlp_params_default(dlp_fluid_params(), &def);
    def.fluid.material = 7;
    assert_int_equal(dlp_world_add_fluid(world, &def.fluid, NULL), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "no material 7");
    dlp_params_default(dlp_emitter_params(), &def);
    def.emitter.material = 7;
    assert_int_equal(dlp_world_add_emitter(world, &def.emitter, NULL), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "no material 7");
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void fluids_need_a_closed_shape_and_emitters_a_direction(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    Snapshot before = snapshot_of(world);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    static const int hollow[] = {DLP_SHAPE_PLANE, DLP_SHAPE_CONTAINER};
    for (int i = 0; i < 2; i++) {
        fluid.shape.kind = hollow[i];
        assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "inside");
    }
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.direction = (dlp_Vec3){0.0, 0.0, 0.0};
    assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "direction");
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void points_must_be_finite_and_within_range(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e9f, -1.1e9f, FLT_MAX};
    dlp_World *world = full_world(1);
    Snapshot before = snapshot_of(world);
    const float fine[3] = {0};
    for (int b = 0; b < 6; b++) {
        for (int component = 0; component < 3; component++) {
            float points[12] = {0};
            points[6 + component] = bad[b];
            assert_int_equal(dlp_world_add_points(world, 0, points, 4, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
            assert_contains(dlp_world_error(world), "point 2");
            dlp_Vec3 velocity = {0, 0, 0};
            double *v = component == 0 ? &velocity.x : component == 1 ? &velocity.y : &velocity.z;
            *v = (double)bad[b];
            assert_int_equal(dlp_world_add_points(world, 0, fine, 1, velocity), DLP_ERROR_ARGUMENT);
            assert_contains(dlp_world_error(world), "velocity");
        }
    }
    assert_int_equal(dlp_world_add_points(world, 0, fine, -1, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "-1 points");
    assert_int_equal(dlp_world_add_points(world, 0, NULL, 1, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "1 points");
    assert_int_equal(dlp_world_add_points(world, 0, NULL, 0, (dlp_Vec3){0, 0, 0}), DLP_OK);
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void time_steps_must_be_positive_and_finite(void **state)
{
    (void)state;
    static const double bad[] = {0.0, -0.0, -1e-3, NAN, INFINITY, -INFINITY, 1.0001, 1e300};
    dlp_World *world = full_world(1);
    Snapshot before = snapshot_of(world);
    for (int b = 0; b < 8; b++) {
        assert_int_equal(dlp_world_step(world, bad[b]), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "time step");
    }
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void invalid_gravity_is_rejected(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, 1e7, -1e7};
    dlp_World *world = full_world(1);
    for (int b = 0; b < 4; b++) {
        assert_int_equal(dlp_world_set_gravity(world, (dlp_Vec3){0, bad[b], 0}), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "gravity");
        assert_true(dlp_world_def(world).gravity.y == 0.0 && dlp_world_def(world).gravity.z == -9.81);
    }
    dlp_world_destroy(world);
}

static void invalid_method_parameters_are_rejected_by_name(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    const dlp_ParamTable *table = dlp_method_params("pbf");
    assert_non_null(table);
    assert_null(dlp_method_params("magic"));
    assert_null(dlp_method_name(-1));
    assert_null(dlp_method_name(dlp_method_count()));
    unsigned char *before = calloc(1, table->size + 1), *now = calloc(1, table->size + 1);
    assert_non_null(before);
    assert_non_null(now);
    assert_int_equal(dlp_world_get_method(world, before, table->size), DLP_OK);
    assert_int_equal(dlp_world_get_method(world, now, table->size + 1), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_method(world, before, table->size - 1), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "size");
    for (int i = 0; i < table->count; i++) {
        for (int which = 0; which < 5; which++) {
            memcpy(now, before, table->size);
            if (set_invalid_value(now, &table->params[i], 0, which)) {
                assert_int_equal(dlp_world_set_method(world, now, table->size), DLP_ERROR_ARGUMENT);
                assert_contains(dlp_world_error(world), table->params[i].name);
            }
        }
    }
    assert_int_equal(dlp_world_get_method(world, now, table->size), DLP_OK);
    assert_memory_equal(now, before, table->size);
    free(now);
    free(before);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defs_that_are_null_or_not_from_the_default_function_are_rejected),
        cmocka_unit_test(every_member_out_of_range_is_rejected_by_name_and_changes_nothing),
        cmocka_unit_test(every_member_of_the_world_out_of_range_is_rejected_by_name),
        cmocka_unit_test(invalid_worlds_are_rejected_with_a_message),
        cmocka_unit_test(a_new_world_is_empty_and_returns_its_def),
        cmocka_unit_test(unknown_ids_are_rejected),
        cmocka_unit_test(fluids_need_a_closed_shape_and_emitters_a_direction),
        cmocka_unit_test(points_must_be_finite_and_within_range),
        cmocka_unit_test(time_steps_must_be_positive_and_finite),
        cmocka_unit_test(invalid_gravity_is_rejected),
        cmocka_unit_test(invalid_method_parameters_are_rejected_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
