#include "neighbors/stage_runner.h"

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

typedef struct Packing {
    const float *from[4]; /* null: zero */
    float *rows;
} Packing;

static void pack_rows(void *context, int64_t begin, int64_t end)
{
    const Packing *packing = context;
    for (int c = 0; c < 4; c++) {
        const float *from = packing->from[c];
        float *to = packing->rows + c;
        if (from != NULL) {
            for (int64_t i = begin; i < end; i++) {
                to[4 * i] = from[i];
            }
        } else {
            for (int64_t i = begin; i < end; i++) {
                to[4 * i] = 0.0f;
            }
        }
    }
}

/* Pack one gathered row of all parts, then let ghosts have theirs. */
static bool gather_row(dlp__Domains *domains, const dlp__Row *row, int number)
{
    bool shifted[4] = {false};
    for (int c = 0; c < 4; c++) {
        int part = row->part[c];
        assert(part == 0 || c < 3 || (dlp__field_info(DLP_PART_FIELD(part))->flags & DLP_FIELD_SHIFTED) == 0);
        shifted[c] = part != 0 && (dlp__field_info(DLP_PART_FIELD(part))->flags & DLP_FIELD_SHIFTED) != 0;
    }
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *domain = &domains->part[d];
        const dlp__Particles *p = &domain->particles;
        if (!dlp__buffer_reserve(domains->memory, &domain->rows[number], p->count + p->ghosts + DLP_GROUP,
                                 4 * sizeof(float))) {
            return false;
        }
        Packing packing = {.rows = domain->rows[number].data};
        for (int c = 0; c < 4; c++) {
            int part = row->part[c];
            packing.from[c] = part != 0 ? dlp__field_array(p, DLP_PART_FIELD(part), DLP_PART_COMPONENT(part)) : NULL;
        }
        dlp__parallel_for(domains->parallel, p->count, piece_size(domains, p->count), pack_rows, &packing);
    }
    dlp__halo_fill_rows(domains, number, shifted);
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
        if (!gather_row(domains, &stage->gathers[rows], rows)) {
            return false;
        }
        rows++;
    }
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *domain = &domains->part[d];
        Call call = {stage->function,
                     {.particles = &domain->particles,
                      .fluid = &domain->fluid,
                      .boundary = &domain->boundary,
                      .samples = &domain->samples,
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
