/* Particles in a sheared periodic box, and their mean stress. */
#include "rheology/sheared_sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { XX = 0, ZZ = 2, XZ = 5 }; /* of dlp_ParticleView.stress */

static const double DISPLACEMENT = 0.3;          /* spacings, the most from the place in a lattice */
enum { RELAXATION_STEPS = 30 };                  /* that make the distances even */
static const double RELAXATION_TIME_STEP = 1e-6; /* s */

static dlp_Result fail(dlp__Sample *sample, dlp_Result result, dlp_Error *error)
{
    if (error) {
        error->code = result;
        snprintf(error->text, sizeof error->text, "%s", dlp_world_error(sample->world));
    }
    return result;
}

/* A fraction from 0 to 1: the high bits of a linear congruential generator (Knuth's MMIX). */
static double next_fraction(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static dlp_Result fill(dlp__Sample *sample, double spacing, int edge, dlp_Error *error)
{
    const int count = edge * edge * edge;
    uint64_t state = 7;
    float(*points)[3] = malloc((size_t)count * sizeof *points);
    if (!points) {
        if (error) {
            *error = (dlp_Error){DLP_ERROR_MEMORY, "no memory for the sample"};
        }
        return DLP_ERROR_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        const int place[3] = {i % edge, i / edge % edge, i / edge / edge};
        for (int a = 0; a < 3; a++) {
            points[i][a] = (float)(spacing * (place[a] + DISPLACEMENT * (2.0 * next_fraction(&state) - 1.0)));
        }
    }
    const dlp_Result result = dlp_world_add_points(sample->world, 0, points[0], count, (dlp_Vec3){0, 0, 0});
    free(points);
    return result == DLP_OK ? DLP_OK : fail(sample, result, error);
}

static void stop(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    (void)position;
    velocity[0] = velocity[1] = velocity[2] = 0.0f;
}

/* Shift particles apart, without flow. */
static dlp_Result settle(dlp__Sample *sample, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < RELAXATION_STEPS && result == DLP_OK; n++) {
        result = dlp_world_step(sample->world, RELAXATION_TIME_STEP);
        result = result == DLP_OK ? dlp_world_push(sample->world, stop, NULL) : result;
    }
    return result == DLP_OK ? DLP_OK : fail(sample, result, error);
}

dlp_Result dlp__sample_create(dlp__Sample *sample, const dlp_MaterialDef *material, double spacing, int edge,
                              int64_t threads, dlp_Error *error)
{
    const double length = edge * spacing;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){length, length, length};
    def.threads = threads;
    *sample = (dlp__Sample){.world = NULL};
    dlp_Result result = dlp_world_create(&def, &sample->world, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp_MaterialDef without_surface = *material;
    without_surface.surface_tension = 0.0; /* there is none, but waves on it would limit the step */
    result = dlp_world_add_material(sample->world, &without_surface, NULL);
    if (result != DLP_OK) {
        return fail(sample, result, error);
    }
    result = fill(sample, spacing, edge, error);
    return result == DLP_OK ? settle(sample, error) : result;
}

void dlp__sample_destroy(dlp__Sample *sample)
{
    dlp_world_destroy(sample->world);
    sample->world = NULL;
}

dlp_Result dlp__sample_step(dlp__Sample *sample, double rate, double dt, dlp_Error *error)
{
    dlp_Result result = dlp_world_set_shear(sample->world, rate);
    result = result == DLP_OK ? dlp_world_step(sample->world, dt) : result;
    if (result != DLP_OK) {
        return fail(sample, result, error);
    }
    sample->time += dt;
    sample->strain += rate * dt;
    return DLP_OK;
}

dlp_Result dlp__sample_read(dlp__Sample *sample, double rate, dlp_Error *error)
{
    dlp_Result result = dlp_world_set_shear(sample->world, rate);
    result = result == DLP_OK ? dlp_world_derive(sample->world, DLP_DERIVED_STRESS) : result;
    double shear = 0.0, normal = 0.0;
    for (int part = 0; part < dlp_world_part_count(sample->world) && result == DLP_OK; part++) {
        dlp_ParticleView view;
        result = dlp_world_view(sample->world, part, &view);
        for (int64_t i = 0; i < view.count && result == DLP_OK; i++) {
            shear += (double)view.stress[XZ][i];
            normal += (double)view.stress[XX][i] - (double)view.stress[ZZ][i];
        }
    }
    const double count = (double)dlp_world_particle_count(sample->world);
    sample->stress = shear / count;
    sample->normal_stress = normal / count;
    return result == DLP_OK ? DLP_OK : fail(sample, result, error);
}
