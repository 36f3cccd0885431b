/* The world's border: what is refused and in which words, that a refused call changes nothing, that changes count from
 * the next step on, what views promise, and the NaN guard. */
#include "world/world_state.h"

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

static const double DT = 0.002; /* s */

static void assert_says(const char *text, const char *word)
{
    if (strstr(text, word) == NULL) {
        fail_msg("'%s' does not say '%s'", text, word);
    }
}

static dlp_World *new_world(int subdomains)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    def.threads = 1;
    def.subdomains = subdomains;
    assert_int_equal(dlp_world_create(&def, &world, &error), DLP_OK);
    assert_non_null(world);
    return world;
}

/* About 200 particles on a floor, with one of everything, after a few steps. */
static dlp_World *full_world(int subdomains)
{
    dlp_World *world = new_world(subdomains);
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_SolidDef floor = dlp_default_solid_def();
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.position.z = 0.3;
    emitter.radius = 0.015;
    emitter.speed = 1.0;
    dlp_SinkDef sink = dlp_default_sink_def();
    sink.shape.position.x = 5.0;
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position.z = 0.03;
    fluid.shape.size = (dlp_Vec3){0.06, 0.06, 0.06};
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_sink(world, &sink, NULL), DLP_OK);
    const dlp_ContactDef contact = dlp_default_contact_def();
    assert_int_equal(dlp_world_add_contact(world, &contact, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    for (int step = 0; step < 5; step++) {
        assert_int_equal(dlp_world_step(world, DT), DLP_OK);
    }
    return world;
}

/* Every kind of def through one door: its table, its default, and the calls that take it. */

typedef union AnyDef {
    dlp_WorldDef world;
    dlp_MaterialDef material;
    dlp_SolidDef solid;
    dlp_FluidDef fluid;
    dlp_EmitterDef emitter;
    dlp_SinkDef sink;
    dlp_ContactDef contact;
} AnyDef;

static dlp_Result take_material(dlp_World *world, const void *def)
{
    dlp_Result set = dlp_world_set_material(world, 0, def);
    assert_int_equal(dlp_world_add_material(world, def, NULL), set);
    return set;
}

static dlp_Result take_solid(dlp_World *world, const void *def)
{
    dlp_Result set = dlp_world_set_solid(world, 0, def);
    assert_int_equal(dlp_world_add_solid(world, def, NULL), set);
    return set;
}

static dlp_Result take_fluid(dlp_World *world, const void *def)
{
    return dlp_world_add_fluid(world, def, NULL);
}

static dlp_Result take_emitter(dlp_World *world, const void *def)
{
    dlp_Result set = dlp_world_set_emitter(world, 0, def);
    assert_int_equal(dlp_world_add_emitter(world, def, NULL), set);
    return set;
}

static dlp_Result take_sink(dlp_World *world, const void *def)
{
    return dlp_world_add_sink(world, def, NULL);
}

static dlp_Result take_contact(dlp_World *world, const void *def)
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
    {dlp_material_params, take_material}, {dlp_solid_params, take_solid}, {dlp_fluid_params, take_fluid},
    {dlp_emitter_params, take_emitter},   {dlp_sink_params, take_sink},   {dlp_contact_params, take_contact},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

/* What a call must not change when it fails. */
typedef struct Before {
    uint64_t hash;
    int materials, solids, emitters, sinks, contacts;
    dlp_MaterialDef material;
    dlp_SolidDef solid;
    dlp_EmitterDef emitter;
} Before;

static Before look(const dlp_World *world)
{
    Before before;
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

static void assert_unchanged(const dlp_World *world, const Before *before)
{
    Before now = look(world);
    assert_memory_equal(&now, before, sizeof now);
}

static void defs_that_are_null_or_not_from_the_default_function_are_refused(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    Before before = look(world);
    for (int k = 0; k < KIND_COUNT; k++) {
        const dlp_ParamTable *table = KINDS[k].table();
        char maker[64];
        snprintf(maker, sizeof maker, "dlp_default_%s_def()", table->name);
        AnyDef def;
        memset(&def, 0, sizeof def);
        assert_int_equal(KINDS[k].take(world, &def), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), table->name);
        assert_says(dlp_world_error(world), maker);
        dlp_params_default(table, &def);
        size_t wrong = table->size + 8;
        memcpy(&def, &wrong, sizeof wrong);
        assert_int_equal(KINDS[k].take(world, &def), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), maker);
        assert_int_equal(KINDS[k].take(world, NULL), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), table->name);
        assert_unchanged(world, &before);
    }
    dlp_world_destroy(world);

    dlp_WorldDef def;
    dlp_Error error = {DLP_OK, ""};
    memset(&def, 0, sizeof def);
    assert_int_equal(dlp_world_create(&def, &world, &error), DLP_ERROR_ARGUMENT);
    assert_null(world);
    assert_says(error.text, "dlp_default_world_def()");
    assert_int_equal(dlp_world_create(NULL, &world, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_create(NULL, &world, NULL), DLP_ERROR_ARGUMENT);
    assert_null(world);
}

/* Put a bad value number `which` into one component of a member; false past the last kind of bad value. */
static bool spoil(void *def, const dlp_Param *param, int component, int which)
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
    case DLP_PARAM_MATERIAL: {
        const int32_t small[] = {(int32_t)param->most + 1, (int32_t)param->least - 1, INT32_MAX, INT32_MIN};
        if (which < 4) {
            memcpy(member, &small[which], sizeof small[which]);
        }
        return which < 4;
    }
    case DLP_PARAM_NAME:
        memset(member, 'x', DLP_NAME_SIZE); /* no closing zero */
        return which < 1;
    case DLP_PARAM_BOOL: break;
    }
    return false;
}

static void every_member_out_of_range_is_refused_by_name_and_changes_nothing(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    Before before = look(world);
    int tried = 0;
    for (int k = 0; k < KIND_COUNT; k++) {
        const dlp_ParamTable *table = KINDS[k].table();
        for (int i = 0; i < table->count; i++) {
            const dlp_Param *param = &table->params[i];
            int components = param->type == DLP_PARAM_VEC3 ? 3 : 1;
            for (int which = 0; which < 5 * components; which++) {
                AnyDef def;
                dlp_params_default(table, &def);
                if (!spoil(&def, param, which % components, which / components)) {
                    continue;
                }
                char name[64];
                snprintf(name, sizeof name, "%s.%s", table->name, param->name);
                assert_int_equal(KINDS[k].take(world, &def), DLP_ERROR_ARGUMENT);
                assert_says(dlp_world_error(world), name);
                tried++;
            }
        }
    }
    assert_true(tried > 200);
    assert_unchanged(world, &before);
    assert_int_equal(dlp_world_step(world, DT), DLP_OK);
    dlp_world_destroy(world);
}

static void every_member_of_the_world_out_of_range_is_refused_by_name(void **state)
{
    (void)state;
    const dlp_ParamTable *table = dlp_world_params();
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        int components = param->type == DLP_PARAM_VEC3 ? 3 : 1;
        for (int which = 0; which < 5 * components; which++) {
            dlp_WorldDef def = dlp_default_world_def();
            if (!spoil(&def, param, which % components, which / components)) {
                continue;
            }
            dlp_Error error = {DLP_OK, ""};
            dlp_World *world = NULL;
            assert_int_equal(dlp_world_create(&def, &world, &error), DLP_ERROR_ARGUMENT);
            assert_null(world);
            assert_int_equal(error.code, DLP_ERROR_ARGUMENT);
            char name[64];
            snprintf(name, sizeof name, "world.%s", param->name);
            assert_says(error.text, name);
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
    assert_says(error.text, word);
}

static void worlds_that_cannot_be_are_refused_with_words(void **state)
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

static void a_created_world_is_empty_and_tells_its_def(void **state)
{
    (void)state;
    dlp_World *world = new_world(4);
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
    assert_int_equal(dlp_world_step(world, DT), DLP_OK); /* nothing moves, and that is fine */
    assert_int_equal(dlp_world_step_count(world), 1);
    dlp_world_destroy(world);
    dlp_world_destroy(NULL);
}

static void ids_that_are_not_there_are_refused(void **state)
{
    (void)state;
    static const int bad[] = {-1, 1, 65535, INT32_MAX, INT32_MIN};
    dlp_World *world = full_world(1);
    Before before = look(world);
    for (int b = 0; b < 5; b++) {
        AnyDef def;
        dlp_params_default(dlp_material_params(), &def);
        assert_int_equal(dlp_world_set_material(world, bad[b], &def.material), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no material");
        assert_int_equal(dlp_world_get_material(world, bad[b], &def.material), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no material");
        dlp_params_default(dlp_solid_params(), &def);
        assert_int_equal(dlp_world_set_solid(world, bad[b], &def.solid), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no solid");
        assert_int_equal(dlp_world_get_solid(world, bad[b], &def.solid), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no solid");
        dlp_params_default(dlp_emitter_params(), &def);
        assert_int_equal(dlp_world_set_emitter(world, bad[b], &def.emitter), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no emitter");
        assert_int_equal(dlp_world_get_emitter(world, bad[b], &def.emitter), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no emitter");
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, bad[b], &view), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no part");
        dlp_StageTime time;
        assert_false(dlp_world_stage_time(world, bad[b] == 1 ? 1000 : bad[b], &time));
        const float point[3] = {0.0f, 0.0f, 1.0f};
        assert_int_equal(dlp_world_add_points(world, bad[b], point, 1, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "no material");
    }
    AnyDef def;
    dlp_params_default(dlp_fluid_params(), &def);
    def.fluid.material = 7;
    assert_int_equal(dlp_world_add_fluid(world, &def.fluid, NULL), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "no material 7");
    dlp_params_default(dlp_emitter_params(), &def);
    def.emitter.material = 7;
    assert_int_equal(dlp_world_add_emitter(world, &def.emitter, NULL), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "no material 7");
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void fluid_needs_a_shape_with_an_inside_and_emitters_a_direction(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    Before before = look(world);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    static const int hollow[] = {DLP_SHAPE_PLANE, DLP_SHAPE_CONTAINER};
    for (int i = 0; i < 2; i++) {
        fluid.shape.kind = hollow[i];
        assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "inside");
    }
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.direction = (dlp_Vec3){0.0, 0.0, 0.0};
    assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "direction");
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void points_must_be_finite_and_near(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e9f, -1.1e9f, FLT_MAX};
    dlp_World *world = full_world(1);
    Before before = look(world);
    const float fine[3] = {0};
    for (int b = 0; b < 6; b++) {
        for (int component = 0; component < 3; component++) {
            float points[12] = {0};
            points[6 + component] = bad[b];
            assert_int_equal(dlp_world_add_points(world, 0, points, 4, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
            assert_says(dlp_world_error(world), "point 2");
            dlp_Vec3 velocity = {0, 0, 0};
            double *v = component == 0 ? &velocity.x : component == 1 ? &velocity.y : &velocity.z;
            *v = (double)bad[b];
            assert_int_equal(dlp_world_add_points(world, 0, fine, 1, velocity), DLP_ERROR_ARGUMENT);
            assert_says(dlp_world_error(world), "velocity");
        }
    }
    assert_int_equal(dlp_world_add_points(world, 0, fine, -1, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "-1 points");
    assert_int_equal(dlp_world_add_points(world, 0, NULL, 1, (dlp_Vec3){0, 0, 0}), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "1 points");
    assert_int_equal(dlp_world_add_points(world, 0, NULL, 0, (dlp_Vec3){0, 0, 0}), DLP_OK);
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void steps_must_take_a_time_that_is_some_and_finite(void **state)
{
    (void)state;
    static const double bad[] = {0.0, -0.0, -1e-3, NAN, INFINITY, -INFINITY, 1.0001, 1e300};
    dlp_World *world = full_world(1);
    Before before = look(world);
    for (int b = 0; b < 8; b++) {
        assert_int_equal(dlp_world_step(world, bad[b]), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "time step");
    }
    assert_unchanged(world, &before);
    dlp_world_destroy(world);
}

static void bad_gravity_is_refused(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, 1e7, -1e7};
    dlp_World *world = full_world(1);
    for (int b = 0; b < 4; b++) {
        assert_int_equal(dlp_world_set_gravity(world, (dlp_Vec3){0, bad[b], 0}), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "gravity");
        assert_true(dlp_world_def(world).gravity.y == 0.0 && dlp_world_def(world).gravity.z == -9.81);
    }
    dlp_world_destroy(world);
}

static void push_up(void *user, uint64_t id, const float position[3], float velocity[3])
{
    velocity[2] = *(float *)user * position[0] + (float)(id % 2);
}

static void pushes_reach_every_particle_once(void **state)
{
    (void)state;
    float factor = 2.0f;
    for (int parts = 1; parts <= 2; parts++) {
        dlp_World *world = full_world(parts);
        assert_int_equal(dlp_world_push(world, push_up, &factor), DLP_OK);
        for (int part = 0; part < dlp_world_part_count(world); part++) {
            dlp_ParticleView view;
            assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
            for (int64_t i = 0; i < view.count; i++) {
                float expected = 2.0f * view.position[0][i] + (float)(view.id[i] % 2);
                assert_true(fabsf(view.velocity[2][i] - expected) < 1e-6f);
            }
        }
        assert_int_equal(dlp_world_push(world, NULL, NULL), DLP_ERROR_ARGUMENT);
        assert_says(dlp_world_error(world), "push");
        dlp_world_destroy(world);
    }
}

static void bad_method_parameters_are_refused_by_name(void **state)
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
    assert_says(dlp_world_error(world), "size");
    for (int i = 0; i < table->count; i++) {
        for (int which = 0; which < 5; which++) {
            memcpy(now, before, table->size);
            if (spoil(now, &table->params[i], 0, which)) {
                assert_int_equal(dlp_world_set_method(world, now, table->size), DLP_ERROR_ARGUMENT);
                assert_says(dlp_world_error(world), table->params[i].name);
            }
        }
    }
    assert_int_equal(dlp_world_get_method(world, now, table->size), DLP_OK);
    assert_memory_equal(now, before, table->size);
    free(now);
    free(before);
    dlp_world_destroy(world);
}

/* Changes in flight. */

/* One particle far from everything: it feels gravity alone. */
static dlp_World *lone_particle(void)
{
    dlp_World *world = new_world(1);
    dlp_MaterialDef material = dlp_default_material_def();
    const float point[3] = {0.0f, 0.0f, 0.0f};
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_points(world, 0, point, 1, (dlp_Vec3){0, 0, 0}), DLP_OK);
    return world;
}

static void gravity_counts_from_the_next_step_on(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    float expected[3] = {0.0f, 0.0f, 0.0f};
    for (int step = 0; step < 6; step++) {
        const float g[3] = {(float)step, -2.0f, 0.5f * (float)step};
        assert_int_equal(dlp_world_set_gravity(world, (dlp_Vec3){(double)g[0], (double)g[1], (double)g[2]}), DLP_OK);
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
        for (int a = 0; a < 3; a++) {
            assert_true(view.velocity[a][0] == expected[a]); /* not yet */
            expected[a] += (float)DT * g[a];
        }
        assert_int_equal(dlp_world_step(world, DT), DLP_OK);
        assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
        for (int a = 0; a < 3; a++) {
            assert_true(view.velocity[a][0] == expected[a]);
        }
    }
    dlp_world_destroy(world);
}

static void a_materials_density_shows_at_once_and_counts_from_the_next_step_on(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    dlp_ParticleView view;
    assert_int_equal(dlp_world_step(world, DT), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    float before = view.density[0];
    dlp_MaterialDef material, back;
    assert_int_equal(dlp_world_get_material(world, 0, &material), DLP_OK);
    assert_true(before > 0.0f && (double)before < material.density); /* alone, it fills little of its volume */
    material.density = 500.0;
    assert_int_equal(dlp_world_set_material(world, 0, &material), DLP_OK);
    assert_int_equal(dlp_world_get_material(world, 0, &back), DLP_OK);
    assert_true(back.density == 500.0);
    assert_true(view.density[0] == 0.5f * before);
    assert_int_equal(dlp_world_step(world, DT), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_true(fabsf(view.density[0] - 0.5f * before) <= 1e-6f * before);
    dlp_world_destroy(world);
}

static void a_refused_call_changes_no_later_step(void **state)
{
    (void)state;
    dlp_World *plain = full_world(1), *teased = full_world(1);
    for (int step = 0; step < 5; step++) {
        dlp_MaterialDef material = dlp_default_material_def();
        material.density = NAN;
        assert_int_equal(dlp_world_set_material(teased, 0, &material), DLP_ERROR_ARGUMENT);
        dlp_SolidDef solid = dlp_default_solid_def();
        solid.friction = 2.0;
        assert_int_equal(dlp_world_set_solid(teased, 0, &solid), DLP_ERROR_ARGUMENT);
        dlp_EmitterDef emitter = dlp_default_emitter_def();
        emitter.speed = -1.0;
        assert_int_equal(dlp_world_set_emitter(teased, 0, &emitter), DLP_ERROR_ARGUMENT);
        assert_int_equal(dlp_world_step(teased, -1.0), DLP_ERROR_ARGUMENT);
        assert_int_equal(dlp_world_step(plain, DT), DLP_OK);
        assert_int_equal(dlp_world_step(teased, DT), DLP_OK);
        assert_true(dlp_world_hash(plain) == dlp_world_hash(teased));
    }
    dlp_world_destroy(teased);
    dlp_world_destroy(plain);
}

static void time_and_steps_are_counted(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    double time = 0.0;
    for (int step = 1; step <= 10; step++) {
        double dt = 0.001 * step;
        uint64_t hash = dlp_world_hash(world);
        assert_int_equal(dlp_world_step(world, dt), DLP_OK);
        time += dt;
        assert_true(dlp_world_time(world) == time);
        assert_int_equal(dlp_world_step_count(world), step);
        assert_true(dlp_world_hash(world) != hash);
    }
    dlp_world_destroy(world);
}

/* A step in which a particle would go too far is the same as its parts one after the other. */
static void a_long_step_is_cut_into_parts(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    def.spacing = 0.01;
    dlp_World *both[2];
    assert_int_equal(dlp_world_create(&def, &both[0], NULL), DLP_OK);
    def.cfl = 0.5;
    assert_int_equal(dlp_world_create(&def, &both[1], NULL), DLP_OK);
    dlp_WorldStats stats;
    for (int n = 0; n < 2; n++) {
        dlp_MaterialDef material = dlp_default_material_def();
        assert_int_equal(dlp_world_add_material(both[n], &material, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_points(both[n], 0, (const float[]){0, 0, 0}, 1, (dlp_Vec3){2, 0, 0}), DLP_OK);
    }
    assert_int_equal(dlp_world_step(both[1], 0.006), DLP_OK); /* 2.06 m/s: 2.5 halves of a spacing */
    dlp_world_stats(both[1], &stats);
    assert_int_equal(stats.substeps, 3);
    assert_int_equal(stats.step, 1);
    for (int n = 0; n < 3; n++) {
        assert_int_equal(dlp_world_step(both[0], 0.002), DLP_OK);
    }
    dlp_ParticleView views[2];
    assert_int_equal(dlp_world_view(both[0], 0, &views[0]), DLP_OK);
    assert_int_equal(dlp_world_view(both[1], 0, &views[1]), DLP_OK);
    for (int a = 0; a < 3; a++) {
        assert_true(views[0].position[a][0] == views[1].position[a][0]);
        assert_true(views[0].velocity[a][0] == views[1].velocity[a][0]);
    }
    dlp_world_destroy(both[0]);
    dlp_world_destroy(both[1]);
}

/* Views. */

enum { IDS = 20000 };

/* Mark the ids of all particles; no id may come twice. Returns how many there are. */
static int64_t mark_ids(const dlp_World *world, bool seen[IDS])
{
    int64_t total = 0;
    memset(seen, 0, IDS * sizeof *seen);
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        for (int64_t i = 0; i < view.count; i++) {
            assert_true(view.id[i] < IDS);
            assert_false(seen[view.id[i]]);
            seen[view.id[i]] = true;
        }
        total += view.count;
    }
    return total;
}

static void views_are_the_store_itself_and_stay_where_they_are(void **state)
{
    (void)state;
    dlp_World *world = full_world(4);
    int64_t total = 0;
    for (int part = 0; part < 4; part++) {
        dlp_ParticleView one, two;
        assert_int_equal(dlp_world_view(world, part, &one), DLP_OK);
        dlp_world_hash(world);
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        assert_int_equal(dlp_world_view(world, part, &two), DLP_OK);
        assert_memory_equal(&one, &two, sizeof one);
        const dlp__Particles *p = &world->domains.part[part].particles;
        assert_ptr_equal(one.id, p->id[0]);
        assert_ptr_equal(one.material, p->material[0]);
        assert_ptr_equal(one.density, p->density[0]);
        assert_ptr_equal(one.pressure, p->pressure[0]);
        for (int a = 0; a < 3; a++) {
            assert_ptr_equal(one.position[a], p->position[a]);
            assert_ptr_equal(one.velocity[a], p->velocity[a]);
        }
        total += one.count;
    }
    assert_int_equal(total, dlp_world_particle_count(world));
    dlp_world_destroy(world);
}

/* A stream from a nozzle that ends in a sink below it. */
static void a_stream_from_emitter_to_sink_keeps_its_accounts(void **state)
{
    (void)state;
    static bool seen[IDS], gone[IDS];
    for (int parts = 1; parts <= 4; parts *= 4) {
        dlp_World *world = new_world(parts);
        dlp_MaterialDef material = dlp_default_material_def();
        dlp_EmitterDef emitter = dlp_default_emitter_def();
        emitter.radius = 0.03;
        emitter.speed = 2.0;
        dlp_SinkDef sink = dlp_default_sink_def();
        sink.shape.position.z = -0.7;
        sink.shape.size = (dlp_Vec3){2.0, 2.0, 1.0};
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_sink(world, &sink, NULL), DLP_OK);
        memset(gone, 0, sizeof gone);
        int64_t born = 0;
        for (int step = 0; step < 100; step++) {
            assert_int_equal(dlp_world_step(world, 0.004), DLP_OK);
            dlp_WorldStats stats;
            assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
            int64_t there = mark_ids(world, seen);
            assert_int_equal(there, stats.particles);
            assert_int_equal(there, dlp_world_particle_count(world));
            assert_true(there + stats.removed >= born);
            born = there + stats.removed;
            for (int id = 0; id < IDS; id++) { /* ids are given in turn, and never again */
                assert_false(seen[id] && (gone[id] || id >= born));
                gone[id] = id < born && !seen[id];
            }
        }
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        assert_true(stats.removed > 300 && stats.particles > 100);
        int64_t layers = 80; /* 0.4 s at 2 m/s over 1 cm */
        assert_int_equal(born % layers, 0);
        dlp_world_destroy(world);
    }
}

static void every_particle_has_an_id_of_its_own(void **state)
{
    (void)state;
    static bool seen[IDS];
    dlp_World *world = full_world(2);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position.z = 2.0;
    fluid.shape.size = (dlp_Vec3){0.1, 0.1, 0.1};
    const float points[6] = {1.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f};
    for (int round = 0; round < 4; round++) {
        int64_t before = dlp_world_particle_count(world), added = 0;
        assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
        assert_int_equal(added, 1000);
        assert_int_equal(dlp_world_add_points(world, 0, points, 2, (dlp_Vec3){0, 0, 0}), DLP_OK);
        assert_int_equal(mark_ids(world, seen), before + 1002);
        assert_int_equal(dlp_world_step(world, DT), DLP_OK);
        mark_ids(world, seen);
        fluid.shape.position.z += 1.0;
    }
    dlp_world_destroy(world);
}

static void statistics_can_be_asked_for_right_after_adding(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position.z = 2.0;
    int64_t before = dlp_world_particle_count(world), added = 0;
    fluid.shape.size = (dlp_Vec3){0.1, 0.1, 0.2};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
    assert_int_equal(added, 2000);
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_int_equal(stats.particles, before + added);
    assert_true(stats.neighbors >= 0.0 && stats.neighbors < (double)before); /* the new ones have none yet */
    dlp_world_destroy(world);
}

/* The NaN guard. */

static void a_bad_number_in_any_field_stops_the_next_step(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY};
    uint64_t pick = 1;
    int tried = 0;
    for (int parts = 1; parts <= 4; parts *= 4) {
        for (int field = 1; field < DLP_FIELD_END; field++) {
            const dlp__FieldInfo *info = dlp__field_info(field);
            for (int c = 0; c < info->components; c++) {
                dlp_World *world = full_world(parts);
                pick = pick * 6364136223846793005u + 1442695040888963407u;
                dlp__Particles *p = &world->domains.part[(pick >> 60) % (uint64_t)parts].particles;
                if (!dlp__particles_have(p, field) || info->type != DLP_FIELD_TYPE_float || p->count == 0) {
                    dlp_world_destroy(world);
                    continue;
                }
                int64_t i = (int64_t)((pick >> 20) % (uint64_t)p->count);
                ((float *)dlp__field_array(p, field, c))[i] = bad[tried++ % 2];
                char particle[64], step[64];
                snprintf(particle, sizeof particle, "particle %llu ", (unsigned long long)p->id[0][i]);
                snprintf(step, sizeof step, "step %lld", (long long)dlp_world_step_count(world));
                assert_int_equal(dlp_world_step(world, DT), DLP_ERROR_NOT_FINITE);
                assert_says(dlp_world_error(world), info->name);
                assert_says(dlp_world_error(world), particle);
                assert_says(dlp_world_error(world), step);
                assert_says(dlp_world_error(world), "not finite");
                dlp_world_destroy(world);
            }
        }
    }
    assert_true(tried > 20);
}

static void a_bad_number_that_a_step_makes_is_found_at_its_end(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    world->domains.part[0].particles.velocity[2][0] = FLT_MAX; /* finite, but not after gravity and a second of it */
    world->domains.part[0].particles.position[2][0] = FLT_MAX;
    assert_int_equal(dlp_world_step(world, 1.0), DLP_ERROR_NOT_FINITE);
    assert_says(dlp_world_error(world), "particle 0 ");
    assert_says(dlp_world_error(world), "after step 1");
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defs_that_are_null_or_not_from_the_default_function_are_refused),
        cmocka_unit_test(every_member_out_of_range_is_refused_by_name_and_changes_nothing),
        cmocka_unit_test(every_member_of_the_world_out_of_range_is_refused_by_name),
        cmocka_unit_test(worlds_that_cannot_be_are_refused_with_words),
        cmocka_unit_test(a_created_world_is_empty_and_tells_its_def),
        cmocka_unit_test(ids_that_are_not_there_are_refused),
        cmocka_unit_test(fluid_needs_a_shape_with_an_inside_and_emitters_a_direction),
        cmocka_unit_test(points_must_be_finite_and_near),
        cmocka_unit_test(steps_must_take_a_time_that_is_some_and_finite),
        cmocka_unit_test(bad_gravity_is_refused),
        cmocka_unit_test(bad_method_parameters_are_refused_by_name),
        cmocka_unit_test(gravity_counts_from_the_next_step_on),
        cmocka_unit_test(a_materials_density_shows_at_once_and_counts_from_the_next_step_on),
        cmocka_unit_test(a_refused_call_changes_no_later_step),
        cmocka_unit_test(time_and_steps_are_counted),
        cmocka_unit_test(a_long_step_is_cut_into_parts),
        cmocka_unit_test(views_are_the_store_itself_and_stay_where_they_are),
        cmocka_unit_test(a_stream_from_emitter_to_sink_keeps_its_accounts),
        cmocka_unit_test(every_particle_has_an_id_of_its_own),
        cmocka_unit_test(pushes_reach_every_particle_once),
        cmocka_unit_test(statistics_can_be_asked_for_right_after_adding),
        cmocka_unit_test(a_bad_number_in_any_field_stops_the_next_step),
        cmocka_unit_test(a_bad_number_that_a_step_makes_is_found_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
