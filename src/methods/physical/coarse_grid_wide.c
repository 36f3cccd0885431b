/* Mass, resistance and residuals of particles to the corners of their cells, and motion of the corners back to the particles, by trilinear
 * weights. */
#include "methods/physical/coarse_grid_loops.h"
#include "methods/physical/physical_fields.h"

#include "neighbors/domain.h"

enum { CORNERS = DLP_COARSE_CORNERS, AXES = 3, VECTORS = CORNERS / DLP_DOUBLES };

/* The weight of corner n along axis a is LOW[a][n] + RISE[a][n] x. */
static const double LOW[AXES][CORNERS] = {{1, 0, 1, 0, 1, 0, 1, 0}, {1, 1, 0, 0, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0, 0, 0}};
static const double RISE[AXES][CORNERS] = {
    {-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};

/* A particle's weight of the corners, whose sum is 1; `place` is its number in the grid. */
DLP_INLINE void find_weights(const dlp__CoarseGrid *grid, int64_t place, dlp__WideDouble weight[VECTORS])
{
    for (int v = 0; v < VECTORS; v++) {
        dlp__WideDouble along[AXES];
        for (int a = 0; a < AXES; a++) {
            along[a] = dlp__wide_load_doubles(LOW[a] + v * DLP_DOUBLES) +
                       dlp__wide_load_doubles(RISE[a] + v * DLP_DOUBLES) *
                           dlp__wide_double((double)grid->inside[a][place]);
        }
        weight[v] = along[0] * (along[1] * along[2]);
    }
}

/* sum += the whole part of `value` for each corner, in proportion to its weight */
DLP_INLINE void add_weighted(int64_t sum[CORNERS], const dlp__WideDouble weight[VECTORS], double value)
{
    for (int v = 0; v < VECTORS; v++) {
        dlp__WideLong all;
        memcpy(&all, sum + v * DLP_DOUBLES, sizeof all);
        all += dlp__wide_to_long(weight[v] * dlp__wide_double(value));
        memcpy(sum + v * DLP_DOUBLES, &all, sizeof all);
    }
}

/* Resistance of walls to a particle's motion: for each image, w (z mu (I - B) + dt kappa (I - R)), see physical_pairs.h. */
static void find_drag(const dlp__Domain *domain, int64_t i, float dt, double drag[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const dlp__Mirror *mirror = &domain->mirror;
    const dlp__Particles *p = &domain->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const double viscous = (double)f->stabilization[0][i], bulk = (double)(dt * f->bulk[0][i]);
    memset(drag, 0, 6 * sizeof *drag);
    for (int32_t k = 0; k < mirror->list.count[i]; k++) {
        const float *image = mirror->values + (mirror->list.start[i / DLP_GROUP] + k) * DLP_GROUP * DLP_IMAGE_VALUES +
                             i % DLP_GROUP;
        const double weight = (double)image[DLP_IMAGE_WEIGHT * DLP_GROUP];
        const double no_slip = (double)image[DLP_IMAGE_NO_SLIP * DLP_GROUP],
                     free_slip = (double)image[DLP_IMAGE_FREE_SLIP * DLP_GROUP];
        const double sign = (double)image[DLP_IMAGE_SIGN * DLP_GROUP];
        for (int n = 0; n < 6; n++) {
            double on = n < 3 ? 1.0 : 0.0;
            double mirrored = sign * (on - (double)image[(DLP_IMAGE_AXIS + row[n]) * DLP_GROUP] *
                                               (double)image[(DLP_IMAGE_AXIS + column[n]) * DLP_GROUP]);
            drag[n] += weight * (viscous * (on - no_slip * on - free_slip * mirrored) + bulk * (on - mirrored));
        }
    }
}

/* A particle in a nozzle has a prescribed velocity: it gets the largest possible mass. */
static void sum_members(const dlp__CoarseGrid *grid, const dlp__CoarseUnits *units, int64_t cell,
                        int64_t sum[DLP_COARSE_SUMS])
{
    memset(sum, 0, DLP_COARSE_SUMS * sizeof *sum);
    for (int64_t m = grid->start[cell]; m < grid->start[cell + 1]; m++) {
        const dlp__CoarseMember who = grid->member[m];
        const dlp__Domain *domain = &grid->domains->part[who.part];
        const dlp__Particles *p = &domain->particles;
        const dlp__PhysicalFields *f = dlp__own_fields(p);
        const int64_t i = who.index;
        const double density = p->mobility[0][i] > 0.0f ? 1.0 / (double)p->specific_volume[0][i] : units->heaviest;
        dlp__WideDouble weight[VECTORS];
        double each[CORNERS];
        find_weights(grid, grid->first[who.part] + i, weight);
        memcpy(each, weight, sizeof each);
        for (int n = 0; n < CORNERS; n++) {
            add_weighted(sum + DLP_COARSE_MASS + CORNERS * n, weight, units->mass * density * each[n]);
        }
        sum[DLP_COARSE_SHEAR] += (int64_t)(units->stiff * (double)f->stiffness[0][i]);
        sum[DLP_COARSE_BULK] += (int64_t)(units->stiff * (double)(grid->dt * f->bulk[0][i]));
        if (grid->walls && domain->mirror.list.count[i] > 0) {
            double drag[6];
            find_drag(domain, i, grid->dt, drag);
            for (int n = 0; n < 6; n++) {
                const double held = fmin(fmax(drag[n], -units->heaviest), units->heaviest);
                add_weighted(sum + DLP_COARSE_WALL + CORNERS * n, weight, units->mass * held);
            }
        }
    }
}

static void gather_forces(void *context, int64_t begin, int64_t end)
{
    const dlp__CoarseGridLoop *loop = context;
    const dlp__CoarseGrid *grid = loop->grid;
    for (int64_t c = begin; c < end; c++) {
        int64_t *sum = grid->sum + c * AXES * CORNERS;
        memset(sum, 0, AXES * CORNERS * sizeof *sum);
        for (int64_t m = grid->start[c]; m < grid->start[c + 1]; m++) {
            const dlp__CoarseMember who = grid->member[m];
            const dlp__Particles *p = &grid->domains->part[who.part].particles;
            const double unit = p->mobility[0][who.index] > 0.0f ? loop->unit : 0.0;
            dlp__WideDouble weight[VECTORS];
            find_weights(grid, grid->first[who.part] + who.index, weight);
            for (int a = 0; a < AXES; a++) {
                add_weighted(sum + CORNERS * a, weight, unit * (double)p->residual[a][who.index]);
            }
        }
    }
}

/* Motion of the corners, interpolated to the particles with the numbers place, place + 1, ... in the grid. */
DLP_INLINE void interpolate(const dlp__CoarseGrid *grid, int64_t place, dlp__Wide speed[AXES])
{
    const dlp__WideInt cell = dlp__wide_load_int(grid->cell + place);
    dlp__Wide weight[AXES][2];
    for (int a = 0; a < AXES; a++) {
        weight[a][1] = dlp__wide_load(grid->inside[a] + place);
        weight[a][0] = dlp__wide(1.0f) - weight[a][1];
        speed[a] = dlp__wide(0.0f);
    }
    for (int n = 0; n < CORNERS / 2; n++) { /* edges along the first axis */
        int32_t edge[DLP_WIDTH];
        dlp__WideRow low, high;
        dlp__wide_store_int(edge, dlp__wide_int(CORNERS / 2) * cell + dlp__wide_int(n));
        dlp__wide_joined_rows(grid->motion, edge, &low, &high);
        const dlp__Wide across = weight[1][n & 1] * weight[2][n >> 1];
        const dlp__Wide at_low = weight[0][0] * across, at_high = weight[0][1] * across;
        speed[0] += at_low * low.x + at_high * high.x;
        speed[1] += at_low * low.y + at_high * high.y;
        speed[2] += at_low * low.z + at_high * high.z;
    }
}

static void spread_motion(void *context, int64_t begin, int64_t end)
{
    const dlp__CoarseGridLoop *loop = context;
    const dlp__CoarseGrid *grid = loop->grid;
    const dlp__Particles *p = &grid->domains->part[loop->part].particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        const dlp__Wide mobility = dlp__wide_load(p->mobility[0] + i), own = dlp__wide(grid->ease) * mobility;
        const dlp__WideMask moves = dlp__wide_less(dlp__wide(0.0f), mobility);
        dlp__Wide speed[AXES];
        interpolate(grid, grid->first[loop->part] + i, speed);
        for (int a = 0; a < AXES; a++) {
            const dlp__Wide part = grid->adds ? dlp__wide_load(p->product[a] + i)
                                              : own * dlp__wide_load(p->residual[a] + i);
            dlp__wide_store(p->product[a] + i, dlp__wide_where(moves, part + speed[a]));
        }
    }
}

const dlp__CoarseGridLoops DLP_WIDE(dlp__coarse_grid_loops) = {sum_members, gather_forces, spread_motion};
