/* The pipeline from points to the mesh of a fluid surface, and its parameters. */
#include "base/error.h"
#include "base/simd.h"
#include "surface/level_calibration.h"
#include "surface/mesh_smooth.h"
#include "geometry/mesh_triangle.h"
#include "surface/surface_walls.h"
#include "surface/vertex_fields.h"

#include <math.h>
#include <string.h>

/* Radius of a point without neighbors, in spacings: the sphere then has most of the point's volume. */
static const double LONE_RADIUS = 0.9;

/* Radius of the neighbors that determine the shape of a point, in radii. */
static const double NEIGHBOR_RADIUS = 1.0;

/* Radius over which vertices average the fields of points, in spacings: with less, single points would be visible. */
static const double FIELD_RADIUS = 1.75;

struct dlp_Surface {
    dlp_SurfaceDef def;
    dlp__Memory memory;
    dlp__Parallel parallel;
    dlp__EllipsoidPlan ellipsoid_plan;
    dlp__LevelPlan level_plan;
    dlp__SurfacePoints points;
    dlp__SurfaceWalls walls;
    dlp__Ellipsoids ellipsoids;
    dlp__LevelBlocks blocks;
    dlp__MarchedMesh mesh;
    dlp__MeshSmoother smoother;
    dlp__VertexFields fields;
};

/* clang-format off */
static const char *const field_names[] = {"anisotropic", "isotropic", "averaged", "blobs", NULL};

#define REAL(member, unit, value, min, max, ...) \
    {#member, DLP_PARAM_REAL, offsetof(dlp_SurfaceDef, member), unit, {value, 0, 0}, min, max, NULL, .help = __VA_ARGS__}
#define INTEGER(member, value, min, max, ...) \
    {#member, DLP_PARAM_INT, offsetof(dlp_SurfaceDef, member), "", {value, 0, 0}, min, max, NULL, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    {"field", DLP_PARAM_CHOICE, offsetof(dlp_SurfaceDef, field), "", {DLP_SURFACE_ANISOTROPIC, 0, 0}, 0, 3, field_names,
     .help = "field whose level set is the surface"},
    REAL(spacing, "m", 0.01, 1e-6, 1e3, "particle spacing"),
    REAL(cell, "", 0.5, 0.1, 4.0, "of the grid that the mesh is extracted from, in spacings"),
    REAL(radius, "", 0.0, 0.0, 4.0,
         "radius of influence of a particle, in spacings; 0 selects 3 if anisotropic, else 2"),
    REAL(smoothing, "", 0.6, 0.0, 1.0, "how far particles move to the mean of their neighbours before meshing"),
    REAL(flatness, "", 4.0, 1.0, 16.0, "largest ratio of the axes of an ellipsoid"),
    INTEGER(rounds, 5, 0, 1000, "smoothing iterations of the mesh, which preserve its volume and edges"),
    INTEGER(threads, 0, 0, 1024, "threads; 0 uses all cores"),
    INTEGER(simd, 0, 0, 16, "vector lanes: 1, 4, 8 or 16; 0 uses the widest"),
};
/* clang-format on */

const dlp_ParamTable *dlp_surface_params(void)
{
    static const dlp_ParamTable table = {"surface", "a mesh around the particles", sizeof(dlp_SurfaceDef),
                                         (int)(sizeof params / sizeof params[0]), params};
    return &table;
}

dlp_SurfaceDef dlp_default_surface_def(void)
{
    dlp_SurfaceDef def;
    dlp_params_default(dlp_surface_params(), &def);
    return def;
}

static dlp_Result check_points(const dlp_Points *points, dlp_Error *error)
{
    static const float MAX_COORDINATE = 1e9f; /* m */
    if (points->count < 0 || points->count > INT32_MAX - 64) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "%lld points: there may be 0 to 2147483583",
                         (long long)points->count);
    }
    for (int64_t i = 0; i < points->count; i++) {
        for (int a = 0; a < 3; a++) {
            if (!(fabsf(points->position[a][i]) <= MAX_COORDINATE)) {
                return dlp__fail(error, DLP_ERROR_NOT_FINITE,
                                 "point %lld has a coordinate of %g m: at most 1e9 m is possible", (long long)i,
                                 (double)points->position[a][i]);
            }
        }
    }
    return DLP_OK;
}

dlp_Result dlp_surface_create(const dlp_SurfaceDef *def, dlp_Surface **result, dlp_Error *error)
{
    if (def == NULL || result == NULL) {
        return dlp__fail_null(error);
    }
    *result = NULL;
    dlp_Result checked = dlp_params_check(dlp_surface_params(), def, error);
    if (checked != DLP_OK) {
        return checked;
    }
    dlp__Parallel parallel;
    checked = dlp__parallel_create(&parallel, (int)def->threads, &def->hooks, error);
    if (checked != DLP_OK) {
        return checked;
    }
    dlp__Memory memory;
    dlp__memory_init(&memory, &def->hooks.allocator);
    dlp_Surface *surface = dlp__memory_get(&memory, 1, sizeof *surface);
    if (surface == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a surface");
    }
    memset(surface, 0, sizeof *surface);
    const bool anisotropic = def->field == DLP_SURFACE_ANISOTROPIC;
    const double d = def->spacing, radius = d * (def->radius > 0.0 ? fmax(def->radius, 1.0) : anisotropic ? 3.0 : 2.0);
    const int simd = def->simd > 0 ? (int)def->simd : dlp__width_most();
    surface->def = *def;
    surface->memory = memory;
    surface->parallel = parallel;
    surface->ellipsoid_plan = (dlp__EllipsoidPlan){.radius = radius,
                                                   .lone_radius = LONE_RADIUS * d,
                                                   .spacing = d,
                                                   .reach = NEIGHBOR_RADIUS * radius,
                                                   .volume = 315.0 / (64.0 * 3.14159265358979323846) * d * d * d,
                                                   .smoothing = anisotropic ? def->smoothing : 0.0,
                                                   .flatness = anisotropic ? def->flatness : 1.0,
                                                   .simd = simd};
    surface->level_plan = (dlp__LevelPlan){.field = (dlp_SurfaceField)def->field,
                                           .cell = def->cell * d,
                                           .radius = radius,
                                           .max_extent = (anisotropic ? 1.0 + NEIGHBOR_RADIUS : 1.0) * radius,
                                           .simd = simd};
    dlp__surface_points_init(&surface->points, &surface->memory);
    dlp__surface_walls_init(&surface->walls, &surface->memory);
    dlp__ellipsoids_init(&surface->ellipsoids, &surface->memory);
    dlp__level_blocks_init(&surface->blocks, &surface->memory);
    dlp__marching_init(&surface->mesh, &surface->memory);
    dlp__mesh_smoother_init(&surface->smoother, &surface->memory);
    dlp__vertex_fields_init(&surface->fields, &surface->memory);
    if (!dlp__level_calibrate(&surface->level_plan, &surface->ellipsoid_plan, &surface->memory, &surface->parallel)) {
        dlp_surface_destroy(surface);
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a surface");
    }
    *result = surface;
    return DLP_OK;
}

void dlp_surface_destroy(dlp_Surface *surface)
{
    if (surface == NULL) {
        return;
    }
    dlp__vertex_fields_release(&surface->fields);
    dlp__mesh_smoother_release(&surface->smoother);
    dlp__marching_release(&surface->mesh);
    dlp__level_blocks_release(&surface->blocks);
    dlp__ellipsoids_release(&surface->ellipsoids);
    dlp__surface_walls_release(&surface->walls);
    dlp__surface_points_release(&surface->points);
    dlp__Memory memory = surface->memory;
    dlp__memory_release(&memory, surface, 1, sizeof *surface);
}

static dlp_Result out_of_memory(const dlp_Points *points, dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the surface of %lld points: use a larger cell",
                     (long long)points->count);
}

dlp_Result dlp_surface_build(dlp_Surface *surface, const dlp_Points *points, dlp_Mesh *mesh, dlp_Error *error)
{
    if (surface == NULL || points == NULL || mesh == NULL) {
        return dlp__fail_null(error);
    }
    *mesh = (dlp_Mesh){0};
    dlp_Result checked = check_points(points, error);
    for (int i = 0; i < points->solid_count && checked == DLP_OK; i++) {
        checked = dlp_params_check(dlp_solid_params(), &points->solids[i], error);
    }
    if (checked != DLP_OK) {
        return checked;
    }
    const dlp__Parallel *parallel = &surface->parallel;
    const double reach = surface->ellipsoid_plan.reach, cell = surface->level_plan.cell;
    const dlp__SurfaceWalls *walls = &surface->walls;
    if (!dlp__surface_points_set(&surface->points, points) ||
        !dlp__surface_walls_place(&surface->walls, points, 2.0 * surface->level_plan.max_extent) ||
        !dlp__surface_walls_mirror(walls, &surface->points.particles, reach) ||
        !dlp__surface_points_sort(&surface->points, parallel, reach, surface->def.spacing) ||
        !dlp__ellipsoids_find(&surface->ellipsoids, &surface->points, parallel, &surface->ellipsoid_plan) ||
        !dlp__level_blocks_fill(&surface->blocks, &surface->points, surface->ellipsoids.each, parallel,
                                &surface->level_plan, walls->count > 0 ? dlp__surface_walls_clip : NULL, walls) ||
        !dlp__marching_run(&surface->mesh, &surface->blocks, parallel) ||
        !dlp__surface_walls_find_contact(&surface->walls, &surface->mesh, parallel, cell) ||
        !dlp__mesh_smooth(&surface->smoother, &surface->mesh, parallel, (int)surface->def.rounds)) {
        return out_of_memory(points, error);
    }
    dlp__surface_walls_project(&surface->walls, &surface->mesh, parallel, cell);
    if (!dlp__vertex_fields_find(&surface->fields, &surface->mesh, &surface->points, points, parallel,
                                 FIELD_RADIUS * surface->def.spacing, surface->level_plan.simd)) {
        return out_of_memory(points, error);
    }
    const dlp__MarchedMesh *marched = &surface->mesh;
    *mesh = (dlp_Mesh){.vertex_count = marched->vertex_count,
                       .triangle_count = marched->triangle_count,
                       .position = marched->position,
                       .normal = marched->normal,
                       .triangle = marched->triangle,
                       .field_count = surface->fields.count,
                       .fields = surface->fields.field,
                       .cell = surface->level_plan.cell};
    return DLP_OK;
}

double dlp_mesh_volume(const dlp_Mesh *mesh)
{
    if (mesh == NULL) {
        return 0.0;
    }
    double sum = 0.0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        sum += dlp__triangle_volume(mesh->position, mesh->triangle + 3 * t);
    }
    return sum;
}
