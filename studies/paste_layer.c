#include "studies/paste_layer.h"

#include <math.h>
#include <stdlib.h>

#define PI       3.14159265358979323846
#define GRAVITY  9.81
#define HOLD     1e5  /* Pa, stickiness: no gravity presses the layer against the planes */
#define DISORDER 0.15 /* spacings                                                        */

dlp_MaterialDef paste_def(const Paste *paste)
{
    const bool is_linear = paste->index == 1;
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = PASTE_DENSITY;
    material.flow_law = !is_linear                ? DLP_FLOW_HERSCHEL_BULKLEY
                        : paste->yield_stress > 0 ? DLP_FLOW_BINGHAM
                                                  : DLP_FLOW_NEWTONIAN;
    material.yield_stress = paste->yield_stress;
    material.flow_index = paste->index;
    material.modulus = paste->modulus;
    *(is_linear ? &material.viscosity : &material.consistency) = paste->consistency;
    return material;
}

dlp_MaterialId paste_material(StudyRun *run, dlp_World *world, const Paste *paste)
{
    const dlp_MaterialDef material = paste_def(paste);
    dlp_MaterialId id = 0;
    if (world) {
        study_keep(run, world, dlp_world_add_material(world, &material, &id));
    }
    return id;
}

double paste_stress(const Paste *paste, double rate)
{
    return paste->yield_stress + paste->consistency * pow(rate, paste->index);
}

double paste_rate(const Paste *paste, double stress)
{
    return pow(fmax(stress - paste->yield_stress, 0) / paste->consistency, 1 / paste->index);
}

dlp_Vec3 paste_slope(const Paste *paste, double height, double load)
{
    const double along = load * paste->yield_stress / (PASTE_DENSITY * height);
    return (dlp_Vec3){along, 0, -sqrt(GRAVITY * GRAVITY - along * along)};
}

double paste_slope_speed(const Paste *paste, double height, double load)
{
    const double n = 1 / paste->index, bottom = load * paste->yield_stress, sheared = height * fmax(1 - 1 / load, 0);
    return pow(bottom / height / paste->consistency, n) / (n + 1) * pow(sheared, n + 1);
}

static void add_planes(StudyRun *run, dlp_World *world, const PasteLayer *layer)
{
    dlp_SolidDef plane = dlp_default_solid_def();
    plane.friction = 1;
    plane.stickiness = HOLD;
    study_solid(run, world, &plane);
    if (!layer->is_open) {
        plane.shape.position.z = layer->height;
        plane.shape.rotation.x = PI;
        plane.velocity.x = layer->speed;
        study_solid(run, world, &plane);
    }
}

double paste_disorder(int k)
{
    const double noise = 43758.5453 * sin(12.9898 * k + 4.1414);
    return DISORDER * (2 * (noise - floor(noise)) - 1);
}

static void add_fluid(StudyRun *run, dlp_World *world, const PasteLayer *layer, double spacing)
{
    const dlp_MaterialId material = paste_material(run, world, &layer->paste);
    const int wide = layer->wide, count = wide * wide * layer->across;
    float *points = malloc((size_t)count * 3 * sizeof *points);
    if (!points) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int k = 0; k < 3 * count; k++) {
        const int place[3] = {k / 3 % wide, k / 3 / wide % wide, k / 3 / wide / wide};
        points[k] = (float)(spacing * (place[k % 3] + 0.5 + paste_disorder(k)));
    }
    study_keep(run, world, dlp_world_add_points(world, material, points, count, (dlp_Vec3){0, 0, 0}));
    free(points);
}

dlp_World *paste_layer(StudyRun *run, const PasteLayer *layer)
{
    const double spacing = layer->height / layer->across, length = layer->wide * spacing;
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = spacing;
    def.gravity = layer->acceleration;
    def.periodic_size = (dlp_Vec3){length, length, 0};
    dlp_World *world = study_world(run, &def);
    if (world) {
        add_planes(run, world, layer);
        add_fluid(run, world, layer, spacing);
    }
    return world;
}
