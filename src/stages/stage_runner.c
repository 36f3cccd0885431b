#include "stages/stage_runner.h"

#include "neighbors/halo.h"

#include <assert.h>

/* How many particles a thread takes at a time: enough pieces to share out evenly, and one piece where sharing would cost
 * more than it saves. */
static int64_t piece_size(const dlp__Domains *domains, int64_t count)
{
    enum { LEAST = 512, MOST = 4096, WHOLE = 2048, PIECES_A_THREAD = 4 };
    int64_t piece = count / (PIECES_A_THREAD * (int64_t)domains->parallel->threads);
    piece = piece < LEAST ? LEAST : piece > MOST ? MOST : piece;
    return count <= WHOLE ? WHOLE : (piece + DLP_GROUP - 1) / DLP_GROUP * DLP_GROUP;
}

/* Where the rows of a stage come from and go to, in one part. */
typedef struct Packing {
    int count;
    const float *from[DLP_STAGE_ROWS][4];
    int step[DLP_STAGE_ROWS][4]; /* 1, or 0 where a zero stands for the whole array */
    float *rows[DLP_STAGE_ROWS];
} Packing;

static void pack_rows(void *context, int64_t begin, int64_t end)
{
    const Packing *packing = context;
    for (int r = 0; r < packing->count; r++) {
        const float *const *from = packing->from[r];
        const int *step = packing->step[r];
        float *row = packing->rows[r] + 4 * begin;
        for (int64_t i = begin; i < end; i++, row += 4) {
            row[0] = from[0][i * step[0]];
            row[1] = from[1][i * step[1]];
            row[2] = from[2][i * step[2]];
            row[3] = from[3][i * step[3]];
        }
    }
}

static bool pack_part(dlp__Domains *domains, dlp__Domain *domain, const dlp__Stage *stage, int count)
{
    static const float zero = 0.0f;
    const dlp__Particles *p = &domain->particles;
    Packing packing = {.count = count};
    for (int r = 0; r < count; r++) {
        if (!dlp__buffer_reserve(domains->memory, &domain->rows[r], p->count + p->ghosts + DLP_GROUP,
                                 4 * sizeof(float))) {
            return false;
        }
        packing.rows[r] = domain->rows[r].data;
        for (int c = 0; c < 4; c++) {
            int part = stage->gathers[r].part[c];
            packing.step[r][c] = part != 0;
            packing.from[r][c] = part != 0 ? dlp__field_array(p, DLP_PART_FIELD(part), DLP_PART_COMPONENT(part))
                                           : &zero;
        }
    }
    dlp__parallel_for(domains->parallel, p->count, piece_size(domains, p->count), pack_rows, &packing);
    return true;
}

/* Let ghosts have their part of a row. */
static void fill_ghosts(dlp__Domains *domains, const dlp__Row *row, int number)
{
    bool shifted[4] = {false};
    for (int c = 0; c < 4; c++) {
        int part = row->part[c];
        assert(part == 0 || c < 3 || (dlp__field_info(DLP_PART_FIELD(part))->flags & DLP_FIELD_SHIFTED) == 0);
        shifted[c] = part != 0 && (dlp__field_info(DLP_PART_FIELD(part))->flags & DLP_FIELD_SHIFTED) != 0;
    }
    dlp__halo_fill_rows(domains, number, shifted);
}

/* Pack the rows that the stage gathers, in all parts, and room for what it keeps of its pairs. */
static bool gather(dlp__Domains *domains, const dlp__Stage *stage, int rows)
{
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *domain = &domains->part[d];
        int64_t pairs = stage->pairs != DLP_PAIRS_NONE ? dlp__neighbors_entries(&domain->fluid) + DLP_GROUP : 0;
        if ((rows > 0 && !pack_part(domains, domain, stage, rows)) ||
            (pairs > 0 && !dlp__buffer_reserve(domains->memory, &domain->pairs, pairs, 4 * sizeof(float)))) {
            return false;
        }
    }
    for (int r = 0; r < rows; r++) {
        fill_ghosts(domains, &stage->gathers[r], r);
    }
    return true;
}

typedef struct Call {
    dlp__StageFunction function;
    dlp__StageContext context;
} Call;

static void call_stage(void *context, int64_t begin, int64_t end)
{
    const Call *call = context;
    call->function(&call->context, begin, end);
}

/* In debug builds: remember the first stage that left something infinite or undefined in what it writes. */
static void check_written(dlp__Domains *domains, const dlp__Stage *stage)
{
#ifndef NDEBUG
    for (int d = 0; d < domains->count && domains->bad_stage == NULL; d++) {
        int field = 0;
        int64_t index = 0;
        if (dlp__particles_find_bad(&domains->part[d].particles, domains->parallel, stage->writes, &field, &index)) {
            domains->bad_stage = stage->name;
        }
    }
#else
    (void)domains;
    (void)stage;
#endif
}

bool dlp__run(dlp__Domains *domains, const dlp__Stage *stage, const void *arguments)
{
    double started = dlp__clock();
    int rows = 0;
    while (rows < DLP_STAGE_ROWS && stage->gathers[rows].part[0] != 0) {
        rows++;
    }
    if (!gather(domains, stage, rows)) {
        return false;
    }
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *domain = &domains->part[d];
        Call call = {stage->function,
                     {.particles = &domain->particles,
                      .fluid = &domain->fluid,
                      .boundary = &domain->boundary,
                      .samples = &domain->samples,
                      .mirror = &domain->mirror,
                      .pairs = domain->pairs.data,
                      .arguments = arguments}};
        for (int r = 0; r < rows; r++) {
            call.context.rows[r] = domain->rows[r].data;
        }
        int64_t count = domain->particles.count;
        dlp__parallel_for(domains->parallel, count, piece_size(domains, count), call_stage, &call);
    }
    dlp__profile_add(domains, stage->name, started);
    check_written(domains, stage);
    return true;
}
