/* Particles of one material at rest, and the forces on solids that it touches. */
#include "rheology/sample_world.h"

#include <dollop/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RELAXATION_STEPS = 30 };                  /* that make the distances even */
static const double RELAXATION_TIME_STEP = 1e-6; /* s */

dlp_Result dlp__sample_fail(const dlp_World *world, dlp_Result result, dlp_Error *error)
{
    if (error) {
        error->code = result;
        snprintf(error->text, sizeof error->text, "%s", dlp_world_error(world));
    }
    return result;
}

static dlp_Result out_of_memory(dlp_Error *error)
{
    if (error) {
        *error = (dlp_Error){DLP_ERROR_MEMORY, "no memory for the sample"};
    }
    return DLP_ERROR_MEMORY;
}

dlp_Result dlp__sample_world(dlp_World **world, const dlp_MaterialDef *material, double spacing, dlp_Vec3 period,
                             int64_t threads, dlp_Error *error)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = period;
    def.threads = threads;
    dlp_Result result = dlp_world_create(&def, world, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp_MaterialDef without_surface = *material;
    without_surface.surface_tension = 0.0; /* it is not what is measured, and waves on it would limit the step */
    result = dlp_world_add_material(*world, &without_surface, NULL);
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(*world, result, error);
}

dlp_Result dlp__sample_set(dlp_World *world, const char *name, double value, dlp_Error *error)
{
    const dlp_ParamTable *table = dlp_method_params("physical");
    const dlp_Param *param = dlp_params_find(table, name);
    void *params = calloc(1, table->size);
    if (!params) {
        return out_of_memory(error);
    }
    dlp_Result result = dlp_world_get_method(world, params, table->size);
    memcpy((char *)params + param->offset, &value, sizeof value);
    result = result == DLP_OK ? dlp_world_set_method(world, params, table->size) : result;
    free(params);
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(world, result, error);
}

double dlp__next_fraction(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static float displaced(double place, double most, uint64_t *state)
{
    return (float)(place + most * (2.0 * dlp__next_fraction(state) - 1.0));
}

static void stop(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    (void)position;
    velocity[0] = velocity[1] = velocity[2] = 0.0f;
}

dlp_Result dlp__sample_settle(dlp_World *world, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < RELAXATION_STEPS && result == DLP_OK; n++) {
        result = dlp_world_step(world, RELAXATION_TIME_STEP);
        result = result == DLP_OK ? dlp_world_push(world, stop, NULL) : result;
    }
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(world, result, error);
}

dlp_Result dlp__sample_fill(dlp_World *world, const dlp__SampleLattice *lattice, dlp_Error *error)
{
    const int *counts = lattice->counts;
    const int64_t places = (int64_t)counts[0] * counts[1] * counts[2];
    const double spacing = lattice->spacing, most = spacing * lattice->disorder;
    uint64_t state = 7;
    int64_t count = 0;
    float(*points)[3] = malloc((size_t)places * sizeof *points);
    if (!points) {
        return out_of_memory(error);
    }
    for (int64_t i = 0; i < places; i++) {
        const int64_t column = i % counts[0], row = i / counts[0] % counts[1], layer = i / counts[0] / counts[1];
        const dlp_Vec3 place = {lattice->first.x + spacing * (double)column, lattice->first.y + spacing * (double)row,
                                lattice->first.z + spacing * (double)layer};
        if (!lattice->has_place || lattice->has_place(lattice->user, place)) {
            points[count][0] = displaced(place.x, most, &state);
            points[count][1] = displaced(place.y, most, &state);
            points[count][2] = displaced(place.z, most, &state);
            count++;
        }
    }
    const dlp_Result result = dlp_world_add_points(world, 0, points[0], count, (dlp_Vec3){0, 0, 0});
    free(points);
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(world, result, error);
}

dlp_Result dlp__sample_add_solid(dlp_World *world, const dlp_SolidDef *def, dlp_Error *error)
{
    dlp_ProbeDef probe = dlp_default_probe_def();
    probe.kind = DLP_PROBE_FORCE;
    dlp_Result result = dlp_world_add_solid(world, def, &probe.solid);
    result = result == DLP_OK ? dlp_world_add_probe(world, &probe, NULL) : result;
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(world, result, error);
}

dlp_Result dlp__sample_force(const dlp_World *world, int solid, dlp__SolidForce *force, dlp_Error *error)
{
    double values[7] = {0.0}; /* the time, the force and the torque */
    const dlp_Result result = dlp_world_read_probe(world, solid, values, 7);
    *force = (dlp__SolidForce){{values[1], values[2], values[3]}, {values[4], values[5], values[6]}};
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(world, result, error);
}
