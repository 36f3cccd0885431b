#include "methods/physical/coarse_grid_loops.h"
#include "methods/physical/physical_fields.h"

#include "neighbors/domain.h"

#include <math.h>
#include <string.h>

enum {
    CORNERS = DLP_COARSE_CORNERS,
    AXES = 3,
    CELLS_MOST = 1 << 15,   /* filled ones                                                     */
    BOX_LEAST = 1 << 15,    /* cells that the box may have in any case, most of which may be empty */
    PARTICLES_IN_BOX = 8,   /* and a cell for so many particles                                */
    PARTICLES_LEAST = 64,   /* in a cell that is full                                          */
    WORK_LEAST = 1 << 22,   /* multiplications that may be spent to factor the last matrix     */
    WORK_OF_PARTICLE = 128, /* and for each particle                                           */
    COLORS = 8,             /* of cells; those of one have no nodes in common                  */
    TRIES = 40,
    ROW = 4,      /* floats of a row of `motion` */
    GRAIN = 4096, /* particles */
    CELL_GRAIN = 128,
};

/* Upper bounds of the operator's resistance to the motion of a single particle: by neighbours, in units of shear or
 * bulk stiffness over spacing squared; and by walls. */
static const double RESIST_SHEAR = 2.0, RESIST_BULK = 1.0, DRAG_MOST = 64.0;

/* The number of a particle's cell in the box, and its position in the cell. */
static int32_t find_cell(const dlp__CoarseGrid *grid, const dlp__Particles *p, int64_t i, float inside[AXES])
{
    int32_t cell = 0;
    for (int a = AXES - 1; a >= 0; a--) {
        const double x = ((double)p->position[a][i] - grid->origin[a]) * grid->per_side[a];
        const double most = (double)grid->cells[a], within = x > 0.0 ? (x < most ? x : most) : 0.0;
        const int32_t last = (int32_t)grid->cells[a] - 1, low = within < most ? (int32_t)within : last;
        inside[a] = (float)(within - (double)low);
        cell = cell * (last + 1) + low;
    }
    return cell;
}

typedef struct Locating {
    const dlp__CoarseGrid *grid;
    int part;
} Locating;

static void locate(void *context, int64_t begin, int64_t end)
{
    const Locating *job = context;
    const dlp__CoarseGrid *grid = job->grid;
    const int64_t first = grid->first[job->part];
    float inside[AXES];
    for (int64_t i = begin; i < end; i++) {
        grid->cell[first + i] = find_cell(grid, &grid->domains->part[job->part].particles, i, inside);
        for (int a = 0; a < AXES; a++) {
            grid->inside[a][first + i] = inside[a];
        }
    }
}

/* Number 0 for every cell of which some rank holds particles. */
static void merge_marks(dlp__CoarseGrid *grid, int64_t cells)
{
    enum { BITS = 64 };
    dlp_Ranks *ranks = grid->domains->ranks;
    if (dlp__ranks_count(ranks) == 1) {
        return;
    }
    memset(grid->marks, 0, (size_t)((cells + BITS - 1) / BITS) * sizeof *grid->marks);
    for (int64_t c = 0; c < cells; c++) {
        grid->marks[c / BITS] |= grid->number[c] == 0 ? (int64_t)((uint64_t)1 << c % BITS) : 0;
    }
    dlp__ranks_reduce(ranks, DLP_REDUCE_OR, grid->marks, (cells + BITS - 1) / BITS);
    grid->filled = 0;
    for (int64_t c = 0; c < cells; c++) {
        grid->number[c] = ((uint64_t)grid->marks[c / BITS] >> c % BITS & 1) != 0 ? 0 : -1;
        grid->filled += grid->number[c] == 0;
    }
}

/* Find the cells of all particles and mark those that hold some; false if they are too many. */
static bool mark_filled(dlp__CoarseGrid *grid)
{
    const int64_t cells = grid->cells[0] * grid->cells[1] * grid->cells[2];
    int64_t all = 0;
    for (int d = 0; d < grid->domains->count; d++) {
        Locating job = {grid, d};
        const int64_t count = grid->domains->part[d].particles.count;
        dlp__parallel_for(grid->domains->parallel, count, GRAIN, locate, &job);
        all += count;
    }
    grid->filled = 0;
    memset(grid->number, 0xff, (size_t)cells * sizeof *grid->number);
    for (int64_t n = 0; n < all; n++) {
        int32_t *number = &grid->number[grid->cell[n]];
        grid->filled += *number < 0;
        *number = 0;
    }
    merge_marks(grid, cells);
    return grid->filled <= CELLS_MOST;
}

/* List the particles of each filled cell, by counting sort. */
static void list_members(dlp__CoarseGrid *grid)
{
    memset(grid->start, 0, (size_t)(grid->filled + 1) * sizeof *grid->start);
    for (int pass = 0; pass < 2; pass++) {
        int32_t *cell = grid->cell;
        for (int d = 0; d < grid->domains->count; d++) {
            const int64_t count = grid->domains->part[d].particles.count;
            for (int64_t i = 0; i < count; i++, cell++) {
                if (pass == 0) {
                    *cell = grid->number[*cell];
                    grid->start[*cell + 1]++;
                } else {
                    grid->member[grid->start[*cell]++] = (dlp__CoarseMember){d, (int32_t)i};
                }
            }
        }
        for (int64_t c = 0; c < grid->filled && pass == 0; c++) {
            grid->start[c + 1] += grid->start[c];
        }
    }
    for (int64_t c = grid->filled; c > 0; c--) {
        grid->start[c] = grid->start[c - 1];
    }
    grid->start[0] = 0;
}

/* The box of the nodes, the longest axis last so that matrices have short rows. */
static int64_t lay_out_nodes(const dlp__CoarseGrid *grid, dlp__CoarseLevels *levels)
{
    dlp__CoarseLevel *level = &levels->level[0];
    int order[AXES] = {0, 1, 2};
    int64_t all = 1;
    for (int n = 0; n < AXES; n++) { /* insertion sort by the number of cells */
        for (int m = n; m > 0 && grid->cells[order[m]] < grid->cells[order[m - 1]]; m--) {
            int swapped = order[m];
            order[m] = order[m - 1];
            order[m - 1] = swapped;
        }
    }
    for (int n = 0; n < AXES; n++) {
        const int a = order[n];
        levels->wraps[a] = grid->domains->frame.periodic[a] > 0;
        level->nodes[a] = grid->cells[a] + (levels->wraps[a] ? 0 : 1);
        level->stride[a] = all;
        all *= level->nodes[a];
    }
    return all;
}

/* Number filled cells, and find the places of their corners in the box of nodes. */
static void find_corners(dlp__CoarseGrid *grid)
{
    const dlp__CoarseLevel *level = &grid->levels.level[0];
    const int64_t cells = grid->cells[0] * grid->cells[1] * grid->cells[2];
    int32_t filled = 0;
    for (int64_t c = 0; c < cells; c++) {
        if (grid->number[c] < 0) {
            continue;
        }
        const int64_t at[AXES] = {c % grid->cells[0], c / grid->cells[0] % grid->cells[1],
                                  c / (grid->cells[0] * grid->cells[1])};
        grid->color[filled] = (uint8_t)((at[0] & 1) + 2 * (at[1] & 1) + 4 * (at[2] & 1));
        for (int n = 0; n < CORNERS; n++) {
            int64_t place = 0;
            for (int a = 0; a < AXES; a++) {
                place += (at[a] + (n >> a & 1)) % level->nodes[a] * level->stride[a];
            }
            grid->corner[filled][n] = (int32_t)place;
            level->number[place] = 0;
        }
        grid->number[c] = filled++;
    }
}

/* The hierarchy of nodes. False without memory. */
static bool make_levels(dlp__CoarseGrid *grid, int64_t particles)
{
    dlp__Arena *arena = &grid->domains->arena;
    dlp__CoarseLevels *levels = &grid->levels;
    const int64_t nodes = lay_out_nodes(grid, levels);
    levels->parallel = grid->domains->parallel;
    levels->last.width = grid->domains->width;
    levels->level[0].number = dlp__arena_take(arena, nodes, sizeof *levels->level[0].number);
    grid->corner = dlp__arena_take(arena, grid->filled, sizeof *grid->corner);
    grid->color = dlp__arena_take(arena, grid->filled, sizeof *grid->color);
    grid->start = dlp__arena_take(arena, grid->filled + 1, sizeof *grid->start);
    grid->sum = dlp__arena_take(arena, grid->filled * AXES * CORNERS, sizeof *grid->sum);
    grid->motion = dlp__arena_take(arena, grid->filled * CORNERS * ROW, sizeof *grid->motion);
    if (levels->level[0].number == NULL || grid->corner == NULL || grid->color == NULL || grid->start == NULL ||
        grid->sum == NULL || grid->motion == NULL) {
        return false;
    }
    memset(levels->level[0].number, 0xff, (size_t)nodes * sizeof *levels->level[0].number);
    find_corners(grid);
    const double work = fmax(WORK_LEAST, (double)WORK_OF_PARTICLE * (double)particles);
    if (!dlp__coarse_levels_make(levels, arena, work)) {
        return false;
    }
    for (int64_t n = 0; n < grid->filled * CORNERS; n++) {
        int32_t *corner = &grid->corner[n / CORNERS][n % CORNERS];
        *corner = levels->level[0].number[*corner];
    }
    return true;
}

/* Bounds of the summed quantities, of the factor on the mobility in the diagonal part, and of positions. */
typedef struct Bounds {
    float low[AXES], high[AXES]; /* m */
    double density;              /* kg/m3 */
    double stiff;                /* kg/m  */
    double mobility;             /* m3/kg, the least */
    double strength;             /* upper bound of mobility times the operator's resistance */
} Bounds;

static const Bounds NO_BOUNDS = {.low = {INFINITY, INFINITY, INFINITY},
                                 .high = {-INFINITY, -INFINITY, -INFINITY},
                                 .mobility = INFINITY,
                                 .strength = 1.0};

static Bounds both(Bounds a, Bounds b)
{
    Bounds of = {.density = a.density > b.density ? a.density : b.density,
                 .stiff = a.stiff > b.stiff ? a.stiff : b.stiff,
                 .mobility = a.mobility < b.mobility ? a.mobility : b.mobility,
                 .strength = a.strength > b.strength ? a.strength : b.strength};
    for (int n = 0; n < AXES; n++) {
        of.low[n] = a.low[n] < b.low[n] ? a.low[n] : b.low[n];
        of.high[n] = a.high[n] > b.high[n] ? a.high[n] : b.high[n];
    }
    return of;
}

/* Bounds for each block of GRAIN particles of a part. */
typedef struct Bounding {
    const dlp__Particles *particles;
    double per_area; /* 1/m2, one over spacing squared */
    float dt;
    Bounds *block;
} Bounding;

static void bound_blocks(void *context, int64_t begin, int64_t end)
{
    const Bounding *job = context;
    const dlp__Particles *p = job->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t block = begin; block < end; block++) {
        const int64_t last = (block + 1) * GRAIN < p->count ? (block + 1) * GRAIN : p->count;
        Bounds bounds = NO_BOUNDS;
        for (int64_t i = block * GRAIN; i < last; i++) {
            const double density = 1.0 / (double)p->specific_volume[0][i], shear = (double)f->stiffness[0][i],
                         bulk = (double)(job->dt * f->bulk[0][i]), mobility = (double)p->mobility[0][i];
            const double most = density + (RESIST_SHEAR * shear + RESIST_BULK * bulk) * job->per_area;
            const float x = p->position[0][i], y = p->position[1][i], z = p->position[2][i];
            bounds = both(bounds, (Bounds){.low = {x, y, z},
                                           .high = {x, y, z},
                                           .density = density,
                                           .stiff = shear > bulk ? shear : bulk,
                                           .mobility = mobility > 0.0 ? mobility : INFINITY,
                                           .strength = mobility * most});
        }
        job->block[block] = bounds;
    }
}

/* Bounds over all ranks. */
static void merge_bounds(dlp_Ranks *ranks, Bounds *bounds)
{
    double most[] = {-(double)bounds->low[0], -(double)bounds->low[1], -(double)bounds->low[2], (double)bounds->high[0],
                     (double)bounds->high[1], (double)bounds->high[2], bounds->density,         bounds->stiff,
                     -bounds->mobility,       bounds->strength};
    dlp__ranks_reduce(ranks, DLP_REDUCE_MOST, most, sizeof most / sizeof most[0]);
    for (int a = 0; a < AXES; a++) {
        bounds->low[a] = (float)-most[a];
        bounds->high[a] = (float)most[AXES + a];
    }
    bounds->density = most[6];
    bounds->stiff = most[7];
    bounds->mobility = -most[8];
    bounds->strength = most[9];
}

static Bounds find_bounds(const dlp__CoarseGrid *grid, double spacing, Bounds *block)
{
    Bounds bounds = NO_BOUNDS;
    for (int d = 0; d < grid->domains->count; d++) {
        Bounding job = {&grid->domains->part[d].particles, 1.0 / (spacing * spacing), grid->dt, block};
        const int64_t blocks = (job.particles->count + GRAIN - 1) / GRAIN;
        dlp__parallel_for(grid->domains->parallel, blocks, 1, bound_blocks, &job);
        for (int64_t n = 0; n < blocks; n++) {
            bounds = both(bounds, block[n]);
        }
    }
    merge_bounds(grid->domains->ranks, &bounds);
    return bounds;
}

/* The most cells that the box may have. */
static int64_t box_most(int64_t particles)
{
    return particles / PARTICLES_IN_BOX > BOX_LEAST ? particles / PARTICLES_IN_BOX : BOX_LEAST;
}

/* The number of cells along an axis. With an even number on periodic axes, colors alternate and the next grid is half as fine. */
static double count_cells(double size, double side, bool wraps)
{
    const double whole = fmax(round(size / side), 1.0);
    return wraps && whole > 1.0 ? 2.0 * fmax(round(0.5 * size / side), 1.0) : whole;
}

/* The box around all particles, or around a periodic axis. False if a position is not finite. */
static bool find_box(const dlp__CellFrame *frame, const Bounds *bounds, double low[AXES], double high[AXES])
{
    for (int a = 0; a < AXES; a++) {
        const bool periodic = frame->periodic[a] > 0;
        low[a] = periodic ? frame->origin[a] : (double)bounds->low[a];
        high[a] = periodic ? low[a] + frame->period[a] : (double)bounds->high[a];
        if (!(high[a] - low[a] < 1e9)) {
            return false;
        }
    }
    return true;
}

/* Choose the smallest allowed cells, a whole number of them along each axis. */
static bool choose_cells(dlp__CoarseGrid *grid, const Bounds *bounds, double spacing, int64_t particles)
{
    double low[AXES], high[AXES];
    const int64_t most = box_most(particles);
    if (!find_box(&grid->domains->frame, bounds, low, high)) {
        return false;
    }
    double side = spacing * cbrt(fmax((double)PARTICLES_LEAST, (double)particles / CELLS_MOST));
    for (int attempt = 0; attempt < TRIES; attempt++, side *= 1.2) {
        double cells = 1.0;
        for (int a = 0; a < AXES; a++) {
            const double size = fmax(high[a] - low[a], spacing),
                         whole = count_cells(size, side, grid->domains->frame.periodic[a] > 0);
            grid->origin[a] = low[a];
            grid->cells[a] = (int64_t)fmin(whole, (double)most + 1.0);
            grid->per_side[a] = whole / size;
            cells *= whole;
        }
        if (cells <= (double)most && mark_filled(grid)) {
            return true;
        }
    }
    return false;
}

/* The mean over a cell of the product of two corners' weights along one axis, or of their slopes, or of slope and weight. */
static double mean_over(int m, int n, bool slope_m, bool slope_n)
{
    const double sign_m = m ? 1.0 : -1.0, sign_n = n ? 1.0 : -1.0;
    if (slope_m && slope_n) {
        return sign_m * sign_n;
    }
    return slope_m ? 0.5 * sign_m : slope_n ? 0.5 * sign_n : m == n ? 1.0 / 3.0 : 1.0 / 6.0;
}

/* Common to all cells: the mean of d N_m / d x_a times d N_n / d x_b, 1/m2. */
typedef struct Element {
    double slopes[CORNERS][CORNERS][AXES][AXES];
} Element;

static Element make_element(const dlp__CoarseGrid *grid)
{
    Element element;
    for (int k = 0; k < CORNERS * CORNERS * AXES * AXES; k++) {
        const int m = k / (CORNERS * AXES * AXES), n = k / (AXES * AXES) % CORNERS, a = k / AXES % AXES, b = k % AXES;
        double mean = grid->per_side[a] * grid->per_side[b];
        for (int axis = 0; axis < AXES; axis++) {
            mean *= mean_over(m >> axis & 1, n >> axis & 1, axis == a, axis == b);
        }
        element.slopes[m][n][a][b] = mean;
    }
    return element;
}

/* Components a of corner m and b of corner n of one cell. */
static double entry_of(const Element *element, const double *sum, int m, int n, int a, int b)
{
    static const int wall[AXES][AXES] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const double(*slopes)[AXES] = element->slopes[m][n];
    const int high = m > n ? m : n, low = m > n ? n : m;
    const double shear = sum[DLP_COARSE_SHEAR];
    double entry = shear * slopes[b][a] + sum[DLP_COARSE_BULK] * slopes[a][b];
    if (a == b) {
        entry += sum[DLP_COARSE_MASS + CORNERS * high + low] + shear * (slopes[0][0] + slopes[1][1] + slopes[2][2]);
    }
    return entry + (m == n ? sum[DLP_COARSE_WALL + CORNERS * wall[a][b] + m] : 0.0);
}

/* Add the matrix of a cell to that of the nodes. */
static void add_cell(const dlp__CoarseGrid *grid, const Element *element, int64_t cell,
                     const double sum[DLP_COARSE_SUMS])
{
    const dlp__CoarseLevel *level = &grid->levels.level[0];
    for (int n = 0; n < CORNERS * CORNERS; n++) {
        const int from = n / CORNERS, to = n % CORNERS;
        int slot = DLP_COARSE_AROUND / 2;
        for (int a = 0, step = 1; a < AXES; a++, step *= 3) {
            slot += ((to >> a & 1) - (from >> a & 1)) * step;
        }
        double *block = level->block[grid->corner[cell][from]][slot];
        for (int k = 0; k < DLP_COARSE_BLOCK; k++) {
            block[k] += entry_of(element, sum, from, to, k / AXES, k % AXES);
        }
    }
}

/* The matrices of the cells of one color. */
typedef struct Adding {
    const dlp__CoarseGrid *grid;
    const dlp__CoarseGridLoops *loops;
    const Element *element;
    dlp__CoarseUnits units;
    int color;
    int64_t *whole; /* with several ranks: the sums of all cells, over all ranks; null: not summed yet */
} Adding;

static void sum_cells(void *context, int64_t begin, int64_t end)
{
    const Adding *job = context;
    for (int64_t c = begin; c < end; c++) {
        job->loops->sum_members(job->grid, &job->units, c, job->whole + c * DLP_COARSE_SUMS);
    }
}

/* With several ranks, sum over the members that each holds. False without memory. */
static bool sum_over_ranks(Adding *job)
{
    const dlp__Domains *domains = job->grid->domains;
    const int64_t sums = job->grid->filled * DLP_COARSE_SUMS;
    if (dlp__ranks_count(domains->ranks) == 1) {
        return true;
    }
    job->whole = dlp__arena_take(&job->grid->domains->arena, sums, sizeof *job->whole);
    if (job->whole == NULL) {
        return false;
    }
    dlp__parallel_for(domains->parallel, job->grid->filled, 1, sum_cells, job);
    dlp__ranks_reduce(domains->ranks, DLP_REDUCE_SUM, job->whole, sums);
    return true;
}

/* Sum over the members of cells and add their matrices. */
static void add_cells(void *context, int64_t begin, int64_t end)
{
    const Adding *job = context;
    for (int64_t c = begin; c < end; c++) {
        int64_t whole[DLP_COARSE_SUMS];
        double sum[DLP_COARSE_SUMS];
        if (job->grid->color[c] != job->color) {
            continue;
        }
        if (job->whole != NULL) {
            memcpy(whole, job->whole + c * DLP_COARSE_SUMS, sizeof whole);
        } else {
            job->loops->sum_members(job->grid, &job->units, c, whole);
        }
        for (int n = 0; n < DLP_COARSE_SUMS; n++) {
            sum[n] = (double)whole[n] / (n < DLP_COARSE_SHEAR ? job->units.mass : job->units.stiff);
        }
        add_cell(job->grid, job->element, c, sum);
    }
}

static bool take_memory(dlp__CoarseGrid *grid)
{
    dlp__Arena *arena = &grid->domains->arena;
    const int64_t particles = dlp__domains_own_particles(grid->domains),
                  cells = box_most(dlp__domains_particles(grid->domains));
    grid->cell = dlp__arena_take(arena, particles + DLP_GROUP, sizeof *grid->cell);
    grid->number = dlp__arena_take(arena, cells, sizeof *grid->number);
    grid->marks = dlp__arena_take(arena, cells / 64 + 1, sizeof *grid->marks);
    grid->member = dlp__arena_take(arena, particles + 1, sizeof *grid->member);
    bool ok = grid->cell != NULL && grid->number != NULL && grid->marks != NULL && grid->member != NULL;
    for (int a = 0; a < AXES; a++) {
        grid->inside[a] = dlp__arena_take(arena, particles + DLP_GROUP, sizeof *grid->inside[a]);
        ok = ok && grid->inside[a] != NULL;
    }
    if (!ok) {
        return false;
    }
    memset(grid->cell + particles, 0, DLP_GROUP * sizeof *grid->cell); /* vectors reach beyond the last particle */
    for (int a = 0; a < AXES; a++) {
        memset(grid->inside[a] + particles, 0, DLP_GROUP * sizeof *grid->inside[a]);
    }
    for (int d = 1; d < grid->domains->count; d++) {
        grid->first[d] = grid->first[d - 1] + grid->domains->part[d - 1].particles.count;
    }
    return true;
}

static const dlp__CoarseGridLoops *loops_of(const dlp__CoarseGrid *grid)
{
    static const dlp__CoarseGridLoops *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__coarse_grid_loops);
    return versions[dlp__width_index(grid->domains->width)];
}

bool dlp__coarse_grid_make(dlp__CoarseGrid *grid, dlp__Domains *domains, float spacing, float dt, bool walls)
{
    const int64_t particles = dlp__domains_particles(domains);
    *grid = (dlp__CoarseGrid){.domains = domains, .walls = walls, .dt = dt};
    Bounds *block = dlp__arena_take(&domains->arena, dlp__domains_own_particles(domains) / GRAIN + 1, sizeof *block);
    const bool ok = block != NULL && take_memory(grid);
    dlp__require_memory(domains, ok, "the coarse grid");
    if (!ok) {
        return false;
    }
    const Bounds bounds = find_bounds(grid, (double)spacing, block);
    const double heaviest = bounds.density + DRAG_MOST * bounds.stiff / (double)(spacing * spacing);
    if (!(heaviest < 1e30 && bounds.mobility < 1e30 && choose_cells(grid, &bounds, (double)spacing, particles))) {
        return false;
    }
    dlp__require_memory(domains, make_levels(grid, particles), "the matrices of the coarse grid");
    if (!dlp__step_is_ok(domains)) {
        return false;
    }
    list_members(grid);
    grid->mobility = bounds.mobility;
    grid->ease = (float)(1.0 / bounds.strength);
    const Element element = make_element(grid);
    Adding job = {.grid = grid,
                  .loops = loops_of(grid),
                  .element = &element,
                  .units = {.mass = 0x1p60 / ((double)particles * heaviest),
                            .stiff = 0x1p60 / ((double)particles * fmax(bounds.stiff, 1e-30)),
                            .heaviest = heaviest}};
    dlp__require_memory(domains, sum_over_ranks(&job), "the sums of the coarse grid");
    for (job.color = 0; job.color < COLORS && dlp__step_is_ok(domains); job.color++) {
        dlp__parallel_for(domains->parallel, grid->filled, 1, add_cells, &job);
    }
    return dlp__step_is_ok(domains) && dlp__coarse_levels_factor(&grid->levels);
}

/* The motion of nodes, for the corners of cells. */
static void list_motion(void *context, int64_t begin, int64_t end)
{
    const dlp__CoarseGrid *grid = context;
    for (int64_t n = begin * CORNERS; n < end * CORNERS; n++) {
        const double *speed = grid->levels.level[0].solution[grid->corner[n / CORNERS][n % CORNERS]];
        for (int a = 0; a < AXES; a++) {
            grid->motion[ROW * n + a] = (float)speed[a];
        }
        grid->motion[ROW * n + AXES] = 0.0f;
    }
}

void dlp__coarse_grid_precondition(dlp__CoarseGrid *grid, double norm)
{
    const dlp__CoarseGridLoops *loops = loops_of(grid);
    const dlp__Parallel *parallel = grid->domains->parallel;
    const double most = sqrt(norm / grid->mobility * (double)dlp__domains_particles(grid->domains));
    dlp__CoarseGridLoop loop = {.grid = grid, .unit = 0x1p60 / fmax(most, 1e-30)};
    dlp__parallel_for(parallel, grid->filled, 1, loops->gather_forces, &loop);
    dlp__ranks_reduce(grid->domains->ranks, DLP_REDUCE_SUM, grid->sum, grid->filled * AXES * CORNERS);
    const dlp__CoarseLevel *level = &grid->levels.level[0];
    memset(level->right, 0, (size_t)level->count * sizeof *level->right);
    for (int64_t c = 0; c < grid->filled; c++) {
        for (int n = 0; n < AXES * CORNERS; n++) {
            level->right[grid->corner[c][n % CORNERS]][n / CORNERS] += (double)grid->sum[c * AXES * CORNERS + n] /
                                                                       loop.unit;
        }
    }
    dlp__coarse_levels_solve(&grid->levels);
    dlp__parallel_for(parallel, grid->filled, CELL_GRAIN, list_motion, grid);
    for (loop.part = 0; loop.part < grid->domains->count; loop.part++) {
        dlp__parallel_for(parallel, grid->domains->part[loop.part].particles.count, GRAIN, loops->spread_motion, &loop);
    }
}
