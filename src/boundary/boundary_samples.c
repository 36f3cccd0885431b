/* Samples of a mesh as boundary particles: their positions and volumes (Akinci et al. 2012, eq. 4, with the rest
 * density left to the user): V_b = 1 / sum_k W_bk over the samples, so that denser samples count less. */
#include "base/error.h"
#include "geometry/mesh_copy.h"
#include "geometry/mesh_triangle.h"
#include "geometry/point_grid.h"
#include "geometry/surface_samples.h"
#include "sph/kernel.h"

struct dlp_Samples {
    dlp__Memory memory;
    dlp__SurfaceSamples points;
    float *normal, *volume;
};

typedef struct Sum {
    const dlp__Kernel *kernel;
    double value; /* 1/m3 */
} Sum;

static void add_weight(void *context, int32_t point, double square)
{
    Sum *sum = context;
    (void)point;
    sum->value += dlp__kernel_value(sum->kernel, sqrt(square));
}

static bool find_volumes(dlp_Samples *samples, const dlp_SamplingDef *def)
{
    const dlp__Kernel kernel = dlp__kernel((dlp_KernelKind)def->kernel, def->support * def->spacing);
    const dlp__SurfaceSamples *points = &samples->points;
    dlp__PointGrid grid;
    const bool ok = dlp__point_grid_init(&grid, &samples->memory, points->position, points->count,
                                         (double)kernel.support);
    for (int64_t n = 0; n < points->count && ok; n++) {
        dlp__point_grid_add(&grid, (int32_t)n);
    }
    for (int64_t n = 0; n < points->count && ok; n++) {
        Sum sum = {&kernel, 0.0};
        dlp__point_grid_visit(&grid, points->position + 3 * n, add_weight, &sum);
        samples->volume[n] = (float)(1.0 / sum.value);
    }
    dlp__point_grid_release(&grid);
    return ok;
}

static bool fill(dlp_Samples *samples, const dlp_Mesh *mesh, const dlp_SamplingDef *def)
{
    const int64_t count = samples->points.count;
    samples->normal = dlp__memory_get(&samples->memory, count, 3 * sizeof(float));
    samples->volume = dlp__memory_get(&samples->memory, count, sizeof *samples->volume);
    if (samples->normal == NULL || samples->volume == NULL) {
        return false;
    }
    for (int64_t n = 0; n < count; n++) {
        const uint32_t *corner = mesh->triangle + 3 * (int64_t)samples->points.triangle[n];
        const dlp_Vec3 normal = dlp__unit_or_up(dlp__triangle_area(mesh->position, corner));
        samples->normal[3 * n] = (float)normal.x;
        samples->normal[3 * n + 1] = (float)normal.y;
        samples->normal[3 * n + 2] = (float)normal.z;
    }
    return find_volumes(samples, def);
}

dlp_Result dlp_mesh_sample(const dlp_Mesh *mesh, const dlp_SamplingDef *def, const dlp_Hooks *hooks,
                           dlp_Samples **samples, dlp_Error *error)
{
    if (def == NULL || samples == NULL) {
        return dlp__fail_null(error);
    }
    *samples = NULL;
    dlp_Result result = dlp_params_check(dlp_sampling_params(), def, error);
    result = result == DLP_OK ? dlp__mesh_check(mesh, error) : result;
    if (result != DLP_OK) {
        return result;
    }
    dlp__Memory memory;
    dlp__memory_init(&memory, hooks != NULL ? &hooks->allocator : NULL);
    dlp_Samples *made = dlp__memory_get(&memory, 1, sizeof *made);
    if (made == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for samples of a surface");
    }
    *made = (dlp_Samples){.memory = memory};
    result = dlp__surface_samples_make(&made->points, mesh, def->spacing, (uint64_t)def->seed, &made->memory, error);
    if (result == DLP_OK && !fill(made, mesh, def)) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the volumes of %lld samples",
                           (long long)made->points.count);
    }
    if (result != DLP_OK) {
        dlp_samples_destroy(made);
        return result;
    }
    *samples = made;
    return DLP_OK;
}

dlp_SampleView dlp_samples_view(const dlp_Samples *samples)
{
    if (samples == NULL) {
        return (dlp_SampleView){0};
    }
    return (dlp_SampleView){samples->points.count, samples->points.position, samples->normal, samples->volume,
                            samples->points.triangle};
}

void dlp_samples_destroy(dlp_Samples *samples)
{
    if (samples == NULL) {
        return;
    }
    dlp__memory_release(&samples->memory, samples->volume, samples->points.count, sizeof *samples->volume);
    dlp__memory_release(&samples->memory, samples->normal, samples->points.count, 3 * sizeof(float));
    dlp__surface_samples_release(&samples->points);
    dlp__Memory memory = samples->memory;
    dlp__memory_release(&memory, samples, 1, sizeof *samples);
}
