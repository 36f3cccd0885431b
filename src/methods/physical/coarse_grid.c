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
    GRAIN = 4096,
};

/* Upper bounds of the operator's resistance to the motion of a single particle: by neighbours, in units of shear or
 * bulk stiffness over spacing squared; and by walls. */
static const double RESIST_SHEAR = 2.0, RESIST_BULK = 1.0, DRAG_MOST = 64.0;

/* Sums over the particles of a cell. */
enum {
    MASS = 0,                                   /* kg/m3, times the weights of two corners */
    SHEAR = MASS + CORNERS * (CORNERS + 1) / 2, /* kg/m, stiffness in shear                    */
    BULK,                                       /* kg/m, in volume change                                         */
    WALL,                                       /* kg/m3, near walls: xx yy zz xy xz yz for each corner  */
    SUMS = WALL + 6 * CORNERS,
};

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

/* Trilinear weights of the corners for a particle; their sum is 1. */
static inline void find_parts(const dlp__CoarseGrid *grid, int64_t member, double part[CORNERS])
{
    const double x = (double)grid->inside[0][member], y = (double)grid->inside[1][member],
                 z = (double)grid->inside[2][member];
    const double low = (1.0 - y) * (1.0 - z), front = y * (1.0 - z), back = (1.0 - y) * z, high = y * z;
    part[0] = (1.0 - x) * low;
    part[1] = x * low;
    part[2] = (1.0 - x) * front;
    part[3] = x * front;
    part[4] = (1.0 - x) * back;
    part[5] = x * back;
    part[6] = (1.0 - x) * high;
    part[7] = x * high;
}

/* The box around all particles, or around a periodic axis. False if a position is not finite. */
static bool find_box(const dlp__Domains *domains, double low[AXES], double high[AXES])
{
    for (int a = 0; a < AXES; a++) {
        float least = INFINITY, most = -INFINITY;
        for (int d = 0; d < domains->count; d++) {
            const dlp__Particles *p = &domains->part[d].particles;
            for (int64_t i = 0; i < p->count; i++) {
                least = fminf(least, p->position[a][i]);
                most = fmaxf(most, p->position[a][i]);
            }
        }
        const bool periodic = domains->frame.periodic[a] > 0;
        low[a] = periodic ? domains->frame.origin[a] : (double)least;
        high[a] = periodic ? low[a] + domains->frame.period[a] : (double)most;
        if (!(high[a] - low[a] < 1e9)) {
            return false;
        }
    }
    return true;
}

typedef struct Locating {
    const dlp__CoarseGrid *grid;
    const dlp__Particles *particles;
    int32_t *cell;
} Locating;

static void locate(void *context, int64_t begin, int64_t end)
{
    const Locating *job = context;
    float inside[AXES];
    for (int64_t i = begin; i < end; i++) {
        job->cell[i] = find_cell(job->grid, job->particles, i, inside);
    }
}

/* Find the cells of all particles and mark those that hold some; false if they are too many. */
static bool mark_filled(dlp__CoarseGrid *grid)
{
    int64_t before = 0;
    for (int d = 0; d < grid->domains->count; d++) {
        Locating job = {grid, &grid->domains->part[d].particles, grid->cell + before};
        dlp__parallel_for(grid->domains->parallel, job.particles->count, GRAIN, locate, &job);
        before += job.particles->count;
    }
    grid->filled = 0;
    memset(grid->number, 0xff, (size_t)(grid->cells[0] * grid->cells[1] * grid->cells[2]) * sizeof *grid->number);
    for (int64_t n = 0; n < before; n++) {
        int32_t *number = &grid->number[grid->cell[n]];
        grid->filled += *number < 0;
        *number = 0;
    }
    return grid->filled <= CELLS_MOST;
}

static void place_members(void *context, int64_t begin, int64_t end)
{
    const dlp__CoarseGrid *grid = context;
    for (int64_t m = begin; m < end; m++) {
        const dlp__Particles *p = &grid->domains->part[grid->member[m].part].particles;
        float inside[AXES];
        find_cell(grid, p, grid->member[m].index, inside);
        for (int a = 0; a < AXES; a++) {
            grid->inside[a][m] = inside[a];
        }
    }
}

/* List the particles of each filled cell, by counting sort. */
static void list_members(dlp__CoarseGrid *grid)
{
    memset(grid->start, 0, (size_t)(grid->filled + 1) * sizeof *grid->start);
    for (int pass = 0; pass < 2; pass++) {
        const int32_t *cell = grid->cell;
        for (int d = 0; d < grid->domains->count; d++) {
            const int64_t count = grid->domains->part[d].particles.count;
            for (int64_t i = 0; i < count; i++, cell++) {
                int64_t *start = &grid->start[grid->number[*cell]];
                if (pass == 0) {
                    start[1]++;
                } else {
                    grid->member[start[0]++] = (dlp__CoarseMember){d, (int32_t)i};
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
    dlp__parallel_for(grid->domains->parallel, grid->start[grid->filled], GRAIN, place_members, grid);
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
    if (levels->level[0].number == NULL || grid->corner == NULL || grid->color == NULL || grid->start == NULL ||
        grid->sum == NULL) {
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
    grid->motion = &levels->level[0].solution[0][0];
    return true;
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

/* Choose the smallest allowed cells, a whole number of them along each axis. */
static bool choose_cells(dlp__CoarseGrid *grid, double spacing, int64_t particles)
{
    double low[AXES], high[AXES];
    const int64_t most = box_most(particles);
    if (!find_box(grid->domains, low, high)) {
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

/* One of the loops below over the filled cells. */
typedef struct Loop {
    const dlp__CoarseGrid *grid;
    double unit[2];  /* integers per kg/m3, and per kg/m */
    double heaviest; /* kg/m3 */
    int color;       /* of the cells */
    const struct Element *element;
} Loop;

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
static void add_member(const Loop *loop, int64_t member, int64_t sum[SUMS])
{
    const dlp__CoarseMember *who = &loop->grid->member[member];
    const dlp__Domain *domain = &loop->grid->domains->part[who->part];
    const dlp__Particles *p = &domain->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const int64_t i = who->index;
    const double density = p->mobility[0][i] > 0.0f ? 1.0 / (double)p->specific_volume[0][i] : loop->heaviest;
    double part[CORNERS];
    find_parts(loop->grid, member, part);
    for (int m = 0, pair = MASS; m < CORNERS; m++) {
        for (int n = 0; n <= m; n++, pair++) {
            sum[pair] += (int64_t)(loop->unit[0] * density * part[m] * part[n]);
        }
    }
    sum[SHEAR] += (int64_t)(loop->unit[1] * (double)f->stiffness[0][i]);
    sum[BULK] += (int64_t)(loop->unit[1] * (double)(loop->grid->dt * f->bulk[0][i]));
    if (loop->grid->walls && domain->mirror.list.count[i] > 0) {
        double drag[6];
        find_drag(domain, i, loop->grid->dt, drag);
        for (int n = 0; n < 6 * CORNERS; n++) {
            double held = fmin(fmax(drag[n % 6], -loop->heaviest), loop->heaviest);
            sum[WALL + n] += (int64_t)(loop->unit[0] * held * part[n / 6]);
        }
    }
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
    double entry = sum[SHEAR] * slopes[b][a] + sum[BULK] * slopes[a][b];
    if (a == b) {
        entry += sum[MASS + high * (high + 1) / 2 + low] + sum[SHEAR] * (slopes[0][0] + slopes[1][1] + slopes[2][2]);
    }
    return entry + (m == n ? sum[WALL + 6 * m + wall[a][b]] : 0.0);
}

/* Add the matrix of a cell to that of the nodes. */
static void add_cell(const dlp__CoarseGrid *grid, const Element *element, int64_t cell, const double sum[SUMS])
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

/* Sum over the members of the cells of one color and add their matrices. */
static void add_cells(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const dlp__CoarseGrid *grid = loop->grid;
    for (int64_t c = begin; c < end; c++) {
        int64_t whole[SUMS] = {0};
        double sum[SUMS];
        if (grid->color[c] != loop->color) {
            continue;
        }
        for (int64_t m = grid->start[c]; m < grid->start[c + 1]; m++) {
            add_member(loop, m, whole);
        }
        for (int n = 0; n < SUMS; n++) {
            sum[n] = (double)whole[n] / loop->unit[n == SHEAR || n == BULK];
        }
        add_cell(grid, loop->element, c, sum);
    }
}

/* Bounds of the summed quantities, and of the factor on the mobility in the diagonal part. */
typedef struct Bounds {
    double density;  /* kg/m3 */
    double stiff;    /* kg/m  */
    double mobility; /* m3/kg, the least */
    double strength; /* upper bound of mobility times the operator's resistance */
} Bounds;

static Bounds find_bounds(const dlp__CoarseGrid *grid, double spacing)
{
    Bounds bounds = {.mobility = INFINITY, .strength = 1.0};
    for (int d = 0; d < grid->domains->count; d++) {
        const dlp__Particles *p = &grid->domains->part[d].particles;
        const dlp__PhysicalFields *f = dlp__own_fields(p);
        for (int64_t i = 0; i < p->count; i++) {
            double density = 1.0 / (double)p->specific_volume[0][i], shear = (double)f->stiffness[0][i],
                   bulk = (double)(grid->dt * f->bulk[0][i]), mobility = (double)p->mobility[0][i];
            bounds.density = fmax(bounds.density, density);
            bounds.stiff = fmax(bounds.stiff, fmax(shear, bulk));
            bounds.mobility = mobility > 0.0 ? fmin(bounds.mobility, mobility) : bounds.mobility;
            double most = density + (RESIST_SHEAR * shear + RESIST_BULK * bulk) / (spacing * spacing);
            bounds.strength = fmax(bounds.strength, mobility * most);
        }
    }
    return bounds;
}

static bool take_memory(dlp__CoarseGrid *grid, int64_t particles)
{
    dlp__Arena *arena = &grid->domains->arena;
    grid->cell = dlp__arena_take(arena, particles + 1, sizeof *grid->cell);
    grid->number = dlp__arena_take(arena, box_most(particles), sizeof *grid->number);
    grid->member = dlp__arena_take(arena, particles + 1, sizeof *grid->member);
    for (int a = 0; a < AXES; a++) { /* vectors may reach beyond the last */
        grid->inside[a] = dlp__arena_take(arena, particles + DLP_GROUP, sizeof *grid->inside[a]);
    }
    return grid->cell != NULL && grid->number != NULL && grid->member != NULL && grid->inside[0] != NULL &&
           grid->inside[1] != NULL && grid->inside[2] != NULL;
}

bool dlp__coarse_grid_make(dlp__CoarseGrid *grid, dlp__Domains *domains, float spacing, float dt, bool walls)
{
    const int64_t particles = dlp__domains_particles(domains);
    *grid = (dlp__CoarseGrid){.domains = domains, .walls = walls, .dt = dt};
    dlp__require_memory(domains, take_memory(grid, particles), "the coarse grid");
    if (!dlp__step_is_ok(domains)) {
        return false;
    }
    const Bounds bounds = find_bounds(grid, (double)spacing);
    const double heaviest = bounds.density + DRAG_MOST * bounds.stiff / (double)(spacing * spacing);
    if (!(heaviest < 1e30 && bounds.mobility < 1e30 && choose_cells(grid, (double)spacing, particles))) {
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
    Loop loop = {
        .grid = grid,
        .unit = {0x1p60 / ((double)particles * heaviest), 0x1p60 / ((double)particles * fmax(bounds.stiff, 1e-30))},
        .heaviest = heaviest,
        .element = &element};
    for (loop.color = 0; loop.color < COLORS; loop.color++) {
        dlp__parallel_for(domains->parallel, grid->filled, 1, add_cells, &loop);
    }
    return dlp__coarse_levels_factor(&grid->levels);
}

void dlp__coarse_grid_precondition(const dlp__CoarseGrid *grid, double norm)
{
    static const dlp__CoarseGridLoops *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__coarse_grid_loops);
    const dlp__CoarseGridLoops *loops = versions[dlp__width_index(grid->domains->width)];
    const dlp__Parallel *parallel = grid->domains->parallel;
    const double most = sqrt(norm / grid->mobility * (double)dlp__domains_particles(grid->domains));
    dlp__CoarseGridLoop loop = {grid, 0x1p60 / fmax(most, 1e-30)};
    dlp__parallel_for(parallel, grid->filled, 1, loops->gather_forces, &loop);
    const dlp__CoarseLevel *level = &grid->levels.level[0];
    memset(level->right, 0, (size_t)level->count * sizeof *level->right);
    for (int64_t c = 0; c < grid->filled; c++) {
        for (int n = 0; n < AXES * CORNERS; n++) {
            level->right[grid->corner[c][n % CORNERS]][n / CORNERS] += (double)grid->sum[c * AXES * CORNERS + n] /
                                                                       loop.unit;
        }
    }
    dlp__coarse_levels_solve(&grid->levels);
    dlp__parallel_for(parallel, grid->filled, 1, loops->spread_motion, &loop);
}
