/* Flow through an opening: particles whose way in a substep crosses it are counted, each with its volume. Ways of consecutive
 * substeps join exactly, so no crossing is missed or counted twice. */
#include "probes/probes.h"

#include <math.h>
#include <string.h>

static int64_t slot_of(const dlp__PositionTable *table, uint64_t id)
{
    int64_t slot = (int64_t)(((id + 1) * 0x9E3779B97F4A7C15u) >> 20) & (table->slots - 1);
    while (table->id[slot] != 0 && table->id[slot] != id + 1) {
        slot = (slot + 1) & (table->slots - 1);
    }
    return slot;
}

/* An empty table for `count` particles. */
static bool clear_table(dlp__PositionTable *table, dlp__Memory *memory, int64_t count)
{
    for (table->slots = 16; table->slots < 2 * count; table->slots *= 2) {}
    if (!dlp__buffer_reserve(memory, &table->buffer[0], table->slots, sizeof *table->id) ||
        !dlp__buffer_reserve(memory, &table->buffer[1], table->slots, 3 * sizeof *table->position)) {
        return false;
    }
    table->id = table->buffer[0].data;
    table->position = table->buffer[1].data;
    memset(table->id, 0, (size_t)table->slots * sizeof *table->id);
    return true;
}

static void insert(dlp__PositionTable *table, uint64_t id, const float position[3])
{
    const int64_t slot = slot_of(table, id);
    table->id[slot] = id + 1;
    memcpy(table->position + 3 * slot, position, 3 * sizeof *position);
}

/* Null if it is not there. */
static const float *find(const dlp__PositionTable *table, uint64_t id)
{
    const int64_t slot = slot_of(table, id);
    return table->id[slot] != 0 ? table->position + 3 * slot : NULL;
}

bool dlp__starts_save(dlp__Starts *starts, const dlp__ProbeInput *input)
{
    dlp__Memory *memory = input->domains->memory;
    if (!clear_table(&starts->here, memory, dlp__domains_own_particles(input->domains)) ||
        !clear_table(&starts->migrated, memory, 0)) {
        return false;
    }
    for (int d = 0; d < input->domains->count; d++) {
        const dlp__Particles *p = &input->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const float position[3] = {p->position[0][i], p->position[1][i], p->position[2][i]};
            insert(&starts->here, p->id[0][i], position);
        }
    }
    return true;
}

typedef struct Start {
    uint64_t id;
    float position[3];
} Start;

/* The ids of all particles that are not on the rank where the substep began with them; `count` of them. Null without memory. */
static const uint64_t *gather_migrated(const dlp__Starts *starts, dlp__Domains *domains, int64_t *count)
{
    const dlp__Particles *p = &domains->part[0].particles;
    uint64_t *lost = dlp__arena_take(&domains->arena, p->count + 1, sizeof *lost);
    int64_t own = 0, bytes = 0;
    for (int64_t i = 0; i < p->count && lost != NULL; i++) {
        if (find(&starts->here, p->id[0][i]) == NULL) {
            lost[own++] = p->id[0][i];
        }
    }
    const uint64_t *all = lost == NULL ? NULL
                                       : dlp__exchange_gather(&domains->gathered, domains->memory, domains->ranks, lost,
                                                              own * (int64_t)sizeof *lost, &bytes);
    *count = bytes / (int64_t)sizeof *lost;
    return all;
}

/* Every rank tells all others where the lost particles that it had started. */
bool dlp__starts_follow(dlp__Starts *starts, const dlp__ProbeInput *input)
{
    dlp__Domains *domains = input->domains;
    int64_t lost = 0, own = 0, bytes = 0;
    if (dlp__ranks_count(domains->ranks) == 1) {
        return true;
    }
    const uint64_t *id = gather_migrated(starts, domains, &lost);
    Start *start = dlp__arena_take(&domains->arena, lost + 1, sizeof *start);
    if (id == NULL || start == NULL) {
        return false;
    }
    for (int64_t n = 0; n < lost; n++) {
        const float *position = find(&starts->here, id[n]);
        if (position != NULL) {
            start[own++] = (Start){id[n], {position[0], position[1], position[2]}};
        }
    }
    const Start *all = dlp__exchange_gather(&domains->gathered, domains->memory, domains->ranks, start,
                                            own * (int64_t)sizeof *start, &bytes);
    const int64_t count = bytes / (int64_t)sizeof *start;
    if (all == NULL || !clear_table(&starts->migrated, domains->memory, count)) {
        return false;
    }
    for (int64_t n = 0; n < count; n++) {
        insert(&starts->migrated, all[n].id, all[n].position);
    }
    return true;
}

static void release_table(dlp__PositionTable *table, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &table->buffer[0]);
    dlp__buffer_release(memory, &table->buffer[1]);
}

void dlp__starts_release(dlp__Starts *starts, dlp__Memory *memory)
{
    release_table(&starts->here, memory);
    release_table(&starts->migrated, memory);
}

/* An opening with its axes. */
typedef struct Opening {
    const dlp_ProbeDef *def;
    dlp_Vec3 normal, across, up; /* unit vectors; `across` is horizontal where that is possible */
} Opening;

static Opening opening_of(const dlp_ProbeDef *def)
{
    const dlp_Vec3 normal = dlp__unit(def->direction);
    dlp_Vec3 across = dlp__cross(dlp__vec3(0.0, 0.0, 1.0), normal);
    across = dlp__length(across) > 1e-6 ? dlp__unit(across) : dlp__vec3(1.0, 0.0, 0.0);
    return (Opening){def, normal, across, dlp__cross(normal, across)};
}

static bool is_within(const Opening *opening, dlp_Vec3 offset)
{
    const dlp_ProbeDef *def = opening->def;
    const double u = dlp__dot(offset, opening->across), v = dlp__dot(offset, opening->up);
    switch (def->shape) {
    case DLP_PROBE_DISC: return u * u + v * v < def->radius * def->radius;
    case DLP_PROBE_RECTANGLE: return fabs(u) < 0.5 * def->width && fabs(v) < 0.5 * def->height;
    default: return true;
    }
}

/* 1 if the way crosses the opening along its direction, -1 if against it, else 0. */
static int crossing(const Opening *opening, dlp_Vec3 from, dlp_Vec3 to)
{
    const dlp_Vec3 a = dlp__sub(from, opening->def->position), b = dlp__sub(to, opening->def->position);
    const double before = dlp__dot(a, opening->normal), after = dlp__dot(b, opening->normal);
    if ((before < 0.0) == (after < 0.0)) {
        return 0;
    }
    const double share = before / (before - after);
    const dlp_Vec3 at = dlp__add(a, dlp__scale(dlp__sub(b, a), share));
    return !is_within(opening, at) ? 0 : after < 0.0 ? -1 : 1;
}

/* The shortest of the equivalent displacements along a periodic axis. */
static double shortest(double way, double period)
{
    return period > 0.0 ? way - period * nearbyint(way / period) : way;
}

static int count_crossings(const Opening *opening, dlp_Vec3 from, dlp_Vec3 to, dlp_Vec3 period)
{
    const dlp_Vec3 straight = dlp__sub(to, from);
    const dlp_Vec3 way = dlp__vec3(shortest(straight.x, period.x), shortest(straight.y, period.y),
                                   shortest(straight.z, period.z));
    const bool wrapped = way.x != straight.x || way.y != straight.y || way.z != straight.z;
    if (!wrapped) {
        return crossing(opening, from, to);
    }
    return crossing(opening, from, dlp__add(from, way)) + crossing(opening, dlp__sub(to, way), to);
}

void dlp__flow_probe_end(dlp__Probe *probe, const dlp__ProbeInput *input, const dlp__Starts *starts)
{
    const Opening opening = opening_of(&probe->def);
    int64_t crossings = 0;
    for (int d = 0; d < input->domains->count; d++) {
        const dlp__Particles *p = &input->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const float *here = find(&starts->here, p->id[0][i]);
            const float *from = here != NULL ? here : find(&starts->migrated, p->id[0][i]);
            if (from == NULL || !dlp__probe_counts(&probe->def, p, i)) {
                continue;
            }
            crossings += count_crossings(&opening, dlp__vec3((double)from[0], (double)from[1], (double)from[2]),
                                         dlp__probe_position(p, i), input->periodic_size);
        }
    }
    crossings = dlp__ranks_sum(input->domains->ranks, crossings);
    const double volume = (double)crossings * input->spacing * input->spacing * input->spacing;
    probe->state.volume += volume;
    probe->state.total += volume;
}

void dlp__flow_probe_sample(dlp__Probe *probe)
{
    probe->values[1] = probe->state.volume / probe->state.elapsed;
    probe->values[2] = probe->state.total;
    probe->state.volume = 0.0;
}
