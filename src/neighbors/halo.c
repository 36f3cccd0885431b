/* Builds the ghosts of each part and copies their fields and rows. */
#include "neighbors/halo.h"

#include <stdlib.h>
#include <string.h>

enum { NO_IMAGE = 13, IMAGES = 27 };

/* The offset of a periodic image: -1, 0 or 1 periods along each axis. */
static void image_steps(int image, int step[3])
{
    step[0] = image % 3 - 1;
    step[1] = image / 3 % 3 - 1;
    step[2] = image / 9 - 1;
}

static bool image_exists(const dlp__CellFrame *frame, int image)
{
    int step[3];
    image_steps(image, step);
    for (int a = 0; a < 3; a++) {
        if (step[a] != 0 && frame->periodic[a] == 0) {
            return false;
        }
    }
    return true;
}

/* One ghost cell of a part. */
typedef struct GhostCell {
    uint64_t key; /* key at its shifted position */
    int32_t start, population;
    uint8_t part, image;
} GhostCell;

static int compare_cells(const void *a, const void *b)
{
    uint64_t left = ((const GhostCell *)a)->key, right = ((const GhostCell *)b)->key;
    return (left > right) - (left < right);
}

/* List the cells of part `from`, shifted to `image`, that are within `ghost_layers` of the box of `to`; with cells
 * == null only count them. */
static int64_t list_cells_near(const dlp__Domains *domains, int from, int image, const dlp__Domain *to,
                               GhostCell *cells)
{
    const dlp__CellGrid *grid = &domains->part[from].grid;
    const int32_t ghost_layers = domains->ghost_layers;
    int step[3];
    int64_t count = 0;
    image_steps(image, step);
    for (int64_t c = 0; c < grid->count; c++) {
        if (grid->start[c] >= domains->part[from].particles.count) { /* a ghost cell */
            continue;
        }
        dlp__Cell cell = dlp__cell_of_key(grid->key[c]);
        cell.x += step[0] * (int32_t)domains->frame.periodic[0];
        cell.y += step[1] * (int32_t)domains->frame.periodic[1];
        cell.z += step[2] * (int32_t)domains->frame.periodic[2];
        if (cell.x < to->lower[0] - ghost_layers || cell.x >= to->upper[0] + ghost_layers ||
            cell.y < to->lower[1] - ghost_layers || cell.y >= to->upper[1] + ghost_layers ||
            cell.z < to->lower[2] - ghost_layers || cell.z >= to->upper[2] + ghost_layers) {
            continue;
        }
        if (cells != NULL) {
            cells[count] = (GhostCell){dlp__cell_key(cell), grid->start[c], grid->population[c], (uint8_t)from,
                                       (uint8_t)image};
        }
        count++;
    }
    return count;
}

/* All ghost cells of `to`; with cells == null only counted. */
static int64_t list_ghost_cells(const dlp__Domains *domains, int to, GhostCell *cells)
{
    int64_t count = 0;
    for (int from = 0; from < domains->count; from++) {
        for (int image = 0; image < IMAGES; image++) {
            if ((from == to && image == NO_IMAGE) || !image_exists(&domains->frame, image)) {
                continue;
            }
            GhostCell *next = cells != NULL ? cells + count : NULL;
            count += list_cells_near(domains, from, image, &domains->part[to], next);
        }
    }
    return count;
}

static bool reserve_halo(dlp__Domains *domains, dlp__Domain *part, int64_t ghosts)
{
    dlp__Halo *halo = &part->halo;
    bool ok = dlp__particles_reserve(&part->particles, part->particles.count + ghosts) &&
              dlp__buffer_reserve(domains->memory, &halo->buffer[0], ghosts, sizeof(int32_t)) &&
              dlp__buffer_reserve(domains->memory, &halo->buffer[1], ghosts, 1) &&
              dlp__buffer_reserve(domains->memory, &halo->buffer[2], ghosts, 1);
    halo->source = halo->buffer[0].data;
    halo->part = halo->buffer[1].data;
    halo->image = halo->buffer[2].data;
    part->particles.ghosts = ok ? ghosts : 0;
    return ok;
}

static float image_shift(const dlp__CellFrame *frame, int image, int axis)
{
    int step[3];
    image_steps(image, step);
    return (float)(step[axis] * frame->period[axis]);
}

/* Copy the fields that new ghosts need at once: the exchanged ones. */
static void copy_exchanged(const dlp__Domains *domains, dlp__Domain *part, int64_t ghost)
{
    const dlp__Halo *halo = &part->halo;
    const dlp__Particles *source = &domains->part[halo->part[ghost]].particles;
    int64_t to = part->particles.count + ghost, from = halo->source[ghost];
    for (int field = 1; field < dlp__fields_end(source); field++) {
        const dlp__FieldInfo *info = dlp__field_info(source, field);
        const bool copied = (info->flags & DLP_FIELD_EXCHANGED) != 0 && dlp__particles_have(&part->particles, field);
        for (int c = 0; copied && c < info->components; c++) {
            char *target = (char *)dlp__field_array(&part->particles, field, c) + (size_t)to * info->size;
            memcpy(target, (char *)dlp__field_array(source, field, c) + (size_t)from * info->size, info->size);
            if ((info->flags & DLP_FIELD_SHIFTED) != 0 && halo->image[ghost] != NO_IMAGE && c < 3) {
                *(float *)(void *)target += image_shift(&domains->frame, halo->image[ghost], c);
            }
        }
    }
}

/* Turn the sorted ghost cells into ghosts and add the cells to the part's grid. */
static bool add_ghosts(dlp__Domains *domains, dlp__Domain *part, const GhostCell *cells, int64_t count)
{
    dlp__Halo *halo = &part->halo;
    int64_t ghosts = 0;
    for (int64_t c = 0; c < count; c++) {
        ghosts += cells[c].population;
    }
    if (!reserve_halo(domains, part, ghosts) ||
        !dlp__buffer_reserve(domains->memory, &halo->keys, ghosts, sizeof(uint64_t))) {
        return false;
    }
    uint64_t *keys = halo->keys.data;
    for (int64_t c = 0, ghost = 0; c < count; c++) {
        for (int32_t k = 0; k < cells[c].population; k++, ghost++) {
            keys[ghost] = cells[c].key;
            halo->source[ghost] = cells[c].start + k;
            halo->part[ghost] = cells[c].part;
            halo->image[ghost] = cells[c].image;
            copy_exchanged(domains, part, ghost);
        }
    }
    return dlp__cells_list(&halo->ghost_cells, domains->memory, keys, ghosts) &&
           dlp__cells_merge(&part->grid, domains->memory, &halo->ghost_cells, part->particles.count);
}

static bool build_part(dlp__Domains *domains, int number)
{
    dlp__Domain *part = &domains->part[number];
    int64_t count = list_ghost_cells(domains, number, NULL);
    part->particles.ghosts = 0;
    if (count == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(domains->memory, &part->halo.cells, count, sizeof(GhostCell))) {
        return false;
    }
    GhostCell *cells = part->halo.cells.data;
    list_ghost_cells(domains, number, cells);
    qsort(cells, (size_t)count, sizeof *cells, compare_cells);
    return add_ghosts(domains, part, cells, count);
}

bool dlp__halo_build(dlp__Domains *domains)
{
    bool ok = true;
    for (int d = 0; ok && d < domains->count; d++) {
        ok = build_part(domains, d);
    }
    return ok;
}

void dlp__halo_release(dlp__Halo *halo, dlp__Memory *memory)
{
    for (int i = 0; i < 3; i++) {
        dlp__buffer_release(memory, &halo->buffer[i]);
    }
    dlp__buffer_release(memory, &halo->cells);
    dlp__buffer_release(memory, &halo->keys);
    dlp__cells_release(&halo->ghost_cells, memory);
}

typedef struct RowFill {
    const dlp__Domains *domains;
    const dlp__Domain *part;
    int row, size;
    float shift[IMAGES][4];
} RowFill;

static void fill_rows(void *context, int64_t begin, int64_t end)
{
    const RowFill *fill = context;
    const dlp__Halo *halo = &fill->part->halo;
    const int size = fill->size;
    float *rows = fill->part->rows[fill->row] + size * fill->part->particles.count;
    for (int64_t g = begin; g < end; g++) {
        const float *source = fill->domains->part[halo->part[g]].rows[fill->row];
        float *last = rows + size * (g + 1) - 4;
        memcpy(rows + size * g, source + size * (int64_t)halo->source[g], (size_t)size * sizeof(float));
        if (halo->image[g] == NO_IMAGE) { /* adding zero would turn -0 into +0 */
            continue;
        }
        for (int c = 0; c < 3; c++) {
            last[c] += fill->shift[halo->image[g]][c];
        }
    }
}

void dlp__halo_fill_rows(dlp__Domains *domains, int row, int size, const bool shifted[4])
{
    RowFill fill = {.domains = domains, .row = row, .size = size};
    for (int image = 0; image < IMAGES; image++) {
        for (int c = 0; c < 3; c++) {
            fill.shift[image][c] = shifted[c] ? image_shift(&domains->frame, image, c) : 0.0f;
        }
    }
    for (int d = 0; d < domains->count; d++) {
        fill.part = &domains->part[d];
        dlp__parallel_for(domains->parallel, fill.part->particles.ghosts, DLP_SUM_BLOCK, fill_rows, &fill);
    }
}
