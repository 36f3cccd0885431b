/* The parts of the world: cell ownership, migration of particles, sorting, and the lists. */
#include "neighbors/domain.h"

#include "base/error.h"
#include "neighbors/halo.h"

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
        dlp__particles_release(&part->particles);
    }
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
    }
    return domains->failure;
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

int64_t dlp__domains_particles(const dlp__Domains *domains)
{
    int64_t total = 0;
    for (int i = 0; i < domains->count; i++) {
        total += domains->part[i].particles.count;
    }
    return total;
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

static void key_particles(void *context, int64_t begin, int64_t end)
{
    const Keying *k = context;
    dlp__Particles *p = k->particles;
    for (int64_t i = begin; i < end; i++) {
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

/* Memory for the keys of one part's particles; the old ones are kept. */
static uint64_t *reserve_keys(dlp__Domains *domains, dlp__Domain *part, int64_t kept)
{
    int64_t count = part->particles.count;
    bool ok = dlp__buffer_grow(domains->memory, &part->keys, kept * (int64_t)sizeof(uint64_t), count + DLP_GROUP,
                               sizeof(uint64_t));
    return ok ? part->keys.data : NULL;
}

/* Ownership. Parts are boxes of cells, found by recursive bisection of the particles along the longest axis. */

static bool box_has(const dlp__Domain *part, dlp__Cell cell)
{
    return cell.x >= part->lower[0] && cell.x < part->upper[0] && cell.y >= part->lower[1] && cell.y < part->upper[1] &&
           cell.z >= part->lower[2] && cell.z < part->upper[2];
}

static int32_t coordinate(dlp__Cell cell, int axis)
{
    return axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
}

/* Count the particles of all parts whose cell lies in the box and, along `axis`, below `limit`. */
static int64_t count_below(const dlp__Domains *domains, const dlp__Domain *box, int axis, int32_t limit)
{
    int64_t below = 0;
    for (int d = 0; d < domains->count; d++) {
        const uint64_t *keys = domains->part[d].keys.data;
        for (int64_t i = 0; i < domains->part[d].particles.count; i++) {
            dlp__Cell cell = dlp__cell_of_key(keys[i]);
            below += keys[i] != DLP_CELL_DEAD && box_has(box, cell) && coordinate(cell, axis) < limit;
        }
    }
    return below;
}

/* The axis of the largest extent of the particles in the box, and its range. */
static int longest_axis(const dlp__Domains *domains, const dlp__Domain *box, int32_t *least, int32_t *most)
{
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (int d = 0; d < domains->count; d++) {
        const uint64_t *keys = domains->part[d].keys.data;
        for (int64_t i = 0; i < domains->part[d].particles.count; i++) {
            dlp__Cell cell = dlp__cell_of_key(keys[i]);
            for (int a = 0; keys[i] != DLP_CELL_DEAD && box_has(box, cell) && a < 3; a++) {
                int32_t c = coordinate(cell, a);
                low[a] = c < low[a] ? c : low[a];
                high[a] = c > high[a] ? c : high[a];
            }
        }
    }
    int axis = 0;
    for (int a = 1; a < 3; a++) {
        axis = (int64_t)high[a] - low[a] > (int64_t)high[axis] - low[axis] ? a : axis;
    }
    *least = low[axis];
    *most = high[axis];
    return axis;
}

/* Cut part `first` in two and give the upper half to part `second`. */
static void cut_box(dlp__Domains *domains, int first, int second)
{
    dlp__Domain *box = &domains->part[first], *half = &domains->part[second];
    int32_t least = 0, most = 0;
    int axis = longest_axis(domains, box, &least, &most);
    int64_t total = count_below(domains, box, axis, INT32_MAX);
    int32_t low = least, high = most; /* the smallest limit with at least half of them below */
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (2 * count_below(domains, box, axis, middle + 1) >= total) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    int32_t cut = total > 0 ? low + 1 : box->lower[axis] + 1;
    memcpy(half->lower, box->lower, sizeof half->lower);
    memcpy(half->upper, box->upper, sizeof half->upper);
    half->lower[axis] = box->upper[axis] = cut < box->upper[axis] ? cut : box->upper[axis];
}

static void cut_boxes(dlp__Domains *domains)
{
    for (int a = 0; a < 3; a++) {
        int32_t cells = (int32_t)domains->frame.periodic[a];
        domains->part[0].lower[a] = cells > 0 ? 0 : -DLP_CELL_LIMIT - 1;
        domains->part[0].upper[a] = cells > 0 ? cells : DLP_CELL_LIMIT + 2;
    }
    for (int parts = 1; parts < domains->count; parts *= 2) {
        for (int i = 0; i < parts; i++) {
            cut_box(domains, i, parts + i);
        }
    }
    domains->cut = true;
}

/* Repartition when the largest part holds a third more than its share. */
static bool out_of_balance(const dlp__Domains *domains)
{
    int64_t total = dlp__domains_particles(domains), most = 0;
    for (int i = 0; i < domains->count; i++) {
        most = domains->part[i].particles.count > most ? domains->part[i].particles.count : most;
    }
    return most * domains->count * 3 > (total + 4096) * 4;
}

static int owner_of(const dlp__Domains *domains, dlp__Cell cell)
{
    int owner = 0;
    while (owner < domains->count - 1 && !box_has(&domains->part[owner], cell)) {
        owner++;
    }
    return owner;
}

/* Move particles to the part that owns their cell; the originals are marked dead. */
static bool migrate(dlp__Domains *domains)
{
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *from = &domains->part[d];
        int64_t count = from->particles.count;
        for (int64_t i = 0; i < count; i++) {
            uint64_t key = ((uint64_t *)from->keys.data)[i];
            if (key == DLP_CELL_DEAD || box_has(from, dlp__cell_of_key(key))) {
                continue;
            }
            dlp__Domain *to = &domains->part[owner_of(domains, dlp__cell_of_key(key))];
            int64_t kept = to->particles.count, index = dlp__particles_add(&to->particles, 1);
            uint64_t *keys = index >= 0 ? reserve_keys(domains, to, kept) : NULL;
            if (keys == NULL) {
                return false;
            }
            dlp__particles_copy(&to->particles, index, &from->particles, i);
            keys[index] = key;
            ((uint64_t *)from->keys.data)[i] = DLP_CELL_DEAD;
        }
    }
    return true;
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
        Keying keying = {&domains->frame, &part->particles, reserve_keys(domains, part, 0), is_dead, context};
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
    if (!domains->cut || out_of_balance(domains)) {
        cut_boxes(domains);
    }
    bool ok = domains->count == 1 || migrate(domains);
    for (int d = 0; ok && d < domains->count; d++) {
        ok = sort_part(domains, &domains->part[d]);
    }
    ok = ok && dlp__halo_build(domains);
    if (!ok) {
        fail_without_memory(domains);
        return;
    }
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

void dlp__domains_update(dlp__Domains *domains, int64_t *removed)
{
    *removed = 0;
    sort_particles(domains, removed);
    double started = dlp__clock();
    for (int d = 0; d < domains->count && dlp__step_is_ok(domains); d++) {
        if (!find_neighbors(domains, &domains->part[d])) {
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
    return sqrt((double)square);
}

bool dlp__domains_have_images(const dlp__Domains *domains)
{
    for (int d = 0; d < domains->count; d++) {
        if (dlp__neighbors_entries(&domains->part[d].mirror.list) > 0) {
            return true;
        }
    }
    return false;
}
