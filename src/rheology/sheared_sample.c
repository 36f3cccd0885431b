/* Particles in a sheared periodic box, and their mean stress. */
#include "rheology/sheared_sample.h"

#include "rheology/sample_world.h"

enum { XX = 0, ZZ = 2, XZ = 5 }; /* of dlp_ParticleView.stress */

dlp_Result dlp__sample_create(dlp__Sample *sample, const dlp_MaterialDef *material, double spacing, int edge,
                              int64_t threads, dlp_Error *error)
{
    const double length = edge * spacing;
    const dlp__SampleLattice lattice = {.spacing = spacing, .counts = {edge, edge, edge}, .disorder = 0.3};
    *sample = (dlp__Sample){.world = NULL};
    dlp_Result result = dlp__sample_world(&sample->world, material, spacing, (dlp_Vec3){length, length, length},
                                          threads, error);
    result = result == DLP_OK ? dlp__sample_fill(sample->world, &lattice, error) : result;
    return result == DLP_OK ? dlp__sample_settle(sample->world, error) : result;
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
        return dlp__sample_fail(sample->world, result, error);
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
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(sample->world, result, error);
}
