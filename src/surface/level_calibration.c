/* Measures the profile of the sum across a flat surface and inverts it into the table of levels. */
#include "surface/level_calibration.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

/* A fluid with a flat top at z = 0, as points of a lattice rotated so that none of its planes is parallel to the
 * surface. Returns the number of points; `positions` may be null. */
static int64_t half_space(double spacing, float *positions, int64_t count)
{
    enum { SIDE = 24 };
    const dlp__Rotation rotation = dlp__rotation(dlp__vec3(0.4, -0.7, 0.55));
    int64_t found = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        dlp_Vec3 p = dlp__rotate(&rotation, dlp__vec3(x - 11.5, y - 11.5, z - 11.5));
        if (fabs(p.x) < 8.5 && fabs(p.y) < 8.5 && p.z < 0.0 && p.z > -8.5) {
            if (positions != NULL) {
                positions[found] = (float)(spacing * p.x);
                positions[count + found] = (float)(spacing * p.y);
                positions[2 * count + found] = (float)(spacing * p.z);
            }
            found++;
        }
    }
    return found;
}

/* The profile of the sum across a flat surface is sampled with blocks of small cells: a column of blocks extends from a
 * radius below the surface to a radius above it, and several columns are averaged. */
enum { COLUMNS = 3, HALF_BLOCKS = 2, PROFILE = 2 * HALF_BLOCKS * DLP_BLOCK_CELLS };

/* The mean sum at each height, made monotonic. */
static void find_profile(const dlp__SurfacePoints *points, const dlp__Ellipsoid *ellipsoids, const dlp__LevelPlan *plan,
                         double profile[PROFILE])
{
    float sum[DLP_BLOCK_SAMPLES];
    const double samples = COLUMNS * COLUMNS * DLP_BLOCK_SIDE * DLP_BLOCK_SIDE;
    memset(profile, 0, PROFILE * sizeof *profile);
    for (int n = 0; n < COLUMNS * COLUMNS * 2 * HALF_BLOCKS; n++) {
        const int column = n / (2 * HALF_BLOCKS), level = n % (2 * HALF_BLOCKS);
        dlp__Cell block = {2 * (column % COLUMNS) - COLUMNS, 2 * (column / COLUMNS) - COLUMNS, level - HALF_BLOCKS};
        dlp__level_block_sums(points, ellipsoids, plan, block, sum);
        for (int k = 0; k < DLP_BLOCK_CELLS * DLP_BLOCK_SIDE * DLP_BLOCK_SIDE; k++) {
            profile[level * DLP_BLOCK_CELLS + k / (DLP_BLOCK_SIDE * DLP_BLOCK_SIDE)] += (double)sum[k] / samples;
        }
    }
    for (int h = 1; h < PROFILE; h++) {
        profile[h] = fmin(profile[h], profile[h - 1]);
    }
}

/* Invert the profile: from sums at given distances to distances for given sums. */
static void invert_profile(dlp__LevelPlan *plan, const double profile[PROFILE], double step)
{
    const double maximum = profile[0];
    plan->per_step = (float)(DLP_LEVEL_STEPS / maximum);
    for (int n = 0, h = PROFILE - 1; n <= DLP_LEVEL_STEPS; n++) {
        double sum = maximum * n / DLP_LEVEL_STEPS;
        while (h > 1 && profile[h - 1] <= sum) {
            h--;
        }
        double rise = profile[h - 1] - profile[h], fraction = rise > 0.0 ? fmin((sum - profile[h]) / rise, 1.0) : 0.0;
        plan->level[n] = (float)(step * (h - fraction - HALF_BLOCKS * DLP_BLOCK_CELLS));
    }
}

/* The fluid with a flat top and its ellipsoids. */
typedef struct FlatFluid {
    float *positions;
    int64_t count;
    dlp__SurfacePoints points;
    dlp__Ellipsoids ellipsoids;
} FlatFluid;

static bool build_flat_fluid(FlatFluid *flat, const dlp__EllipsoidPlan *plan, const dlp__Parallel *parallel)
{
    if (flat->positions == NULL) {
        return false;
    }
    half_space(plan->spacing, flat->positions, flat->count);
    dlp_Points points = {.count = flat->count};
    for (int a = 0; a < 3; a++) {
        points.position[a] = flat->positions + a * flat->count;
    }
    return dlp__surface_points_set(&flat->points, &points) &&
           dlp__surface_points_sort(&flat->points, parallel, plan->reach, plan->spacing) &&
           dlp__ellipsoids_find(&flat->ellipsoids, &flat->points, parallel, plan);
}

bool dlp__level_calibrate(dlp__LevelPlan *plan, const dlp__EllipsoidPlan *ellipsoids, dlp__Memory *memory,
                          const dlp__Parallel *parallel)
{
    FlatFluid flat = {.count = half_space(1.0, NULL, 0)};
    flat.positions = dlp__memory_get(memory, 3 * flat.count, sizeof *flat.positions);
    dlp__surface_points_init(&flat.points, memory);
    dlp__ellipsoids_init(&flat.ellipsoids, memory);
    bool ok = build_flat_fluid(&flat, ellipsoids, parallel);
    if (ok) {
        double profile[PROFILE];
        dlp__LevelPlan fine_plan = *plan;
        fine_plan.cell = ellipsoids->radius / (HALF_BLOCKS * DLP_BLOCK_CELLS);
        find_profile(&flat.points, flat.ellipsoids.each, &fine_plan, profile);
        invert_profile(plan, profile, fine_plan.cell);
    }
    dlp__ellipsoids_release(&flat.ellipsoids);
    dlp__surface_points_release(&flat.points);
    dlp__memory_release(memory, flat.positions, 3 * flat.count, sizeof *flat.positions);
    return ok;
}
