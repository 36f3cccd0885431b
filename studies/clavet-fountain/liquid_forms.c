/* Particles closer than LINK are connected; a connected component is a piece. A small piece with similar extents is a drop. In all
 * others the mean of x x^T over the vectors x to a particle's neighbours has one long axis in a filament, two in a sheet and three in
 * bulk. It is taken about the particle itself, not about the centre of its neighbours, so the rim of a sheet counts as sheet and
 * the surface of bulk as bulk. */
#include "liquid_forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINK  1.8 /* spacings: 0.7 of the method's support   */
#define SIGHT 4.0 /* spacings                                */
#define THIN  0.3 /* smaller over largest mean square: below this a neighbourhood has no extent along that axis */
#define ROUND 0.1 /* the same for a piece: above this it is a drop; three times as long as wide */
enum { DROP_MOST = 400, BUCKETS = 1 << 16 };

/* Particles by cells as wide as SIGHT. */
typedef struct Cells {
    const StudyParticles *particles;
    double width;          /* m */
    int32_t *first, *next; /* linked list of a bucket; -1 ends it */
    int32_t *leader;       /* union-find parent: a particle of the same piece; the root is its own leader */
} Cells;

static void cell_of(const Cells *cells, int64_t i, int cell[3])
{
    for (int a = 0; a < 3; a++) {
        cell[a] = (int)floor((double)cells->particles->position[i][a] / cells->width);
    }
}

static unsigned bucket_of(const int cell[3])
{
    return ((unsigned)cell[0] * 73856093u ^ (unsigned)cell[1] * 19349663u ^ (unsigned)cell[2] * 83492791u) % BUCKETS;
}

static int32_t leader_of(const Cells *cells, int32_t i)
{
    while (cells->leader[i] != i) {
        i = cells->leader[i] = cells->leader[cells->leader[i]];
    }
    return i;
}

static bool make_cells(StudyRun *run, const StudyParticles *particles, double spacing, Cells *cells)
{
    const size_t count = (size_t)particles->count + 1;
    *cells = (Cells){particles, SIGHT * spacing, malloc(BUCKETS * sizeof *cells->first),
                     malloc(count * sizeof *cells->next), malloc(count * sizeof *cells->leader)};
    if (!cells->first || !cells->next || !cells->leader) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return false;
    }
    memset(cells->first, 0xff, BUCKETS * sizeof *cells->first);
    for (int32_t i = 0; i < particles->count; i++) {
        int cell[3];
        cell_of(cells, i, cell);
        cells->next[i] = cells->first[bucket_of(cell)];
        cells->first[bucket_of(cell)] = i;
        cells->leader[i] = i;
    }
    return true;
}

/* The mean squares of neighbour vectors along their principal axes, the largest first. */
typedef struct Extents {
    double square[3];
} Extents;

/* The eigenvalues of a symmetric matrix xx, yy, zz, xy, xz, yz. */
static Extents extents_of(const double m[6])
{
    const double mean = (m[0] + m[1] + m[2]) / 3, off = m[3] * m[3] + m[4] * m[4] + m[5] * m[5];
    const double x = m[0] - mean, y = m[1] - mean, z = m[2] - mean;
    const double size = sqrt((x * x + y * y + z * z + 2 * off) / 6);
    if (!(size > 1e-9 * mean)) {
        return (Extents){{mean, mean, mean}};
    }
    const double det = x * (y * z - m[5] * m[5]) - m[3] * (m[3] * z - m[5] * m[4]) + m[4] * (m[3] * m[5] - y * m[4]);
    const double third = 2.09439510239319549231, angle = acos(fmax(-1, fmin(1, det / (2 * pow(size, 3))))) / 3;
    const double largest = mean + 2 * size * cos(angle), least = mean + 2 * size * cos(angle + third);
    return (Extents){{largest, 3 * mean - largest - least, least}};
}

static void add_outer_product(double sum[6], const double way[3])
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        sum[k] += way[first[k]] * way[second[k]];
    }
}

/* Connects particle i with close particles and classifies its neighbourhood. */
static LiquidForm classify_particle(Cells *cells, int32_t i, double spacing)
{
    const float(*at)[3] = (const float(*)[3])cells->particles->position;
    double sum[6] = {0};
    int home[3];
    cell_of(cells, i, home);
    for (int n = 0; n < 27; n++) {
        const int cell[3] = {home[0] + n % 3 - 1, home[1] + n / 3 % 3 - 1, home[2] + n / 9 - 1};
        for (int32_t j = cells->first[bucket_of(cell)]; j >= 0; j = cells->next[j]) {
            int own[3];
            const double way[3] = {(double)(at[j][0] - at[i][0]), (double)(at[j][1] - at[i][1]),
                                   (double)(at[j][2] - at[i][2])};
            const double r = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) / spacing;
            cell_of(cells, j, own);
            if (j == i || !(r < SIGHT) || memcmp(own, cell, sizeof own) != 0) {
                continue;
            }
            add_outer_product(sum, way);
            if (r < LINK) {
                cells->leader[leader_of(cells, j)] = leader_of(cells, i);
            }
        }
    }
    const Extents extents = extents_of(sum);
    if (extents.square[1] < THIN * extents.square[0]) {
        return FORM_FILAMENT;
    }
    return extents.square[2] < THIN * extents.square[0] ? FORM_SHEET : FORM_BULK;
}

/* A connected component. */
typedef struct Piece {
    int64_t count;
    double mean[3], sum[6]; /* m, m2 */
} Piece;

static bool is_drop(const Piece *piece)
{
    const Extents extents = extents_of(piece->sum);
    return piece->count <= DROP_MOST && (piece->count < 4 || extents.square[2] > ROUND * extents.square[0]);
}

static Piece *measure_pieces(StudyRun *run, Cells *cells)
{
    const StudyParticles *p = cells->particles;
    Piece *pieces = calloc((size_t)p->count + 1, sizeof *pieces);
    if (!pieces) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (int32_t i = 0; i < p->count; i++) {
        pieces[leader_of(cells, i)].count++;
    }
    for (int32_t i = 0; i < p->count; i++) {
        Piece *piece = &pieces[leader_of(cells, i)];
        for (int a = 0; a < 3; a++) {
            piece->mean[a] += (double)p->position[i][a] / (double)piece->count;
        }
    }
    for (int32_t i = 0; i < p->count; i++) {
        Piece *piece = &pieces[leader_of(cells, i)];
        const double way[3] = {(double)p->position[i][0] - piece->mean[0], (double)p->position[i][1] - piece->mean[1],
                               (double)p->position[i][2] - piece->mean[2]};
        add_outer_product(piece->sum, way);
    }
    return pieces;
}

static LiquidCount count_forms(const Cells *cells, const Piece *pieces, bool (*counts)(const float place[3]),
                               uint8_t *form)
{
    LiquidCount count = {0};
    for (int32_t i = 0; i < cells->particles->count; i++) {
        const Piece *piece = &pieces[leader_of(cells, i)];
        if (!counts(cells->particles->position[i])) {
            form[i] = FORM_BULK;
            continue;
        }
        form[i] = is_drop(piece) ? FORM_DROP : form[i];
        count.particles[form[i]]++;
        count.pieces += pieces[i].count > 0;
        count.points += pieces[i].count == 1;
        count.drops += pieces[i].count > 1 && is_drop(&pieces[i]);
    }
    return count;
}

LiquidCount liquid_forms(StudyRun *run, const StudyParticles *particles, double spacing,
                         bool (*counts)(const float place[3]), uint8_t *form)
{
    LiquidCount count = {0};
    Cells cells = {0};
    Piece *pieces = NULL;
    if (make_cells(run, particles, spacing, &cells)) {
        for (int32_t i = 0; i < particles->count; i++) {
            form[i] = (uint8_t)classify_particle(&cells, i, spacing);
        }
        pieces = measure_pieces(run, &cells);
    }
    if (pieces) {
        count = count_forms(&cells, pieces, counts, form);
    }
    free(pieces);
    free(cells.first);
    free(cells.next);
    free(cells.leader);
    return count;
}
