/* The parts of the world: cell ownership, migration of particles, sorting, and the lists. */
#include "neighbors/domain.h"

#include "base/error.h"
#include "neighbors/halo.h"
#include "neighbors/partition.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

void dlp__domains_init(dlp__Domains *domains, dlp__Memory *memory, dlp__Parallel *parallel, int count,
                       const dlp__FieldTable *own, const dlp__FieldId *fields)
{
    memset(domains, 0, sizeof *domains);
    domains->memory = memory;
    domains->parallel = parallel;
    domains->ranks = parallel->ranks;
    domains->count = count;
    domains->ghost_layers = 1;
    dlp__arena_init(&domains->arena, memory);
    for (int i = 0; i < count; i++) {
        dlp__particles_init(&domains->part[i].particles, memory, own, fields);
    }
}

void dlp__domains_release(dlp__Domains *domains)
{
    for (int i = 0; i < domains->count; i++) {
        dlp__Domain *part = &domains->part[i];
        dlp__Memory *memory = domains->memory;
        dlp__buffer_release(memory, &part->gathered_rows);
        dlp__buffer_release(memory, &part->long_rows);
        for (int b = 0; b < 4; b++) {
            dlp__buffer_release(memory, &part->samples.buffer[b]);
        }
        for (int b = 0; b < 2; b++) {
            dlp__buffer_release(memory, &part->reactions.buffer[b]);
        }
        dlp__grouping_release(&part->reactions.by_body, memory);
        dlp__grouping_release(&part->mirror.rows_by_body, memory);
        dlp__grouping_release(&part->by_warm_body, memory);
        dlp__buffer_release(memory, &part->pair_weights);
        dlp__halo_release(&part->halo, memory);
        dlp__buffer_release(memory, &part->keys);
        dlp__neighbors_release(&part->boundary, memory);
        dlp__neighbors_release(&part->mirror.list, memory);
        for (int n = 0; n < 4; n++) {
            dlp__buffer_release(memory, &part->mirror.buffer[n]);
        }
        dlp__buffer_release(memory, &part->mirror.rows);
        dlp__buffer_release(memory, &part->mirror.velocities);
        dlp__neighbors_release(&part->near_fluid, memory);
        dlp__neighbors_release(&part->fluid, memory);
        dlp__cells_release(&part->grid, memory);
        dlp__buffer_release(memory, &part->group_buffer);
        dlp__particles_release(&part->particles);
    }
    dlp__partition_release(domains);
    dlp__exchange_release(&domains->gathered, domains->memory);
    dlp__arena_release(&domains->arena);
}

void dlp__domains_begin_step(dlp__Domains *domains)
{
    dlp__arena_reset(&domains->arena);
    domains->failure = DLP_OK;
}

dlp_Result dlp__domains_fail(dlp__Domains *domains, dlp_Result failure, const char *format, ...)
{
    if (domains->failure == DLP_OK) {
        va_list arguments;
        va_start(arguments, format);
        domains->failure = dlp__fail_with(domains->error, failure, format, arguments);
        va_end(arguments);
        if (failure == DLP_ERROR_MEMORY) { /* other failures occur on all ranks */
            dlp__ranks_fail(domains->ranks, domains->error != NULL ? domains->error->text : "");
        }
    }
    return domains->failure;
}

bool dlp__domains_add_fields(dlp__Domains *domains, const dlp__FieldId *fields)
{
    bool ok = true;
    for (int d = 0; d < domains->count && ok; d++) {
        ok = dlp__particles_add_fields(&domains->part[d].particles, fields);
    }
    return ok;
}

void dlp__require_memory(dlp__Domains *domains, bool ok, const char *what)
{
    if (!ok) {
        dlp__domains_fail(domains, DLP_ERROR_MEMORY, "no memory for %s", what);
    }
}

void *dlp__step_scratch(dlp__Domains *domains, int64_t count, size_t size, const char *what)
{
    void *taken = dlp__arena_take(&domains->arena, count, size);
    dlp__require_memory(domains, taken != NULL, what);
    return taken;
}

int64_t dlp__domains_own_particles(const dlp__Domains *domains)
{
    int64_t total = 0;
    for (int i = 0; i < domains->count; i++) {
        total += domains->part[i].particles.count;
    }
    return total;
}

int64_t dlp__domains_particles(const dlp__Domains *domains)
{
    return dlp__domains_own_particles(domains) + domains->remote_count;
}

void dlp__domains_count(dlp__Domains *domains)
{
    const int64_t own = dlp__domains_own_particles(domains);
    domains->remote_count = dlp__ranks_sum(domains->ranks, own) - own;
}

void dlp__profile_add_work(dlp__Domains *domains, const dlp__StageProfile *work)
{
    int i = 0;
    while (i < domains->profiled && strcmp(domains->profile[i].name, work->name) != 0) {
        i++;
    }
    if (i == domains->profiled) {
        if (i == DLP_PROFILE_MOST) {
            return;
        }
        domains->profile[domains->profiled++] = (dlp__StageProfile){.name = work->name};
    }
    dlp__StageProfile *sum = &domains->profile[i];
    sum->seconds += work->seconds;
    sum->calls += work->calls;
    sum->bytes += work->bytes;
    sum->pairs += work->pairs;
}

void dlp__profile_add(dlp__Domains *domains, const char *name, double started)
{
    dlp__profile_add_work(domains, &(dlp__StageProfile){.name = name, .seconds = dlp__clock() - started, .calls = 1});
}

/* Where particles are: wrapped into the periodic box, and the cell of each. */

typedef struct Keying {
    const dlp__CellFrame *frame;
    dlp__Particles *particles;
    uint64_t *keys;
    dlp__DeadFunction is_dead;
    const void *context;
} Keying;

/* A particle that left a sheared box through a z face continues as its image in the box: displaced along x, with the velocity of its new
 * place. It is wrapped along z and x afterwards. */
static void cross_sheared_faces(const dlp__CellFrame *frame, dlp__Particles *p, int64_t i)
{
    const double turns = floor(((double)p->position[2][i] - frame->origin[2]) / frame->period[2]);
    if (turns == 0.0) {
        return;
    }
    p->position[0][i] = (float)((double)p->position[0][i] - turns * frame->shear.offset);
    if (dlp__particles_have(p, DLP_FIELD_velocity)) {
        p->velocity[0][i] = (float)((double)p->velocity[0][i] - turns * frame->shear.jump);
    }
}

static void key_particles(void *context, int64_t begin, int64_t end)
{
    const Keying *k = context;
    dlp__Particles *p = k->particles;
    const bool is_sheared = dlp__is_sheared(k->frame);
    for (int64_t i = begin; i < end; i++) {
        if (is_sheared) {
            cross_sheared_faces(k->frame, p, i);
        }
        for (int a = 0; a < 3; a++) {
            if (k->frame->periodic[a] > 0) {
                double from = (double)p->position[a][i] - k->frame->origin[a];
                double turns = floor(from / k->frame->period[a]);
                if (turns != 0.0) {
                    p->position[a][i] = (float)(k->frame->origin[a] + (from - turns * k->frame->period[a]));
                    if (dlp__particles_have(p, DLP_FIELD_reference)) { /* stays where it was from the position */
                        p->reference[a][i] -= (float)(turns * k->frame->period[a]);
                    }
                }
            }
        }
        float x = p->position[0][i], y = p->position[1][i], z = p->position[2][i];
        bool dead = k->is_dead != NULL && k->is_dead(k->context, x, y, z);
        k->keys[i] = dead ? DLP_CELL_DEAD : dlp__cell_key(dlp__cell_at(k->frame, x, y, z));
    }
}

uint64_t *dlp__reserve_keys(dlp__Domains *domains, dlp__Domain *part, int64_t kept)
{
    int64_t count = part->particles.count;
    bool ok = dlp__buffer_grow(domains->memory, &part->keys, kept * (int64_t)sizeof(uint64_t), count + DLP_GROUP,
                               sizeof(uint64_t));
    return ok ? part->keys.data : NULL;
}

static bool sort_part(dlp__Domains *domains, dlp__Domain *part)
{
    return dlp__cell_sort(&part->gathered_rows, &part->particles, domains->parallel, part->keys.data) &&
           dlp__cells_list(&part->grid, domains->memory, part->keys.data, part->particles.count);
}

static void fail_without_memory(dlp__Domains *domains)
{
    dlp__domains_fail(domains, DLP_ERROR_MEMORY,
                      "no memory for the neighbours of %lld particles (%lld MiB are in use): use a larger spacing, a "
                      "smaller support, or check that particles are not piled up in one place",
                      (long long)dlp__domains_particles(domains), (long long)(domains->memory->bytes >> 20));
}

/* Find the cell of every particle that is not dead. */
static void locate(dlp__Domains *domains, dlp__DeadFunction is_dead, const void *context)
{
    for (int d = 0; d < domains->count && dlp__step_is_ok(domains); d++) {
        dlp__Domain *part = &domains->part[d];
        Keying keying = {&domains->frame, &part->particles, dlp__reserve_keys(domains, part, 0), is_dead, context};
        if (keying.keys == NULL) {
            fail_without_memory(domains);
            return;
        }
        dlp__parallel_for(domains->parallel, part->particles.count, DLP_SUM_BLOCK, key_particles, &keying);
    }
    domains->located = true;
}

void dlp__domains_remove(dlp__Domains *domains, dlp__DeadFunction is_dead, const void *context)
{
    double started = dlp__clock();
    locate(domains, is_dead, context);
    dlp__profile_add(domains, "sort", started);
}

static void sort_particles(dlp__Domains *domains, int64_t *removed)
{
    double started = dlp__clock();
    int64_t before = dlp__domains_particles(domains);
    if (!domains->located) {
        locate(domains, NULL, NULL);
    }
    domains->located = false;
    if (!dlp__step_is_ok(domains)) {
        return;
    }
    bool ok = dlp__partition_update(domains) && dlp__migrate(domains);
    for (int d = 0; ok && d < domains->count; d++) {
        ok = sort_part(domains, &domains->part[d]);
    }
    ok = ok && dlp__halo_build(domains);
    if (!ok) {
        fail_without_memory(domains);
        return;
    }
    dlp__domains_count(domains);
    *removed = before - dlp__domains_particles(domains);
    domains->removed += *removed;
    dlp__profile_add(domains, "sort", started);
}

static bool find_neighbors(dlp__Domains *domains, dlp__Domain *part)
{
    assert(domains->short_support <= domains->support);
    return dlp__neighbors_find(&part->fluid, &part->particles, &part->grid, domains->parallel, &domains->arena,
                               domains->support, domains->width) &&
           (domains->short_support == 0.0f ||
            dlp__neighbors_filter(&part->near_fluid, &part->fluid, &part->particles, domains->parallel,
                                  domains->short_support, domains->width));
}

/* Whether ghosts may matter to particle i: its cell is within their reach of the surface of its part. */
static bool is_near_ghosts(const dlp__Domains *domains, const dlp__Domain *part, int64_t i)
{
    const dlp__Cell cell = dlp__cell_of_key(((const uint64_t *)part->keys.data)[i]);
    const int32_t at[3] = {cell.x, cell.y, cell.z}, layers = domains->ghost_layers;
    bool near = false;
    for (int a = 0; a < 3; a++) {
        near = near || at[a] < part->lower[a] + layers || at[a] >= part->upper[a] - layers;
    }
    return near;
}

/* With several ranks: the groups of particles that need no ghosts, then the others. */
static bool list_groups(dlp__Domains *domains, dlp__Domain *part)
{
    const int64_t particles = part->particles.count, count = (particles + DLP_GROUP - 1) / DLP_GROUP;
    if (dlp__ranks_count(domains->ranks) == 1) {
        return true;
    }
    if (!dlp__buffer_reserve(domains->memory, &part->group_buffer, count + 1, sizeof *part->group)) {
        return false;
    }
    part->group = part->group_buffer.data;
    part->inner_groups = 0;
    int64_t outer = count;
    for (int64_t group = count - 1; group >= 0; group--) {
        const int64_t end = (group + 1) * DLP_GROUP < particles ? (group + 1) * DLP_GROUP : particles;
        bool near = false;
        for (int64_t i = group * DLP_GROUP; i < end && !near; i++) {
            near = is_near_ghosts(domains, part, i);
        }
        if (near) {
            part->group[--outer] = (int32_t)group;
        }
    }
    for (int64_t group = 0, next = outer; group < count; group++) {
        if (next < count && part->group[next] == group) {
            next++;
        } else {
            part->group[part->inner_groups++] = (int32_t)group;
        }
    }
    return true;
}

void dlp__domains_update(dlp__Domains *domains, int64_t *removed)
{
    *removed = 0;
    sort_particles(domains, removed);
    double started = dlp__clock();
    for (int d = 0; d < domains->count && dlp__step_is_ok(domains); d++) {
        if (!find_neighbors(domains, &domains->part[d]) || !list_groups(domains, &domains->part[d])) {
            fail_without_memory(domains);
        }
    }
    dlp__profile_add(domains, "neighbors", started);
}

double dlp__domains_max_speed(const dlp__Domains *domains, dlp__ParticleFilter counts, const void *context)
{
    float square = 0.0f;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const float x = p->velocity[0][i], y = p->velocity[1][i], z = p->velocity[2][i];
            square = counts == NULL || counts(context, p, i) ? fmaxf(square, x * x + y * y + z * z) : square;
        }
    }
    return sqrt(dlp__ranks_most(domains->ranks, (double)square));
}

bool dlp__domains_have_images(const dlp__Domains *domains)
{
    int64_t entries = 0;
    for (int d = 0; d < domains->count; d++) {
        entries += dlp__neighbors_entries(&domains->part[d].mirror.list);
    }
    return dlp__ranks_any(domains->ranks, entries > 0);
}
