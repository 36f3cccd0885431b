#include "stages/stage_runner.h"

#include "neighbors/halo.h"
#include "stages/stage_guard.h"
#include "stages/stage_work.h"

#include <assert.h>
#include <string.h>

/* Number of particles that a thread takes at a time: enough pieces to balance the load, and one piece where threads
 * would cost more than they save. */
static int64_t piece_size(const dlp__Domains *domains, int64_t count)
{
    enum { LEAST = 256, MOST = 4096, WHOLE = 768, PIECES_A_THREAD = 4 };
    int64_t piece = count / (PIECES_A_THREAD * (int64_t)domains->parallel->threads);
    piece = piece < LEAST ? LEAST : piece > MOST ? MOST : piece;
    return count <= WHOLE ? WHOLE : (piece + DLP_GROUP - 1) / DLP_GROUP * DLP_GROUP;
}

/* Source and target of the rows of a stage, in one subdomain. */
typedef struct Packing {
    int count, step;                      /* rows, and floats from that of one particle to that of the next */
    const float *from[DLP_STAGE_ROWS][4]; /* null for a component that is zero */
    float *rows[DLP_STAGE_ROWS];
} Packing;

enum { PACK_BLOCK = 256 };

/* Four arrays to rows, `step` floats apart. Each row is stored at once. */
static void interleave(float *restrict row, int step, const float *const from[4], int64_t count)
{
    const float *restrict x = from[0], *restrict y = from[1], *restrict z = from[2], *restrict w = from[3];
    for (int64_t i = 0; i < count; i++) {
        const float four[4] = {x[i], y[i], z[i], w[i]};
        memcpy(row + step * i, four, sizeof four);
    }
}

static void pack_rows(void *context, int64_t begin, int64_t end)
{
    static const float zeros[PACK_BLOCK];
    const Packing *packing = context;
    for (int r = 0; r < packing->count; r++) {
        for (int64_t i = begin; i < end; i += PACK_BLOCK) {
            const float *from[4];
            for (int c = 0; c < 4; c++) {
                from[c] = packing->from[r][c] != NULL ? packing->from[r][c] + i : zeros;
            }
            interleave(packing->rows[r] + packing->step * i, packing->step, from,
                       end - i < PACK_BLOCK ? end - i : PACK_BLOCK);
        }
    }
}

/* Floats of what a stage gathers from one neighbour at one place. */
static int row_size(const dlp__Stage *stage)
{
    return stage->joins_rows ? 8 : 4;
}

static bool pack_part(dlp__Domains *domains, dlp__Domain *domain, const dlp__Stage *stage, int count)
{
    const dlp__Particles *p = &domain->particles;
    Packing packing = {.count = count, .step = row_size(stage)};
    const int64_t particles = (p->count + p->ghosts) / DLP_GROUP * DLP_GROUP + 2 * (int64_t)DLP_GROUP;
    if (!dlp__buffer_reserve(domains->memory, &domain->gathered_rows, particles, (size_t)count * 4 * sizeof(float))) {
        return false;
    }
    for (int r = 0; r < count; r++) {
        domain->rows[r] = (float *)domain->gathered_rows.data + 4 * r * (stage->joins_rows ? 1 : particles);
        packing.rows[r] = domain->rows[r];
        for (int c = 0; c < 4; c++) {
            const int part = stage->gathers[r].part[c];
            packing.from[r][c] = part != 0 ? dlp__field_array(p, DLP_PART_FIELD(part), DLP_PART_COMPONENT(part)) : NULL;
        }
    }
    dlp__parallel_for(domains->parallel, p->count, piece_size(domains, p->count), pack_rows, &packing);
    return true;
}

static int flags_of(const dlp__Domains *domains, int part)
{
    return part != 0 ? dlp__field_info(&domains->part[0].particles, DLP_PART_FIELD(part))->flags : 0;
}

/* 1 + the component of a row that is velocity along x; 0: none. */
static int velocity_of(const dlp__Domains *domains, const dlp__Row *row)
{
    int component = 0;
    for (int c = 0; c < 4; c++) {
        const bool is_sheared = (flags_of(domains, row->part[c]) & DLP_FIELD_SHEARED) != 0;
        component = is_sheared && DLP_PART_COMPONENT(row->part[c]) == 0 ? c + 1 : component;
    }
    return component;
}

/* A row, which comes last of those that are joined, as ghosts copy it. */
static dlp__HaloRow halo_row(const dlp__Domains *domains, const dlp__Row *row, int number, int size)
{
    dlp__HaloRow of = {.number = number, .size = size};
    for (int c = 0; c < 4; c++) {
        of.shifted[c] = (flags_of(domains, row->part[c]) & DLP_FIELD_SHIFTED) != 0;
        assert(!of.shifted[c] || c < 3);
    }
    return of;
}

/* The fluid neighbours that a stage works on. */
static const dlp__NeighborList *fluid_list(const dlp__Domain *domain, const dlp__Stage *stage)
{
    return stage->short_range ? &domain->near_fluid : &domain->fluid;
}

/* Note the list that pair data are written for; false if the stage reads those of another list. */
static bool uses_list(dlp__PairUse use, const dlp__NeighborList *list, const dlp__NeighborList **written)
{
    *written = use == DLP_PAIRS_WRITTEN ? list : *written;
    return use != DLP_PAIRS_READ || *written == list;
}

/* Fail the step if the lists or the pair data that the stage needs do not exist. */
static void check_lists(dlp__Domains *domains, const dlp__Stage *stage)
{
    if (stage->short_range && domains->short_support == 0.0f) {
        dlp__domains_fail(domains, DLP_ERROR_ARGUMENT, "stage '%s' is short-range, but there is no short radius",
                          stage->name);
    }
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *domain = &domains->part[d];
        const dlp__NeighborList *list = fluid_list(domain, stage);
        if (!uses_list(stage->pair_weights, list, &domain->weights_list)) {
            dlp__domains_fail(domains, DLP_ERROR_ARGUMENT,
                              "stage '%s' reads pair data that were not written for its neighbour lists", stage->name);
        }
    }
}

/* Reserve memory for the pair data of a stage, in one subdomain. */
static bool reserve_pairs(dlp__Domains *domains, dlp__Domain *domain, const dlp__Stage *stage)
{
    const int64_t pairs = dlp__neighbors_entries(fluid_list(domain, stage)) + DLP_GROUP;
    return stage->pair_weights == DLP_PAIRS_UNUSED ||
           dlp__buffer_reserve(domains->memory, &domain->pair_weights, pairs, sizeof(float));
}

static bool reserve_long_rows(dlp__Domains *domains, dlp__Domain *domain, const dlp__Stage *stage)
{
    const dlp__Particles *p = &domain->particles;
    const bool reserved = !stage->writes_long_rows ||
                          dlp__buffer_reserve(domains->memory, &domain->long_rows, p->count + p->ghosts + DLP_GROUP,
                                              DLP_LONG_ROW * sizeof(float));
    domain->rows[DLP_LONG_ROWS] = domain->long_rows.data;
    return reserved;
}

/* What ghosts copy for a stage. */
typedef struct GhostRows {
    dlp__HaloRow row[DLP_STAGE_ROWS + 1];
    int count;
} GhostRows;

static GhostRows ghost_rows(const dlp__Domains *domains, const dlp__Stage *stage, int rows)
{
    /* the first of joined rows may be a velocity, the second has the components that periodic images displace */
    const int first = stage->joins_rows ? 1 : 0;
    GhostRows ghosts = {.count = 0};
    for (int r = first; r < rows; r++) {
        dlp__HaloRow *row = &ghosts.row[ghosts.count++];
        *row = halo_row(domains, &stage->gathers[r], r - first, row_size(stage));
        row->velocity = velocity_of(domains, &stage->gathers[r - first]);
    }
    if (stage->gathers_long_rows) {
        ghosts.row[ghosts.count++] = (dlp__HaloRow){.number = DLP_LONG_ROWS,
                                                    .size = DLP_LONG_ROW,
                                                    .shifted = {true, true, true, false},
                                                    .velocity = stage->long_rows_move ? DLP_LONG_ROW_X + 1 : 0};
    }
    return ghosts;
}

/* Pack the rows that the stage gathers, in all parts, send those that other ranks need, and reserve what it stores. */
static bool gather(dlp__Domains *domains, const dlp__Stage *stage, int rows, const GhostRows *ghosts)
{
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *domain = &domains->part[d];
        if ((rows > 0 && !pack_part(domains, domain, stage, rows)) || !reserve_pairs(domains, domain, stage) ||
            !reserve_long_rows(domains, domain, stage)) {
            return false;
        }
    }
    assert(!stage->joins_rows || rows == 2);
    return dlp__halo_send_rows(domains, ghosts->row, ghosts->count);
}

static void call_stage(void *context, int64_t begin, int64_t end)
{
    const dlp__StageCall *call = context;
    call->stage->function(&call->context, begin, end);
}

/* In debug builds: record the first stage that wrote NaN or infinity. */
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

/* A stage on some groups of particles. */
typedef struct GroupCall {
    const dlp__StageCall *call;
    const int32_t *group;
    int64_t particles;
} GroupCall;

static void call_groups(void *context, int64_t begin, int64_t end)
{
    const GroupCall *job = context;
    while (begin < end) {
        int64_t next = begin + 1; /* consecutive groups at once */
        while (next < end && job->group[next] == job->group[next - 1] + 1) {
            next++;
        }
        const int64_t last = ((int64_t)job->group[next - 1] + 1) * DLP_GROUP;
        job->call->stage->function(&job->call->context, (int64_t)job->group[begin] * DLP_GROUP,
                                   last < job->particles ? last : job->particles);
        begin = next;
    }
}

static void run_groups(dlp__Domains *domains, const dlp__Domain *domain, const dlp__StageCall *call, int64_t begin,
                       int64_t end)
{
    const int64_t grain = piece_size(domains, (end - begin) * DLP_GROUP) / DLP_GROUP;
    GroupCall job = {call, domain->group + begin, domain->particles.count};
    dlp__parallel_for(domains->parallel, end - begin, grain, call_groups, &job);
}

/* While messages are under way, work on the particles that do not need them. */
static void call_while_receiving(dlp__Domains *domains, const dlp__Domain *domain, const dlp__StageCall *call,
                                 const GhostRows *ghosts)
{
    const int64_t groups = (domain->particles.count + DLP_GROUP - 1) / DLP_GROUP;
    run_groups(domains, domain, call, 0, domain->inner_groups);
    dlp__halo_receive_rows(domains, ghosts->row, ghosts->count);
    run_groups(domains, domain, call, domain->inner_groups, groups);
}

static void run_part(dlp__Domains *domains, int part, const dlp__Stage *stage, int rows, const GhostRows *receiving,
                     const void *arguments)
{
    dlp__Domain *domain = &domains->part[part];
    dlp__StageCall call = {
        .stage = stage,
        .context = {.part = part,
                    .particles = &domain->particles,
                    .fluid = fluid_list(domain, stage),
                    .boundary = &domain->boundary,
                    .samples = &domain->samples,
                    .mirror = &domain->mirror,
                    .pair_weights = stage->pair_weights != DLP_PAIRS_UNUSED ? domain->pair_weights.data : NULL,
                    .long_rows = domain->rows[DLP_LONG_ROWS],
                    .arguments = arguments}};
    for (int r = 0; r < rows; r++) {
        call.context.rows[r] = domain->rows[r];
    }
    const int64_t count = domain->particles.count;
    if (receiving != NULL) {
        call_while_receiving(domains, domain, &call, receiving);
    } else if (DLP_STAGE_GUARD) {
        dlp__stage_guard(domains, domain, &call);
    } else {
        dlp__parallel_for(domains->parallel, count, piece_size(domains, count), call_stage, &call);
    }
}

/* Run the stage on all particles; its rows are packed and sent. */
static void run_parts(dlp__Domains *domains, const dlp__Stage *stage, int rows, const GhostRows *ghosts,
                      const void *arguments)
{
    const bool overlaps = dlp__ranks_count(domains->ranks) > 1 && ghosts->count > 0 && !DLP_STAGE_GUARD;
    if (!overlaps) {
        dlp__halo_receive_rows(domains, ghosts->row, ghosts->count);
    }
    for (int d = 0; d < domains->count && dlp__step_is_ok(domains); d++) {
        run_part(domains, d, stage, rows, overlaps ? ghosts : NULL, arguments);
    }
}

static double time_waited(const dlp__Domains *domains)
{
    return domains->ranks != NULL ? domains->ranks->waited : 0.0;
}

void dlp__run(dlp__Domains *domains, const dlp__Stage *stage, const void *arguments)
{
    const double started = dlp__clock(), waited = time_waited(domains);
    int rows = 0;
    while (rows < DLP_STAGE_ROWS && stage->gathers[rows].part[0] != 0) {
        rows++;
    }
    if (dlp__step_is_ok(domains)) {
        check_lists(domains, stage);
    }
    if (!dlp__step_is_ok(domains)) {
        return;
    }
    const GhostRows ghosts = ghost_rows(domains, stage, rows);
    if (!gather(domains, stage, rows, &ghosts)) {
        dlp__domains_fail(domains, DLP_ERROR_MEMORY, "no memory for the work arrays of stage '%s'", stage->name);
        return;
    }
    if (rows > 0) {
        dlp__profile_add_work(domains, &(dlp__StageProfile){.name = "row packing",
                                                            .seconds = dlp__clock() - started,
                                                            .calls = 1,
                                                            .bytes = dlp__stage_packed_bytes(domains, stage, rows)});
    }
    run_parts(domains, stage, rows, &ghosts, arguments);
    dlp__StageProfile work = {.name = stage->name, .seconds = dlp__clock() - started, .calls = 1};
    domains->partition.busy += work.seconds - (time_waited(domains) - waited);
    dlp__stage_add_work(domains, stage, rows, &work);
    dlp__profile_add_work(domains, &work);
    check_written(domains, stage);
}
