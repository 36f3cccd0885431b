/* Cells over an unbounded domain. A particle's cell is three integers; cells are ordered by z, then y, then x, and
 * particles by cell, then id. Only occupied cells are stored, in that order, so the three cells of a row are
 * adjacent and a neighbouring row is found by walking along it: no hash table and no memory for empty space. */
#ifndef DLP_NEIGHBORS_CELL_GRID_H
#define DLP_NEIGHBORS_CELL_GRID_H

#include "particles/particles.h"

/* Lees-Edwards boundary conditions: images across the z faces of a periodic box move along x. The image above the box is displaced by
 * `offset` and faster by `jump`, the image below by the opposite. All are zero in a box that is not sheared. */
typedef struct dlp__Shear {
    double rate;   /* 1/s */
    double strain; /* the integral of the rate over time */
    double offset; /* m: strain times height, less whole periods along x; at most half a period either way */
    double jump;   /* m/s: rate times height */
} dlp__Shear;

/* The mapping from positions to cells: the same for every part of a world. */
typedef struct dlp__CellFrame {
    double origin[3];    /* m */
    double per_cell[3];  /* 1/m, cells per metre */
    int64_t periodic[3]; /* cells along a periodic axis, 0 for an open one */
    double period[3];    /* m */
    dlp__Shear shear;
} dlp__CellFrame;

/* Cells of at least `support`; a periodic axis gets a whole number of them. False if an axis is too short. */
bool dlp__cell_frame_init(dlp__CellFrame *frame, double support, const double lower[3], const double size[3]);

/* Shear a box that is periodic along x and z. */
void dlp__cell_frame_shear(dlp__CellFrame *frame, double rate, double strain);

/* Whether images across the z faces are displaced along x or have another velocity. */
static inline bool dlp__is_sheared(const dlp__CellFrame *frame)
{
    return frame->shear.offset != 0.0 || frame->shear.jump != 0.0;
}

/* m, displacement of the image that is `step` periods away along each axis. */
static inline double dlp__image_displacement(const dlp__CellFrame *frame, const int step[3], int axis)
{
    const double along = step[axis] * frame->period[axis];
    return axis == 0 && step[2] != 0 ? along + step[2] * frame->shear.offset : along;
}

#define DLP_CELL_BITS  21
#define DLP_CELL_LIMIT ((1 << (DLP_CELL_BITS - 1)) - 2) /* coordinates are clamped to +- this */
#define DLP_CELL_DEAD  UINT64_MAX                       /* the key of a particle to be removed */

typedef struct dlp__Cell {
    int32_t x, y, z;
} dlp__Cell;

/* Keys have the order of cells. */
static inline uint64_t dlp__cell_key(dlp__Cell cell)
{
    const int64_t bias = (int64_t)1 << (DLP_CELL_BITS - 1);
    return ((uint64_t)(cell.z + bias) << (2 * DLP_CELL_BITS)) | ((uint64_t)(cell.y + bias) << DLP_CELL_BITS) |
           (uint64_t)(cell.x + bias);
}

static inline dlp__Cell dlp__cell_of_key(uint64_t key)
{
    const int32_t bias = (int32_t)1 << (DLP_CELL_BITS - 1);
    const uint64_t mask = ((uint64_t)1 << DLP_CELL_BITS) - 1;
    return (dlp__Cell){(int32_t)(key & mask) - bias, (int32_t)(key >> DLP_CELL_BITS & mask) - bias,
                       (int32_t)(key >> (2 * DLP_CELL_BITS) & mask) - bias};
}

/* The index of the first of these sorted keys that is not less, or their count. */
static inline int64_t dlp__key_lower_bound(const uint64_t *keys, int64_t count, uint64_t key)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The cell of a position. Coordinates along periodic axes are expected to lie in the box. */
dlp__Cell dlp__cell_at(const dlp__CellFrame *frame, float x, float y, float z);

/* The cell along a periodic axis of a position (m), which may lie in an image of the box. */
int32_t dlp__image_cell(const dlp__CellFrame *frame, int axis, double position);

/* The occupied cells of one part, owned and ghost, in order of their keys. */
typedef struct dlp__CellGrid {
    int64_t count;
    uint64_t *key;
    int32_t *start;      /* first particle */
    int32_t *population; /* number of particles */
    dlp__Buffer buffer[3];
} dlp__CellGrid;

/* Sort the owned particles by (cell, id), given the key of each; those with DLP_CELL_DEAD are removed. `keys` is
 * sorted too. Ghosts are dropped. The content of `scratch`, a block of 16.5 bytes a particle, is lost. False without memory. */
bool dlp__cell_sort(dlp__Buffer *scratch, dlp__Particles *particles, const dlp__Parallel *parallel, uint64_t *keys);

/* List the cells of `count` particles sorted by key. False without memory. */
bool dlp__cells_list(dlp__CellGrid *grid, dlp__Memory *memory, const uint64_t *keys, int64_t count);
/* Insert cells listed elsewhere (ghosts), keeping the order. Their `start` is relative to the first ghost at
 * `offset`. */
bool dlp__cells_merge(dlp__CellGrid *grid, dlp__Memory *memory, const dlp__CellGrid *others, int64_t offset);
void dlp__cells_release(dlp__CellGrid *grid, dlp__Memory *memory);

/* Consecutive particles. */
typedef struct dlp__IndexRange {
    int32_t begin, end;
} dlp__IndexRange;

#define DLP_CELL_RANGES 27 /* at most one range per cell of the 3x3x3 block */

/* The ranges of particles in a cell and the 26 around it, in order. Fastest if `cell` increases by one from call to
 * call. `cursor` holds nine positions; initialize it with dlp__cells_cursor. */
void dlp__cells_cursor(const dlp__CellGrid *grid, int64_t cell, int64_t cursor[9]);
int dlp__cells_around(const dlp__CellGrid *grid, int64_t cell, int64_t cursor[9],
                      dlp__IndexRange ranges[DLP_CELL_RANGES]);

#endif
