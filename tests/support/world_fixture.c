#include "support/world_fixture.h"

#include "base/hash.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

dlp_World *make_world(const dlp_WorldDef *def)
{
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    if (dlp_world_create(def, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return world;
}

void set_method(dlp_World *world, const char *name, double value)
{
    const dlp_ParamTable *table = dlp_method_params(dlp_world_def(world).method);
    const dlp_Param *param = dlp_params_find(table, name);
    if (param == NULL) {
        fail_msg("%s has no parameter '%s'", table->name, name);
        return;
    }
    unsigned char *params = calloc(1, table->size), *member = params + param->offset;
    assert_non_null(params);
    assert_int_equal(dlp_world_get_method(world, params, table->size), DLP_OK);
    int64_t integer = (int64_t)value;
    int32_t choice = (int32_t)value;
    bool on = value != 0.0;
    switch (param->type) {
    case DLP_PARAM_INT: memcpy(member, &integer, sizeof integer); break;
    case DLP_PARAM_CHOICE: memcpy(member, &choice, sizeof choice); break;
    case DLP_PARAM_BOOL: memcpy(member, &on, sizeof on); break;
    default: assert_int_equal(param->type, DLP_PARAM_REAL); memcpy(member, &value, sizeof value);
    }
    if (dlp_world_set_method(world, params, table->size) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    free(params);
}

/* The method's parameters of a material, to be released, and the description of one of them. */
static void *read_material_params(const dlp_World *world, dlp_MaterialId id, const char *name, const dlp_Param **found)
{
    const dlp_ParamTable *table = dlp_method_material_params(dlp_world_def(world).method);
    assert_non_null(table);
    const dlp_Param *param = dlp_params_find(table, name);
    if (param == NULL) {
        fail_msg("%s adds no '%s' to materials", dlp_world_def(world).method, name);
        return NULL;
    }
    char *params = calloc(1, table->size);
    assert_non_null(params);
    assert_int_equal(dlp_world_get_material_params(world, id, params, table->size), DLP_OK);
    *found = param;
    return params;
}

void set_material_param(dlp_World *world, dlp_MaterialId id, const char *name, double value)
{
    const dlp_Param *param = NULL;
    char *params = read_material_params(world, id, name, &param);
    if (params == NULL || param == NULL) {
        return;
    }
    const int32_t choice = (int32_t)value;
    if (param->type == DLP_PARAM_CHOICE) {
        memcpy(params + param->offset, &choice, sizeof choice);
    } else {
        assert_int_equal(param->type, DLP_PARAM_REAL);
        memcpy(params + param->offset, &value, sizeof value);
    }
    const size_t size = dlp_method_material_params(dlp_world_def(world).method)->size;
    if (dlp_world_set_material_params(world, id, params, size) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    free(params);
}

double material_param(const dlp_World *world, dlp_MaterialId id, const char *name)
{
    const dlp_Param *param = NULL;
    double value = 0.0;
    char *params = read_material_params(world, id, name, &param);
    if (params == NULL || param == NULL) {
        return 0.0;
    }
    if (param->type == DLP_PARAM_CHOICE) {
        int32_t choice = 0;
        memcpy(&choice, params + param->offset, sizeof choice);
        value = choice;
    } else {
        assert_int_equal(param->type, DLP_PARAM_REAL);
        memcpy(&value, params + param->offset, sizeof value);
    }
    free(params);
    return value;
}

dlp_World *make_viscous_world(double spacing, dlp_Vec3 periodic_size)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "conformation");
    def.spacing = spacing;
    def.periodic_size = periodic_size;
    def.gravity = (dlp_Vec3){0.0, 0.0, 0.0};
    def.threads = 2;
    dlp_World *world = make_world(&def);
    set_method(world, "density_iterations_least", 0);
    set_method(world, "density_iterations", 1);
    set_method(world, "density_tolerance", 1.0);
    set_method(world, "density_keep", 0.0);
    set_method(world, "stress_keep", 0.0);
    return world;
}

void step_or_fail(dlp_World *world, double dt)
{
    if (dlp_world_step(world, dt) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

dlp__Particles *particles_of(dlp_World *world)
{
    assert_int_equal(world->domains.count, 1);
    return &world->domains.part[0].particles;
}

void add_lattice(dlp_World *world, dlp_MaterialId material, const int count[3], dlp_Vec3 corner)
{
    int64_t all = (int64_t)count[0] * count[1] * count[2];
    double d = dlp_world_def(world).spacing;
    float *points = malloc(3 * (size_t)all * sizeof *points);
    assert_non_null(points);
    for (int64_t i = 0; i < all; i++) {
        int64_t x = i % count[0], y = i / count[0] % count[1], z = i / count[0] / count[1];
        points[3 * i] = (float)(corner.x + d * ((double)x + 0.5));
        points[3 * i + 1] = (float)(corner.y + d * ((double)y + 0.5));
        points[3 * i + 2] = (float)(corner.z + d * ((double)z + 0.5));
    }
    assert_int_equal(dlp_world_add_points(world, material, points, all, (dlp_Vec3){0, 0, 0}), DLP_OK);
    free(points);
}

double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

double random_between(uint64_t *state, double least, double most)
{
    return least + (most - least) * random_number(state);
}

double random_log_between(uint64_t *state, double least, double most)
{
    return exp(random_between(state, log(least), log(most)));
}

dlp_Mesh box_mesh(dlp_Vec3 size)
{
    /* Two triangles per face, counter-clockwise seen from outside; the bits of n give x, y, z of corner n. */
    static const uint32_t triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static float position[24];
    for (int n = 0; n < 8; n++) {
        position[3 * n] = (float)(size.x * ((n & 1) != 0 ? 0.5 : -0.5));
        position[3 * n + 1] = (float)(size.y * ((n & 2) != 0 ? 0.5 : -0.5));
        position[3 * n + 2] = (float)(size.z * ((n & 4) != 0 ? 0.5 : -0.5));
    }
    return (dlp_Mesh){.vertex_count = 8, .triangle_count = 12, .position = position, .triangle = triangle};
}

dlp_MeshId add_box_mesh(dlp_World *world, dlp_Vec3 size)
{
    const dlp_MeshDef def = dlp_default_mesh_def();
    const dlp_Mesh mesh = box_mesh(size);
    dlp_MeshId id = -1;
    if (dlp_world_add_mesh(world, &def, &mesh, &id) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    return id;
}

dlp_MeshId add_star_mesh(dlp_World *world, double radius)
{
    dlp_MeshDef def = dlp_default_mesh_def();
    dlp_Model *model = NULL;
    dlp_MeshId id = -1;
    def.form = DLP_FORM_STAR;
    def.radius = radius;
    def.hole = 0.5 * radius;
    assert_int_equal(dlp_model_create(&def, NULL, NULL, &model, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_mesh(world, &def, dlp_model_mesh(model), &id), DLP_OK);
    dlp_model_destroy(model);
    return id;
}

void add_fluid_ball(dlp_World *world, double radius, dlp_Vec3 center, dlp_Vec3 velocity, dlp_Vec3 spin)
{
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.kind = DLP_SHAPE_SPHERE;
    fluid.shape.radius = radius;
    fluid.shape.position = center;
    fluid.velocity = velocity;
    fluid.spin = spin;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
}

uint64_t motion_hash(const dlp_World *world)
{
    uint64_t total = 0;
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        for (int64_t i = 0; i < view.count; i++) {
            const float values[] = {view.position[0][i], view.position[1][i], view.position[2][i], view.velocity[0][i],
                                    view.velocity[1][i], view.velocity[2][i], view.density[i],     view.pressure[i]};
            const uint64_t id = dlp__hash_bytes(DLP_HASH_SEED, &view.id[i], sizeof view.id[i]);
            total += dlp__hash_finish(dlp__hash_bytes(id, values, sizeof values));
        }
    }
    return total;
}
