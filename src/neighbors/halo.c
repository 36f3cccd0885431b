/* Builds the ghosts of each part and copies their fields and rows. */
#include "neighbors/halo.h"

#include "neighbors/rank_halo.h"

#include <stdlib.h>
#include <string.h>

bool dlp__image_exists(const dlp__CellFrame *frame, int image)
{
    int step[3];
    dlp__image_steps(image, step);
    for (int a = 0; a < 3; a++) {
        if (step[a] != 0 && frame->periodic[a] == 0) {
            return false;
        }
    }
    return true;
}

static int compare_cells(const void *a, const void *b)
{
    const dlp__GhostCell *left = a, *right = b;
    if (left->key != right->key) {
        return left->key < right->key ? -1 : 1;
    }
    return (left->id > right->id) - (left->id < right->id);
}

/* The cells within reach of a part. */
typedef struct Reach {
    int32_t lower[3], upper[3];
} Reach;

static bool is_reached(const Reach *reach, int axis, int32_t cell)
{
    return cell >= reach->lower[axis] && cell < reach->upper[axis];
}

/* Across the z faces of a sheared box images are displaced along x by a part of a cell: list the particles of a cell that are within
 * reach, each with the cell where its image lies. `cell` is that of the image but for x. */
static int64_t list_particles_near(const dlp__Domains *domains, const Reach *reach, dlp__Cell cell,
                                   const dlp__GhostCell *all, dlp__GhostCell *cells)
{
    const dlp__Particles *p = &domains->part[all->part].particles;
    int step[3];
    int64_t count = 0;
    dlp__image_steps(all->image, step);
    const double displacement = dlp__image_displacement(&domains->frame, step, 0);
    for (int32_t i = all->start; i < all->start + all->population; i++) {
        cell.x = dlp__image_cell(&domains->frame, 0, (double)p->position[0][i] + displacement);
        if (!is_reached(reach, 0, cell.x)) {
            continue;
        }
        if (cells != NULL) {
            cells[count] = (dlp__GhostCell){dlp__cell_key(cell), p->id[0][i], i, 1, all->part, all->image};
        }
        count++;
    }
    return count;
}

int64_t dlp__list_cells_near(const dlp__Domains *domains, int from, int image, const int32_t lower[3],
                             const int32_t upper[3], dlp__GhostCell *cells)
{
    const dlp__CellGrid *grid = &domains->part[from].grid;
    const int32_t ghost_layers = domains->ghost_layers;
    Reach reach;
    int step[3];
    int64_t count = 0;
    dlp__image_steps(image, step);
    for (int a = 0; a < 3; a++) {
        reach.lower[a] = lower[a] - ghost_layers;
        reach.upper[a] = upper[a] + ghost_layers;
    }
    const bool is_sheared = step[2] != 0 && dlp__is_sheared(&domains->frame);
    for (int64_t c = 0; c < grid->count; c++) {
        if (grid->start[c] >= domains->part[from].particles.count) { /* a ghost cell */
            continue;
        }
        dlp__Cell cell = dlp__cell_of_key(grid->key[c]);
        cell.x += step[0] * (int32_t)domains->frame.periodic[0];
        cell.y += step[1] * (int32_t)domains->frame.periodic[1];
        cell.z += step[2] * (int32_t)domains->frame.periodic[2];
        if (!is_reached(&reach, 1, cell.y) || !is_reached(&reach, 2, cell.z)) {
            continue;
        }
        const dlp__GhostCell all = {dlp__cell_key(cell), 0, grid->start[c], grid->population[c], (uint8_t)from,
                                    (uint8_t)image};
        dlp__GhostCell *next = cells != NULL ? cells + count : NULL;
        if (is_sheared) {
            count += list_particles_near(domains, &reach, cell, &all, next);
        } else if (is_reached(&reach, 0, cell.x)) {
            if (next != NULL) {
                *next = all;
            }
            count++;
        }
    }
    return count;
}

/* All ghost cells of `to`; with cells == null only counted. */
static int64_t list_ghost_cells(const dlp__Domains *domains, int to, dlp__GhostCell *cells)
{
    const dlp__Domain *part = &domains->part[to];
    int64_t count = 0;
    for (int from = 0; from < domains->count; from++) {
        for (int image = 0; image < DLP_IMAGES; image++) {
            if ((from == to && image == DLP_NO_IMAGE) || !dlp__image_exists(&domains->frame, image)) {
                continue;
            }
            dlp__GhostCell *next = cells != NULL ? cells + count : NULL;
            count += dlp__list_cells_near(domains, from, image, part->lower, part->upper, next);
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
    dlp__image_steps(image, step);
    return (float)dlp__image_displacement(frame, step, axis);
}

/* Inlined for the sizes of fields: a box of few particles has many ghosts. */
static void copy_value(char *to, const char *from, size_t size)
{
    switch (size) {
    case sizeof(uint32_t): memcpy(to, from, sizeof(uint32_t)); break;
    case sizeof(uint64_t): memcpy(to, from, sizeof(uint64_t)); break;
    default: memcpy(to, from, size);
    }
}

/* Copy a component of a field to all ghosts but those of other ranks. */
static void copy_component(const dlp__Domains *domains, dlp__Domain *part, int field, int component, size_t size)
{
    const dlp__Halo *halo = &part->halo;
    const dlp__Particles *p = &part->particles;
    char *to = (char *)dlp__field_array(p, field, component) + (size_t)p->count * size;
    const char *from = NULL;
    int number = DLP_PART_REMOTE;
    for (int64_t g = 0; g < p->ghosts; g++, to += size) {
        if (halo->part[g] != number) {
            number = halo->part[g];
            from = number != DLP_PART_REMOTE ? dlp__field_array(&domains->part[number].particles, field, component)
                                             : NULL;
        }
        if (from != NULL) {
            copy_value(to, from + (size_t)halo->source[g] * size, size);
        }
    }
}

/* Displace a field of the ghosts that are periodic images. */
static void shift_field(const dlp__CellFrame *frame, dlp__Domain *part, int field)
{
    const dlp__Particles *p = &part->particles;
    for (int c = 0; c < 3; c++) {
        float *values = (float *)dlp__field_array(p, field, c) + p->count, shift[DLP_IMAGES];
        for (int image = 0; image < DLP_IMAGES; image++) {
            shift[image] = image_shift(frame, image, c);
        }
        for (int64_t g = 0; g < p->ghosts; g++) {
            const int image = part->halo.image[g];
            values[g] = image != DLP_NO_IMAGE ? values[g] + shift[image] : values[g];
        }
    }
}

/* Fill the fields that new ghosts need at once: the exchanged ones. Those of other ranks are copied before. */
static void fill_exchanged(const dlp__Domains *domains, dlp__Domain *part)
{
    const dlp__Particles *p = &part->particles;
    for (int field = 1; field < dlp__fields_end(p); field++) {
        const dlp__FieldInfo *info = dlp__field_info(p, field);
        if ((info->flags & DLP_FIELD_EXCHANGED) == 0 || !dlp__particles_have(p, field)) {
            continue;
        }
        for (int c = 0; c < info->components; c++) {
            copy_component(domains, part, field, c, info->size);
        }
        if ((info->flags & DLP_FIELD_SHIFTED) != 0) {
            shift_field(&domains->frame, part, field);
        }
    }
}

/* Turn the sorted ghost cells into ghosts and add the cells to the part's grid. */
static bool add_ghosts(dlp__Domains *domains, dlp__Domain *part, const dlp__GhostCell *cells, int64_t count)
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
    dlp__ParticleRecord record;
    dlp__particle_record_of_ghosts(&record, &part->particles);
    for (int64_t c = 0, ghost = 0; c < count; c++) {
        const bool is_remote = cells[c].part == DLP_PART_REMOTE;
        const char *received = is_remote ? dlp__rank_halo_record(halo, record.bytes, cells[c].start) : NULL;
        for (int32_t k = 0; k < cells[c].population; k++, ghost++) {
            keys[ghost] = cells[c].key;
            halo->source[ghost] = cells[c].start + k;
            halo->part[ghost] = cells[c].part;
            halo->image[ghost] = cells[c].image;
            if (is_remote) {
                dlp__particle_record_read(&record, part->particles.count + ghost, received + (size_t)k * record.bytes);
            }
        }
    }
    fill_exchanged(domains, part);
    return dlp__cells_list(&halo->ghost_cells, domains->memory, keys, ghosts) &&
           dlp__cells_merge(&part->grid, domains->memory, &halo->ghost_cells, part->particles.count);
}

static bool build_part(dlp__Domains *domains, int number)
{
    dlp__Domain *part = &domains->part[number];
    const int64_t near = list_ghost_cells(domains, number, NULL), count = near + dlp__rank_halo_cells(domains, NULL);
    part->particles.ghosts = 0;
    if (count == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(domains->memory, &part->halo.cells, count, sizeof(dlp__GhostCell))) {
        return false;
    }
    dlp__GhostCell *cells = part->halo.cells.data;
    list_ghost_cells(domains, number, cells);
    dlp__rank_halo_cells(domains, cells + near);
    qsort(cells, (size_t)count, sizeof *cells, compare_cells);
    return add_ghosts(domains, part, cells, count);
}

bool dlp__halo_build(dlp__Domains *domains)
{
    bool ok = dlp__rank_halo_exchange_cells(domains);
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
    dlp__rank_halo_release(halo, memory);
    dlp__buffer_release(memory, &halo->cells);
    dlp__buffer_release(memory, &halo->keys);
    dlp__cells_release(&halo->ghost_cells, memory);
}

typedef struct RowFill {
    const dlp__Domains *domains;
    const dlp__Domain *part;
    const dlp__HaloRow *row;
    const float *received; /* of this row, of the first particle of other ranks */
    int stride;            /* floats from there to the next */
    float shift[DLP_IMAGES][4];
    int velocity;           /* as in the row; 0: no image is faster */
    float jump[DLP_IMAGES]; /* m/s, by which images are faster along x */
} RowFill;

static void fill_rows(void *context, int64_t begin, int64_t end)
{
    const RowFill *fill = context;
    const dlp__Halo *halo = &fill->part->halo;
    const int size = fill->row->size, number = fill->row->number;
    float *rows = fill->part->rows[number] + size * fill->part->particles.count;
    for (int64_t g = begin; g < end; g++) {
        const float *source = halo->part[g] == DLP_PART_REMOTE
                                  ? fill->received + fill->stride * (int64_t)halo->source[g]
                                  : fill->domains->part[halo->part[g]].rows[number] + size * (int64_t)halo->source[g];
        float *last = rows + size * (g + 1) - 4;
        memcpy(rows + size * g, source, (size_t)size * sizeof(float));
        if (halo->image[g] == DLP_NO_IMAGE) { /* adding zero would turn -0 into +0 */
            continue;
        }
        for (int c = 0; c < 3; c++) {
            last[c] += fill->shift[halo->image[g]][c];
        }
        if (fill->velocity > 0) {
            rows[size * g + fill->velocity - 1] += fill->jump[halo->image[g]];
        }
    }
}

static void fill_row(dlp__Domains *domains, const dlp__HaloRow *row, const float *received, int stride)
{
    const double jump = domains->frame.shear.jump;
    RowFill fill = {.domains = domains,
                    .row = row,
                    .received = received,
                    .stride = stride,
                    .velocity = jump != 0.0 ? row->velocity : 0};
    for (int image = 0; image < DLP_IMAGES; image++) {
        int step[3];
        dlp__image_steps(image, step);
        fill.jump[image] = (float)(step[2] * jump);
        for (int c = 0; c < 3; c++) {
            fill.shift[image][c] = row->shifted[c] ? image_shift(&domains->frame, image, c) : 0.0f;
        }
    }
    for (int d = 0; d < domains->count; d++) {
        fill.part = &domains->part[d];
        dlp__parallel_for(domains->parallel, fill.part->particles.ghosts, DLP_SUM_BLOCK, fill_rows, &fill);
    }
}

bool dlp__halo_send_rows(dlp__Domains *domains, const dlp__HaloRow *rows, int count)
{
    return dlp__rank_halo_send(domains, rows, count);
}

void dlp__halo_receive_rows(dlp__Domains *domains, const dlp__HaloRow *rows, int count)
{
    int stride = 0, offset = 0;
    const float *received = dlp__rank_halo_receive(domains, count);
    for (int n = 0; n < count; n++) {
        stride += rows[n].size;
    }
    for (int n = 0; n < count; n++) {
        fill_row(domains, &rows[n], received != NULL ? received + offset : NULL, stride);
        offset += rows[n].size;
    }
}
