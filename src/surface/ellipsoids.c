/* Ellipsoids from the weighted covariance of the neighbors of each point. */
#include "surface/ellipsoids.h"

#include "base/simd.h"
#include "surface/neighbor_covariance.h"

#include <math.h>
#include <string.h>

enum { CHUNK_CELLS = 64 };

/* The variance of a full neighborhood along any axis, in units of the reach: that of a ball with weights (1 -
 * s^2)^2. */
static const double FULL_VARIANCE = 1.0 / 9.0;

/* A point with few neighbors is a small sphere; with more neighbors it blends into the surface that they form. The
 * limits are sums of neighbor weights: a flat surface has about half as much as the interior, a single layer of points
 * a third. */
static const double ISOLATED_WEIGHT = 0.08, JOINED_WEIGHT = 0.6; /* of a full neighborhood */

typedef struct Search {
    dlp__Ellipsoid *ellipsoids;
    const dlp__SurfacePoints *points;
    const dlp__EllipsoidPlan *plan;
    dlp__NeighborCovarianceFunction covariance;
    double full_weight; /* of the neighbours of a point inside the fluid */
} Search;

/* Eigenvalues (on the diagonal of `m`) and eigenvectors (columns of `axes`) of a symmetric matrix, by Jacobi
 * rotations. */
static void eigen_decomposition(double m[3][3], double axes[3][3])
{
    for (int i = 0; i < 9; i++) {
        axes[i / 3][i % 3] = i % 4 == 0;
    }
    for (int sweep = 0; sweep < 12; sweep++) {
        double off = m[0][1] * m[0][1] + m[0][2] * m[0][2] + m[1][2] * m[1][2];
        double on = m[0][0] * m[0][0] + m[1][1] * m[1][1] + m[2][2] * m[2][2];
        if (off <= 1e-20 * on) {
            return;
        }
        for (int n = 0; n < 3; n++) {
            int p = n == 2 ? 1 : 0, q = n == 0 ? 1 : 2;
            if (m[p][q] == 0.0) {
                continue;
            }
            double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
            double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
            for (int k = 0; k < 3; k++) {
                double a = m[k][p], b = m[k][q];
                m[k][p] = c * a - s * b;
                m[k][q] = s * a + c * b;
            }
            for (int k = 0; k < 3; k++) {
                double a = m[p][k], b = m[q][k], u = axes[k][p], v = axes[k][q];
                m[p][k] = c * a - s * b;
                m[q][k] = s * a + c * b;
                axes[k][p] = c * u - s * v;
                axes[k][q] = s * u + c * v;
            }
        }
    }
}

/* From semi-axes (m) and their directions. */
static void shape_ellipsoid(dlp__Ellipsoid *ellipsoid, const double half[3], double axes[3][3], double volume)
{
    double matrix[3][3] = {{0}}, extent[3] = {0};
    for (int k = 0; k < 3; k++) {
        for (int a = 0; a < 3; a++) {
            extent[a] += axes[a][k] * axes[a][k] * half[k] * half[k];
            for (int b = 0; b < 3; b++) {
                matrix[a][b] += axes[a][k] * axes[b][k] / (half[k] * half[k]);
            }
        }
    }
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int n = 0; n < 6; n++) {
        ellipsoid->matrix[n] = (float)matrix[row[n]][column[n]];
    }
    for (int a = 0; a < 3; a++) {
        ellipsoid->extent[a] = (float)(sqrt(extent[a]) * (1.0 + 1e-6));
    }
    ellipsoid->weight = (float)(volume / (half[0] * half[1] * half[2]));
}

static void make_sphere(dlp__Ellipsoid *ellipsoid, double radius, double volume)
{
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    shape_ellipsoid(ellipsoid, (double[3]){radius, radius, radius}, axes, volume);
}

/* Section 4 of the paper: axes proportional to the variances of the neighbors, none much shorter than the longest. */
static void shape_from_neighbors(dlp__Ellipsoid *ellipsoid, const dlp__EllipsoidPlan *plan,
                                 const dlp__NeighborCovariance *n, double blend)
{
    double mean[3], m[3][3], axes[3][3], half[3];
    double longest = plan->lone_radius / plan->radius; /* lower limit: coincident points have no variance */
    static const int index[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int a = 0; a < 3; a++) {
        mean[a] = (double)n->mean[a] / (double)n->weight;
        ellipsoid->center[a] += (float)(blend * plan->smoothing * plan->reach * mean[a]);
    }
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = (double)n->second_moments[index[i / 3][i % 3]] / (double)n->weight -
                          mean[i / 3] * mean[i % 3];
    }
    eigen_decomposition(m, axes);
    for (int k = 0; k < 3; k++) {
        half[k] = fmin(fmax(m[k][k] / FULL_VARIANCE, 0.0), 1.0);
        longest = fmax(longest, half[k]);
    }
    for (int k = 0; k < 3; k++) {
        half[k] = fmax(half[k], longest / plan->flatness);
        half[k] = plan->lone_radius + blend * (plan->radius * half[k] - plan->lone_radius);
    }
    shape_ellipsoid(ellipsoid, half, axes, plan->volume);
}

static void find_ellipsoid(const Search *search, const dlp__IndexRange *ranges, int count, int32_t i)
{
    const dlp__EllipsoidPlan *plan = search->plan;
    dlp__Ellipsoid *ellipsoid = &search->ellipsoids[i];
    dlp__NeighborCovariance covariance;
    search->covariance(&search->points->particles, ranges, count, i, (float)(1.0 / plan->reach), &covariance);
    double fraction = ((double)covariance.weight / search->full_weight - ISOLATED_WEIGHT) /
                      (JOINED_WEIGHT - ISOLATED_WEIGHT);
    double blend = fmin(fmax(fraction, 0.0), 1.0);
    shape_from_neighbors(ellipsoid, plan, &covariance, blend * blend * (3.0 - 2.0 * blend));
}

static void find_ellipsoids(void *context, int64_t begin, int64_t end)
{
    const Search *search = context;
    const dlp__CellGrid *grid = &search->points->grid;
    const dlp__Particles *p = &search->points->particles;
    int64_t cursor[9];
    if (begin >= end) {
        return;
    }
    dlp__cells_cursor(grid, begin, cursor);
    for (int64_t cell = begin; cell < end; cell++) {
        dlp__IndexRange ranges[DLP_CELL_RANGES];
        bool is_sphere = search->points->inner[cell] || search->plan->flatness <= 1.0;
        int count = is_sphere ? 0 : dlp__cells_around(grid, cell, cursor, ranges);
        for (int32_t i = grid->start[cell]; i < grid->start[cell] + grid->population[cell]; i++) {
            dlp__Ellipsoid *ellipsoid = &search->ellipsoids[i];
            *ellipsoid = (dlp__Ellipsoid){.center = {p->position[0][i], p->position[1][i], p->position[2][i]}};
            if (is_sphere) {
                make_sphere(ellipsoid, search->plan->radius, search->plan->volume);
            } else {
                find_ellipsoid(search, ranges, count, i);
            }
        }
    }
}

void dlp__ellipsoids_init(dlp__Ellipsoids *ellipsoids, dlp__Memory *memory)
{
    memset(ellipsoids, 0, sizeof *ellipsoids);
    ellipsoids->memory = memory;
}

void dlp__ellipsoids_release(dlp__Ellipsoids *ellipsoids)
{
    dlp__buffer_release(ellipsoids->memory, &ellipsoids->buffer);
}

bool dlp__ellipsoids_find(dlp__Ellipsoids *ellipsoids, const dlp__SurfacePoints *points, const dlp__Parallel *parallel,
                          const dlp__EllipsoidPlan *plan)
{
    static const dlp__NeighborCovarianceFunction versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__neighbor_covariance);
    const double pi = 3.14159265358979323846, r = plan->reach;
    if (!dlp__buffer_reserve(ellipsoids->memory, &ellipsoids->buffer, points->particles.count + 1,
                             sizeof(dlp__Ellipsoid))) {
        return false;
    }
    ellipsoids->each = ellipsoids->buffer.data;
    Search search = {.ellipsoids = ellipsoids->each,
                     .points = points,
                     .plan = plan,
                     .covariance = versions[dlp__width_index(plan->simd)],
                     .full_weight = 4.0 * pi * (8.0 / 105.0) * r * r * r /
                                    (plan->spacing * plan->spacing * plan->spacing)};
    dlp__parallel_for(parallel, points->grid.count, CHUNK_CELLS, find_ellipsoids, &search);
    return true;
}
