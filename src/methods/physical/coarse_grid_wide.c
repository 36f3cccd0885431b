/* Residuals of particles to the corners of their cells, and motion of the corners back to the particles, by trilinear weights. */
#include "methods/physical/coarse_grid_loops.h"

#include "neighbors/domain.h"

enum { CORNERS = DLP_COARSE_CORNERS, AXES = 3, VECTORS = CORNERS / DLP_DOUBLES };

/* The weight of corner n along axis a is LOW[a][n] + RISE[a][n] x. */
static const double LOW[AXES][CORNERS] = {{1, 0, 1, 0, 1, 0, 1, 0}, {1, 1, 0, 0, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0, 0, 0}};
static const double RISE[AXES][CORNERS] = {
    {-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};

/* A particle's weights along one axis of corners first, first + 1, ... */
DLP_INLINE dlp__WideDouble weights_along(int axis, int first, double inside)
{
    return dlp__wide_load_doubles(LOW[axis] + first) +
           dlp__wide_load_doubles(RISE[axis] + first) * dlp__wide_double(inside);
}

static void gather_forces(void *context, int64_t begin, int64_t end)
{
    const dlp__CoarseGridLoop *loop = context;
    const dlp__CoarseGrid *grid = loop->grid;
    for (int64_t c = begin; c < end; c++) {
        dlp__WideLong sum[AXES][VECTORS];
        memset(sum, 0, sizeof sum);
        for (int64_t m = grid->start[c]; m < grid->start[c + 1]; m++) {
            const dlp__Particles *p = &grid->domains->part[grid->member[m].part].particles;
            const int64_t i = grid->member[m].index;
            const double unit = p->mobility[0][i] > 0.0f ? loop->unit : 0.0;
            const double x = (double)grid->inside[0][m], y = (double)grid->inside[1][m], z = (double)grid->inside[2][m];
            for (int v = 0; v < VECTORS; v++) {
                const int first = v * DLP_DOUBLES;
                const dlp__WideDouble part = weights_along(0, first, x) *
                                             (weights_along(1, first, y) * weights_along(2, first, z));
                for (int a = 0; a < AXES; a++) {
                    sum[a][v] += dlp__wide_to_long(part * dlp__wide_double(unit * (double)p->residual[a][i]));
                }
            }
        }
        memcpy(grid->sum + c * AXES * CORNERS, sum, sizeof sum);
    }
}

/* Motion of members m, m + 1, ... of a cell, from that of its corners. */
DLP_INLINE void interpolate(const dlp__CoarseGrid *grid, int64_t m, double motion[CORNERS][AXES],
                            double speed[AXES][DLP_DOUBLES])
{
    const dlp__WideDouble one = dlp__wide_double(1.0), zero = dlp__wide_double(0.0);
    dlp__WideDouble weight[AXES][2], sum[AXES] = {zero, zero, zero};
    for (int a = 0; a < AXES; a++) {
        weight[a][1] = dlp__wide_load_floats(grid->inside[a] + m);
        weight[a][0] = one - weight[a][1];
    }
    for (int n = 0; n < CORNERS; n++) {
        const dlp__WideDouble part = weight[0][n & 1] * (weight[1][n >> 1 & 1] * weight[2][n >> 2]);
        for (int a = 0; a < AXES; a++) {
            sum[a] += part * dlp__wide_double(motion[n][a]);
        }
    }
    memcpy(speed, sum, sizeof sum);
}

static void spread_motion(void *context, int64_t begin, int64_t end)
{
    const dlp__CoarseGridLoop *loop = context;
    const dlp__CoarseGrid *grid = loop->grid;
    for (int64_t c = begin; c < end; c++) {
        double motion[CORNERS][AXES], speed[AXES][DLP_DOUBLES];
        for (int n = 0; n < CORNERS; n++) {
            memcpy(motion[n], grid->motion + (int64_t)AXES * grid->corner[c][n], sizeof motion[n]);
        }
        for (int64_t first = grid->start[c]; first < grid->start[c + 1]; first += DLP_DOUBLES) {
            interpolate(grid, first, motion, speed);
            for (int64_t m = first; m < first + DLP_DOUBLES && m < grid->start[c + 1]; m++) {
                const dlp__Particles *p = &grid->domains->part[grid->member[m].part].particles;
                const int64_t i = grid->member[m].index;
                const float mobility = p->mobility[0][i], own = grid->ease * mobility;
                for (int a = 0; a < AXES; a++) {
                    const float carried = (float)speed[a][m - first];
                    p->product[a][i] = mobility > 0.0f
                                           ? (grid->adds ? p->product[a][i] : own * p->residual[a][i]) + carried
                                           : 0.0f;
                }
            }
        }
    }
}

const dlp__CoarseGridLoops DLP_WIDE(dlp__coarse_grid_loops) = {gather_forces, spread_motion};
