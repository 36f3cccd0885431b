#include "surface/calibration.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

/* A fluid that ends at z = 0, as points of a lattice that is turned so that none of its planes lies along the surface. Returns how
 * many of them there are; `places` may be null. */
static int64_t half_space(double spacing, float *places, int64_t count)
{
    enum { SIDE = 24 };
    const dlp__Rotation rotation = dlp__rotation(dlp__vec3(0.4, -0.7, 0.55));
    int64_t found = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        dlp_Vec3 p = dlp__rotate(&rotation, dlp__vec3(x - 11.5, y - 11.5, z - 11.5));
        if (fabs(p.x) < 8.5 && fabs(p.y) < 8.5 && p.z < 0.0 && p.z > -8.5) {
            if (places != NULL) {
                places[found] = (float)(spacing * p.x);
                places[count + found] = (float)(spacing * p.y);
                places[2 * count + found] = (float)(spacing * p.z);
            }
            found++;
        }
    }
    return found;
}

/* The profile of the sum across a flat surface is read off blocks of small cells: a stack of them reaches from a radius below the
 * surface to a radius above it, and some stacks stand side by side for a mean. */
enum { STACKS = 3, BELOW = 2, PROFILE = 2 * BELOW * DLP_BLOCK_CELLS };

/* The mean sum at each height, never rising. */
static void find_profile(const dlp__SurfacePoints *points, const dlp__Ellipsoid *ellipsoids, const dlp__LevelPlan *plan,
                         double profile[PROFILE])
{
    float sum[DLP_BLOCK_SAMPLES];
    const double samples = STACKS * STACKS * DLP_BLOCK_SIDE * DLP_BLOCK_SIDE;
    memset(profile, 0, PROFILE * sizeof *profile);
    for (int n = 0; n < STACKS * STACKS * 2 * BELOW; n++) {
        const int stack = n / (2 * BELOW), level = n % (2 * BELOW);
        dlp__Cell place = {2 * (stack % STACKS) - STACKS, 2 * (stack / STACKS) - STACKS, level - BELOW};
        dlp__level_block_sums(points, ellipsoids, plan, place, sum);
        for (int k = 0; k < DLP_BLOCK_CELLS * DLP_BLOCK_SIDE * DLP_BLOCK_SIDE; k++) {
            profile[level * DLP_BLOCK_CELLS + k / (DLP_BLOCK_SIDE * DLP_BLOCK_SIDE)] += (double)sum[k] / samples;
        }
    }
    for (int h = 1; h < PROFILE; h++) {
        profile[h] = fmin(profile[h], profile[h - 1]);
    }
}

/* Sums to distances, from the distances to sums. */
static void invert_profile(dlp__LevelPlan *plan, const double profile[PROFILE], double step)
{
    const double most = profile[0];
    plan->per_step = (float)(DLP_LEVEL_STEPS / most);
    for (int n = 0, h = PROFILE - 1; n <= DLP_LEVEL_STEPS; n++) {
        double sum = most * n / DLP_LEVEL_STEPS;
        while (h > 1 && profile[h - 1] <= sum) {
            h--;
        }
        double rise = profile[h - 1] - profile[h], part = rise > 0.0 ? fmin((sum - profile[h]) / rise, 1.0) : 0.0;
        plan->level[n] = (float)(step * (h - part - BELOW * DLP_BLOCK_CELLS));
    }
}

/* What is put into the fluid with a flat top, and what comes out of it. */
typedef struct Trial {
    float *places;
    int64_t count;
    dlp__SurfacePoints points;
    dlp__Ellipsoids ellipsoids;
} Trial;

static bool try_flat_surface(Trial *trial, const dlp__EllipsoidPlan *plan, const dlp__Parallel *parallel)
{
    if (trial->places == NULL) {
        return false;
    }
    half_space(plan->spacing, trial->places, trial->count);
    dlp_Points points = {.count = trial->count};
    for (int a = 0; a < 3; a++) {
        points.position[a] = trial->places + a * trial->count;
    }
    return dlp__surface_points_take(&trial->points, &points) &&
           dlp__surface_points_sort(&trial->points, parallel, plan->reach, plan->spacing) &&
           dlp__ellipsoids_find(&trial->ellipsoids, &trial->points, parallel, plan);
}

bool dlp__level_calibrate(dlp__LevelPlan *plan, const dlp__EllipsoidPlan *ellipsoids, dlp__Memory *memory,
                          const dlp__Parallel *parallel)
{
    Trial trial = {.count = half_space(1.0, NULL, 0)};
    trial.places = dlp__memory_get(memory, 3 * trial.count, sizeof *trial.places);
    dlp__surface_points_init(&trial.points, memory);
    dlp__ellipsoids_init(&trial.ellipsoids, memory);
    bool fine = try_flat_surface(&trial, ellipsoids, parallel);
    if (fine) {
        double profile[PROFILE];
        dlp__LevelPlan small = *plan;
        small.cell = ellipsoids->radius / (BELOW * DLP_BLOCK_CELLS);
        find_profile(&trial.points, trial.ellipsoids.each, &small, profile);
        invert_profile(plan, profile, small.cell);
    }
    dlp__ellipsoids_release(&trial.ellipsoids);
    dlp__surface_points_release(&trial.points);
    dlp__memory_release(memory, trial.places, 3 * trial.count, sizeof *trial.places);
    return fine;
}
