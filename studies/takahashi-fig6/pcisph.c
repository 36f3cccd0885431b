#include "pcisph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double SUPPORT = 2.2;    /* spacings, as in the method links                           */
static const double SKIN = 0.1;       /* spacings, extra radius of lists, so that they stay valid   */
static const double TOLERANCE = 0.01; /* mean compression at which corrections stop (1 % in the paper) */
enum { CORRECTIONS_LEAST = 3, CORRECTIONS_MOST = 30, NEIGHBORS_MOST = 160, FLOOR_LAYERS = 3 };

/* Cells of the scene, one list radius wide, each with a linked list of its particles. */
typedef struct Grid {
    dlp_Vec3 lower; /* m */
    double size;    /* m, of a cell */
    int cells[3];
    int *first; /* of a cell; -1: none     */
    int *next;  /* of a particle; -1: none */
} Grid;

struct Pcisph {
    PcisphDef def;
    int count, all; /* particles of the fluid, which come first, and of fluid and floor */
    double support; /* m   */
    double volume;  /* m3  */
    /* Sums over the neighbours in a full lattice, for the density and the initial guess of the pressure: */
    double full_value;             /* 1/m3: W, with the particle itself    */
    double full_stiffness;         /* m-8: |grad W|^2                      */
    double laplacian;              /* m-5: factor of (h - r) that makes the second moment right */
    dlp_Vec3 *place, *velocity;    /* m, m/s; of all */
    dlp_Vec3 *acceleration, *push; /* m/s2; of viscosity and gravity, and of pressure */
    dlp_Vec3 *predicted;           /* m, predicted positions; of all */
    dlp_Vec3 *listed;              /* m, positions when the lists were built */
    double *pressure;              /* Pa */
    double *filled;                /* density over that at rest */
    Grid grid;
    int *neighbor_count, *neighbor;
    dlp_Vec3 *gradient; /* 1/m4: grad W of each neighbour at the start of the step */
    bool stale;         /* lists must be rebuilt */
};

static dlp_Vec3 difference(dlp_Vec3 a, dlp_Vec3 b)
{
    return (dlp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static void add(dlp_Vec3 *sum, double factor, dlp_Vec3 a)
{
    sum->x += factor * a.x;
    sum->y += factor * a.y;
    sum->z += factor * a.z;
}

static double square(dlp_Vec3 a)
{
    return a.x * a.x + a.y * a.y + a.z * a.z;
}

/* The cubic spline of support h, and its slope over r. */
static double kernel(double h, double r)
{
    const double q = r / h, factor = 8 / (PI * h * h * h);
    return q >= 1 ? 0 : q < 0.5 ? factor * (1 - 6 * q * q * (1 - q)) : factor * 2 * (1 - q) * (1 - q) * (1 - q);
}

static double kernel_slope(double h, double r)
{
    const double q = r / h, factor = 48 / (PI * h * h * h * h * h);
    return q >= 1 ? 0 : q < 0.5 ? factor * (3 * q - 2) : -factor * (1 - q) * (1 - q) / q;
}

static void sum_lattice(Pcisph *fluid)
{
    const int reach = (int)SUPPORT;
    double second = 0; /* moment of h - r */
    fluid->full_value = kernel(fluid->support, 0);
    for (int i = -reach; i <= reach; i++) {
        for (int j = -reach; j <= reach; j++) {
            for (int k = -reach; k <= reach; k++) {
                const double r = fluid->def.spacing * sqrt(i * i + j * j + k * k);
                if (r > 0 && r < fluid->support) {
                    const double slope = r * kernel_slope(fluid->support, r);
                    fluid->full_value += kernel(fluid->support, r);
                    fluid->full_stiffness += slope * slope;
                    second += fluid->volume * r * r * (fluid->support - r);
                }
            }
        }
    }
    fluid->laplacian = 6 / second; /* gives 1 for u = x^2 / 2 */
}

/* The grid extends twice as far sideways and up as the initial fluid, and down through the floor. */
static int make_grid(Pcisph *fluid, const float (*points)[3])
{
    const double spacing = fluid->def.spacing;
    double aside = 0, height = 0;
    for (int i = 0; i < fluid->count; i++) {
        aside = fmax(aside, fmax(fabs((double)points[i][0]), fabs((double)points[i][1])));
        height = fmax(height, (double)points[i][2]);
    }
    const int half = (int)ceil(2 * aside / spacing) + 1;
    const double room[3] = {2 * half * spacing, 2 * half * spacing, 2 * height + FLOOR_LAYERS * spacing};
    fluid->grid.size = (SUPPORT + SKIN) * spacing;
    fluid->grid.lower = (dlp_Vec3){-half * spacing, -half * spacing, -FLOOR_LAYERS * spacing};
    for (int axis = 0; axis < 3; axis++) {
        fluid->grid.cells[axis] = (int)ceil(room[axis] / fluid->grid.size);
    }
    return half;
}

static bool reserve(Pcisph *fluid)
{
    const size_t count = (size_t)fluid->count, all = (size_t)fluid->all;
    const int *cells = fluid->grid.cells;
    fluid->place = calloc(all, sizeof *fluid->place);
    fluid->velocity = calloc(all, sizeof *fluid->velocity);
    fluid->predicted = calloc(all, sizeof *fluid->predicted);
    fluid->acceleration = calloc(count, sizeof *fluid->acceleration);
    fluid->push = calloc(count, sizeof *fluid->push);
    fluid->listed = calloc(count, sizeof *fluid->listed);
    fluid->pressure = calloc(count, sizeof *fluid->pressure);
    fluid->filled = calloc(count, sizeof *fluid->filled);
    fluid->grid.first = calloc((size_t)cells[0] * (size_t)cells[1] * (size_t)cells[2], sizeof(int));
    fluid->grid.next = calloc(all, sizeof(int));
    fluid->neighbor_count = calloc(count, sizeof(int));
    fluid->neighbor = calloc(count * NEIGHBORS_MOST, sizeof(int));
    fluid->gradient = calloc(count * NEIGHBORS_MOST, sizeof *fluid->gradient);
    return fluid->place && fluid->velocity && fluid->predicted && fluid->acceleration && fluid->push && fluid->listed &&
           fluid->pressure && fluid->filled && fluid->grid.first && fluid->grid.next && fluid->neighbor_count &&
           fluid->neighbor && fluid->gradient;
}

static void place_all(Pcisph *fluid, const float (*points)[3], int half)
{
    const double spacing = fluid->def.spacing;
    for (int i = 0; i < fluid->count; i++) {
        fluid->place[i] = (dlp_Vec3){(double)points[i][0], (double)points[i][1], (double)points[i][2]};
    }
    for (int i = fluid->count; i < fluid->all; i++) {
        const int at = i - fluid->count, row = at / (2 * half), layer = row / (2 * half);
        fluid->place[i] = (dlp_Vec3){(at % (2 * half) - half + 0.5) * spacing,
                                     (row % (2 * half) - half + 0.5) * spacing, -(layer + 0.5) * spacing};
        fluid->predicted[i] = fluid->place[i];
    }
}

Pcisph *pcisph_create(const PcisphDef *def, const float (*points)[3], int64_t count)
{
    Pcisph *fluid = calloc(1, sizeof *fluid);
    if (!fluid) {
        return NULL;
    }
    fluid->def = *def;
    fluid->count = (int)count;
    fluid->support = SUPPORT * def->spacing;
    fluid->volume = def->spacing * def->spacing * def->spacing;
    fluid->stale = true;
    sum_lattice(fluid);
    const int half = make_grid(fluid, points);
    fluid->all = fluid->count + 4 * half * half * FLOOR_LAYERS;
    if (!reserve(fluid)) {
        pcisph_destroy(fluid);
        return NULL;
    }
    place_all(fluid, points, half);
    return fluid;
}

void pcisph_destroy(Pcisph *fluid)
{
    if (!fluid) {
        return;
    }
    void *const arrays[] = {fluid->place,         fluid->velocity,  fluid->predicted, fluid->acceleration,
                            fluid->push,          fluid->listed,    fluid->pressure,  fluid->filled,
                            fluid->grid.first,    fluid->grid.next, fluid->neighbor,  fluid->gradient,
                            fluid->neighbor_count};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
    free(fluid);
}

/* The cell along each axis; false outside of the grid, and for NaN. */
static bool cell_of(const Grid *grid, dlp_Vec3 at, int cell[3])
{
    const double from[3] = {at.x - grid->lower.x, at.y - grid->lower.y, at.z - grid->lower.z};
    for (int axis = 0; axis < 3; axis++) {
        const double place = from[axis] / grid->size;
        if (!(place >= 0 && place < grid->cells[axis])) {
            return false;
        }
        cell[axis] = (int)place;
    }
    return true;
}

static int cell_index(const Grid *grid, int x, int y, int z)
{
    return (z * grid->cells[1] + y) * grid->cells[0] + x;
}

static bool fill_cells(Pcisph *fluid)
{
    Grid *grid = &fluid->grid;
    const int cells = grid->cells[0] * grid->cells[1] * grid->cells[2];
    memset(grid->first, -1, (size_t)cells * sizeof *grid->first);
    for (int i = 0; i < fluid->all; i++) {
        int cell[3];
        if (!cell_of(grid, fluid->place[i], cell)) {
            return false;
        }
        int *first = &grid->first[cell_index(grid, cell[0], cell[1], cell[2])];
        grid->next[i] = *first;
        *first = i;
    }
    return true;
}

/* False if there are too many neighbours, which means a collapse. */
static bool list_cell(Pcisph *fluid, int i, int index)
{
    const double reach = fluid->grid.size * fluid->grid.size;
    for (int j = fluid->grid.first[index]; j >= 0; j = fluid->grid.next[j]) {
        if (j != i && square(difference(fluid->place[i], fluid->place[j])) < reach) {
            if (fluid->neighbor_count[i] == NEIGHBORS_MOST) {
                return false;
            }
            fluid->neighbor[i * NEIGHBORS_MOST + fluid->neighbor_count[i]++] = j;
        }
    }
    return true;
}

static bool list_particle(Pcisph *fluid, int i)
{
    const Grid *grid = &fluid->grid;
    int cell[3];
    bool listed = cell_of(grid, fluid->place[i], cell);
    fluid->neighbor_count[i] = 0;
    fluid->listed[i] = fluid->place[i];
    for (int n = 0; n < 27 && listed; n++) {
        const int x = cell[0] + n % 3 - 1, y = cell[1] + n / 3 % 3 - 1, z = cell[2] + n / 9 - 1;
        if (x >= 0 && x < grid->cells[0] && y >= 0 && y < grid->cells[1] && z >= 0 && z < grid->cells[2]) {
            listed = list_cell(fluid, i, cell_index(grid, x, y, z));
        }
    }
    return listed;
}

/* Lists are valid until a particle has moved half of the skin. */
static bool update_lists(Pcisph *fluid)
{
    const double lasts = 0.5 * SKIN * fluid->def.spacing;
    bool good = true;
    for (int i = 0; i < fluid->count && !fluid->stale; i++) {
        fluid->stale = !(square(difference(fluid->place[i], fluid->listed[i])) < lasts * lasts);
    }
    if (fluid->stale) {
        good = fill_cells(fluid);
        for (int i = 0; i < fluid->count && good; i++) {
            good = list_particle(fluid, i);
        }
        fluid->stale = !good;
    }
    return good;
}

/* Viscosity and gravity; also stores the gradients for the pressure. */
static void accelerate(Pcisph *fluid)
{
    const double diffusivity = fluid->def.viscosity / fluid->def.density;
    for (int i = 0; i < fluid->count; i++) {
        dlp_Vec3 sum = {0, 0, -fluid->def.gravity};
        for (int k = i * NEIGHBORS_MOST; k < i * NEIGHBORS_MOST + fluid->neighbor_count[i]; k++) {
            const int j = fluid->neighbor[k];
            const dlp_Vec3 way = difference(fluid->place[i], fluid->place[j]);
            const double r = sqrt(square(way)), left = fmax(fluid->support - r, 0);
            fluid->gradient[k] = (dlp_Vec3){0, 0, 0};
            add(&fluid->gradient[k], kernel_slope(fluid->support, r), way);
            add(&sum, diffusivity * fluid->volume * fluid->laplacian * left,
                difference(fluid->velocity[j], fluid->velocity[i]));
        }
        fluid->acceleration[i] = sum;
    }
}

static void predict(Pcisph *fluid, double dt)
{
    for (int i = 0; i < fluid->count; i++) {
        fluid->predicted[i] = fluid->place[i];
        add(&fluid->predicted[i], dt, fluid->velocity[i]);
        add(&fluid->predicted[i], dt * dt, fluid->acceleration[i]);
        add(&fluid->predicted[i], dt * dt, fluid->push[i]);
    }
}

/* Computes predicted densities and raises pressures by their excess. Returns the mean compression. */
static double update_pressure(Pcisph *fluid, double dt)
{
    const double factor = fluid->def.density * fluid->full_value /
                          (2 * dt * dt * fluid->volume * fluid->full_stiffness);
    double compression = 0;
    for (int i = 0; i < fluid->count; i++) {
        double sum = kernel(fluid->support, 0);
        for (int k = i * NEIGHBORS_MOST; k < i * NEIGHBORS_MOST + fluid->neighbor_count[i]; k++) {
            const double r2 = square(difference(fluid->predicted[i], fluid->predicted[fluid->neighbor[k]]));
            if (r2 < fluid->support *
                         fluid->support) { /* almost half of the listed pairs are farther: saves their square root */
                sum += kernel(fluid->support, sqrt(r2));
            }
        }
        fluid->filled[i] = sum / fluid->full_value;
        fluid->pressure[i] = fmax(fluid->pressure[i] + factor * (fluid->filled[i] - 1), 0);
        compression += fmax(fluid->filled[i] - 1, 0) / fluid->count;
    }
    return compression;
}

/* A floor particle takes the pressure of the fluid particle it touches. */
static void apply_pressure(Pcisph *fluid)
{
    for (int i = 0; i < fluid->count; i++) {
        fluid->push[i] = (dlp_Vec3){0, 0, 0};
        for (int k = i * NEIGHBORS_MOST; k < i * NEIGHBORS_MOST + fluid->neighbor_count[i]; k++) {
            const int j = fluid->neighbor[k];
            const double both = fluid->pressure[i] + fluid->pressure[j < fluid->count ? j : i];
            add(&fluid->push[i], -fluid->volume / fluid->def.density * both, fluid->gradient[k]);
        }
    }
}

static void correct_pressure(Pcisph *fluid, double dt)
{
    memset(fluid->pressure, 0, (size_t)fluid->count * sizeof *fluid->pressure);
    memset(fluid->push, 0, (size_t)fluid->count * sizeof *fluid->push);
    for (int n = 0; n < CORRECTIONS_MOST; n++) {
        predict(fluid, dt);
        if (update_pressure(fluid, dt) < TOLERANCE && n >= CORRECTIONS_LEAST) {
            break;
        }
        apply_pressure(fluid);
    }
}

bool pcisph_step(Pcisph *fluid, double dt)
{
    if (!update_lists(fluid)) {
        return false;
    }
    accelerate(fluid);
    correct_pressure(fluid, dt);
    for (int i = 0; i < fluid->count; i++) {
        add(&fluid->velocity[i], dt, fluid->acceleration[i]);
        add(&fluid->velocity[i], dt, fluid->push[i]);
        add(&fluid->place[i], dt, fluid->velocity[i]);
    }
    return true;
}

PcisphStats pcisph_stats(const Pcisph *fluid)
{
    PcisphStats stats = {0};
    for (int i = 0; i < fluid->count; i++) {
        stats.center += fluid->place[i].z / fluid->count;
        stats.kinetic += 0.5 * fluid->def.density * fluid->volume * square(fluid->velocity[i]);
        stats.compression += fmax(fluid->filled[i] - 1, 0) / fluid->count;
    }
    return stats;
}

dlp_Vec3 pcisph_place(const Pcisph *fluid, int64_t particle)
{
    return fluid->place[particle];
}
