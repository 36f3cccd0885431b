/* A message of cells to one rank: how many cells and particles, the cells, then the record of each particle in order of cells. */
#include "neighbors/rank_halo.h"

#include <string.h>

typedef struct Header {
    int64_t cells, particles;
} Header;

static bool is_alone(const dlp__Domains *domains)
{
    return dlp__ranks_count(domains->ranks) == 1;
}

/* Whether a shifted image of the own box comes near the box of a rank. */
static bool boxes_touch(const dlp__Domains *domains, int rank, int image)
{
    const dlp__RankBox *own = &domains->partition.box[domains->ranks->rank], *other = &domains->partition.box[rank];
    int step[3];
    bool touch = true;
    dlp__image_steps(image, step);
    for (int a = 0; a < 3; a++) {
        const int64_t shift = step[a] * domains->frame.periodic[a], layers = domains->ghost_layers;
        touch = touch && own->lower[a] < own->upper[a] && other->lower[a] < other->upper[a] &&
                own->lower[a] + shift < other->upper[a] + layers && own->upper[a] + shift > other->lower[a] - layers;
    }
    return touch;
}

/* All own cells near the box of another rank; with cells == null only counted. */
static int64_t list_cells_for(const dlp__Domains *domains, int rank, dlp__GhostCell *cells)
{
    const dlp__RankBox *box = &domains->partition.box[rank];
    int64_t count = 0;
    for (int image = 0; image < DLP_IMAGES && rank != domains->ranks->rank; image++) {
        if (dlp__image_exists(&domains->frame, image) && boxes_touch(domains, rank, image)) {
            count += dlp__list_cells_near(domains, 0, image, box->lower, box->upper,
                                          cells != NULL ? cells + count : NULL);
        }
    }
    return count;
}

static bool reserve_counts(dlp__Domains *domains, dlp__Halo *halo)
{
    const int ranks = domains->ranks->count;
    const bool ok = dlp__buffer_reserve(domains->memory, &halo->rank_counts, (int64_t)2 * ranks, sizeof(int64_t));
    halo->sent_to = halo->rank_counts.data;
    halo->received_from = ok ? halo->sent_to + ranks : NULL;
    return ok;
}

/* List the cells for every rank one after the other: `first` is where those of a rank begin. */
static dlp__GhostCell *list_all_cells(dlp__Domains *domains, int64_t *first)
{
    dlp__Halo *halo = &domains->part[0].halo;
    int64_t count = 0;
    for (int rank = 0; rank < domains->ranks->count; rank++) {
        first[rank] = count;
        count += list_cells_for(domains, rank, NULL);
    }
    first[domains->ranks->count] = count;
    if (!dlp__buffer_reserve(domains->memory, &halo->cells, count + 1, sizeof(dlp__GhostCell))) {
        return NULL;
    }
    for (int rank = 0; rank < domains->ranks->count; rank++) {
        list_cells_for(domains, rank, (dlp__GhostCell *)halo->cells.data + first[rank]);
    }
    return halo->cells.data;
}

/* List the particles of the cells, and count those for each rank. */
static bool list_sent(dlp__Domains *domains, const dlp__GhostCell *cells, const int64_t *first)
{
    dlp__Halo *halo = &domains->part[0].halo;
    halo->sent_count = 0;
    for (int rank = 0; rank < domains->ranks->count; rank++) {
        halo->sent_to[rank] = 0;
        for (int64_t c = first[rank]; c < first[rank + 1]; c++) {
            halo->sent_to[rank] += cells[c].population;
        }
        halo->sent_count += halo->sent_to[rank];
    }
    if (!dlp__buffer_reserve(domains->memory, &halo->sent_buffer, halo->sent_count + 1, sizeof *halo->sent)) {
        return false;
    }
    halo->sent = halo->sent_buffer.data;
    for (int64_t c = 0, n = 0; c < first[domains->ranks->count]; c++) {
        for (int32_t k = 0; k < cells[c].population; k++) {
            halo->sent[n++] = cells[c].start + k;
        }
    }
    return true;
}

static void write_cells(dlp__Domains *domains, const dlp__GhostCell *cells, const int64_t *first)
{
    dlp__Halo *halo = &domains->part[0].halo;
    const int32_t *particle = halo->sent;
    dlp__ParticleRecord record;
    dlp__particle_record_of_ghosts(&record, &domains->part[0].particles);
    for (int rank = 0; rank < domains->ranks->count; rank++) {
        const Header header = {first[rank + 1] - first[rank], halo->sent_to[rank]};
        if (header.cells == 0) {
            continue;
        }
        const size_t cell_bytes = (size_t)header.cells * sizeof *cells;
        memcpy(dlp__exchange_place(&halo->cells_exchange, rank, sizeof header), &header, sizeof header);
        memcpy(dlp__exchange_place(&halo->cells_exchange, rank, (int64_t)cell_bytes), cells + first[rank], cell_bytes);
        for (int64_t n = 0; n < header.particles; n++) {
            dlp__particle_record_write(&record, *particle++,
                                       dlp__exchange_place(&halo->cells_exchange, rank, (int64_t)record.bytes));
        }
    }
}

/* Count the particles that came from each rank. */
static void count_received(dlp__Domains *domains)
{
    dlp__Halo *halo = &domains->part[0].halo;
    const char *at = halo->cells_exchange.received.data;
    halo->received_count = 0;
    for (int rank = 0; rank < domains->ranks->count; rank++) {
        const int64_t size = halo->cells_exchange.received.size[rank];
        Header header = {0, 0};
        if (size > 0) {
            memcpy(&header, at, sizeof header);
        }
        halo->received_from[rank] = header.particles;
        halo->received_count += header.particles;
        at += size;
    }
}

bool dlp__rank_halo_exchange_cells(dlp__Domains *domains)
{
    dlp__Halo *halo = &domains->part[0].halo;
    if (is_alone(domains)) {
        return true;
    }
    int64_t *first = dlp__arena_take(&domains->arena, domains->ranks->count + 1, sizeof *first);
    dlp__Exchange *exchange = &halo->cells_exchange;
    if (first == NULL || !reserve_counts(domains, halo) ||
        !dlp__exchange_begin(exchange, domains->memory, domains->ranks)) {
        return false;
    }
    const dlp__GhostCell *cells = list_all_cells(domains, first);
    if (cells == NULL || !list_sent(domains, cells, first)) {
        return false;
    }
    dlp__ParticleRecord record;
    dlp__particle_record_of_ghosts(&record, &domains->part[0].particles);
    for (int rank = 0; rank < domains->ranks->count; rank++) {
        const int64_t count = first[rank + 1] - first[rank];
        exchange->sent.size[rank] = count > 0 ? (int64_t)sizeof(Header) + count * (int64_t)sizeof *cells +
                                                    halo->sent_to[rank] * (int64_t)record.bytes
                                              : 0;
    }
    if (!dlp__exchange_reserve(exchange, domains->memory, domains->ranks)) {
        return false;
    }
    write_cells(domains, cells, first);
    if (!dlp__exchange_run(exchange, domains->memory, domains->ranks)) {
        return false;
    }
    count_received(domains);
    return true;
}

int64_t dlp__rank_halo_cells(const dlp__Domains *domains, dlp__GhostCell *cells)
{
    const dlp__Halo *halo = &domains->part[0].halo;
    const char *at = halo->cells_exchange.received.data;
    int64_t count = 0;
    int32_t start = 0;
    for (int rank = 0; rank < dlp__ranks_count(domains->ranks) && !is_alone(domains); rank++) {
        const int64_t size = halo->cells_exchange.received.size[rank];
        Header header = {0, 0};
        if (size > 0) {
            memcpy(&header, at, sizeof header);
        }
        if (cells != NULL && header.cells > 0) {
            memcpy(cells + count, at + sizeof header, (size_t)header.cells * sizeof *cells);
        }
        for (int64_t c = count; cells != NULL && c < count + header.cells; c++) {
            cells[c].part = DLP_PART_REMOTE;
            cells[c].start = start;
            start += cells[c].population;
        }
        count += header.cells;
        at += size;
    }
    return count;
}

const char *dlp__rank_halo_record(const dlp__Halo *halo, size_t record_bytes, int64_t particle)
{
    const char *block = halo->cells_exchange.received.data;
    int rank = 0;
    while (particle >= halo->received_from[rank]) {
        particle -= halo->received_from[rank];
        block += halo->cells_exchange.received.size[rank++];
    }
    Header header;
    memcpy(&header, block, sizeof header);
    return block + sizeof header + (size_t)header.cells * sizeof(dlp__GhostCell) + (size_t)particle * record_bytes;
}

/* Rows that are sent, side by side. */
typedef struct RowPacking {
    const dlp__Domain *part;
    const dlp__HaloRow *rows;
    int count;
    size_t bytes; /* of all rows of a particle */
    char *to;
} RowPacking;

static void pack_sent_rows(void *context, int64_t begin, int64_t end)
{
    const RowPacking *packing = context;
    for (int64_t n = begin; n < end; n++) {
        char *to = packing->to + (size_t)n * packing->bytes;
        for (int r = 0; r < packing->count; r++) {
            const dlp__HaloRow *row = &packing->rows[r];
            const size_t size = (size_t)row->size * sizeof(float);
            memcpy(to, packing->part->rows[row->number] + row->size * (int64_t)packing->part->halo.sent[n], size);
            to += size;
        }
    }
}

bool dlp__rank_halo_send(dlp__Domains *domains, const dlp__HaloRow *rows, int count)
{
    if (is_alone(domains) || count == 0) {
        return true;
    }
    dlp__Domain *part = &domains->part[0];
    dlp__Halo *halo = &part->halo;
    dlp__Exchange *exchange = &halo->rows_exchange;
    RowPacking packing = {.part = part, .rows = rows, .count = count};
    for (int r = 0; r < count; r++) {
        packing.bytes += (size_t)rows[r].size * sizeof(float);
    }
    if (!dlp__exchange_begin(exchange, domains->memory, domains->ranks)) {
        return false;
    }
    for (int rank = 0; rank < domains->ranks->count; rank++) {
        exchange->sent.size[rank] = halo->sent_to[rank] * (int64_t)packing.bytes;
        exchange->received.size[rank] = halo->received_from[rank] * (int64_t)packing.bytes;
    }
    if (!dlp__exchange_reserve(exchange, domains->memory, domains->ranks) ||
        !dlp__buffer_reserve(domains->memory, &exchange->received_buffer, halo->received_count + 1, packing.bytes)) {
        return false;
    }
    exchange->received.data = exchange->received_buffer.data;
    packing.to = exchange->sent.data;
    dlp__parallel_for(domains->parallel, halo->sent_count, DLP_SUM_BLOCK, pack_sent_rows, &packing);
    dlp__ranks_start(domains->ranks, &exchange->sent, &exchange->received);
    return true;
}

const float *dlp__rank_halo_receive(dlp__Domains *domains, int count)
{
    if (is_alone(domains) || count == 0) {
        return NULL;
    }
    dlp__ranks_finish(domains->ranks);
    return (const float *)(const void *)domains->part[0].halo.rows_exchange.received.data;
}

void dlp__rank_halo_release(dlp__Halo *halo, dlp__Memory *memory)
{
    dlp__exchange_release(&halo->rows_exchange, memory);
    dlp__exchange_release(&halo->cells_exchange, memory);
    dlp__buffer_release(memory, &halo->rank_counts);
    dlp__buffer_release(memory, &halo->sent_buffer);
}
