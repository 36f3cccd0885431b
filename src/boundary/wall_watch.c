#include "boundary/wall_watch.h"

#include "boundary/nearby_solids.h"

#include <float.h>

typedef struct Watch {
    const dlp__Solids *solids;
    const dlp__Domains *domains;
    const dlp_MaterialDef *materials;
    dlp__WatchKind kind;
} Watch;

static float *const *watched_field(const dlp__Particles *p, dlp__WatchKind kind)
{
    return kind == DLP_WATCH_VELOCITY ? p->velocity : p->correction;
}

static bool is_active(const dlp__Solids *solids, const dlp__Domains *domains)
{
    return solids->impulses.count > 0 && dlp__step_is_ok(domains);
}

/* kg. The specific volume of a particle may not be known yet, so it is computed as methods compute it. */
static double mass_of(const Watch *watch, const dlp__Particles *p, int64_t i)
{
    const double spacing = (double)watch->solids->spacing;
    return spacing * spacing * spacing / (double)(float)(1.0 / watch->materials[p->material[0][i]].density);
}

void dlp__add_impulse_to_nearest(const dlp__Solids *solids, dlp__ImpulseSums *sums, dlp_Vec3 point, dlp_Vec3 impulse)
{
    const dlp__NearbySolids every = {.count = solids->count, .all = true};
    dlp__ParticleImpulse of = {.solid = -1};
    dlp__Wall wall;
    const dlp__Solid *solid = dlp__nearest_wall(solids, &every, point, DBL_MAX, &wall);
    if (solid == NULL) {
        return;
    }
    const int index = (int)(solid - solids->solid);
    const dlp_Vec3 surface = dlp__sub(point, dlp__scale(wall.normal, wall.distance));
    const dlp_Vec3 normal = dlp__scale(wall.normal, dlp__dot(impulse, wall.normal));
    dlp__particle_impulse_add(&of, sums, index, DLP_IMPULSE_PRESSURE, normal, surface);
    dlp__particle_impulse_add(&of, sums, index, DLP_IMPULSE_VISCOUS, dlp__sub(impulse, normal), surface);
    dlp__particle_impulse_flush(&of, sums);
}

void dlp__wall_watch_begin(dlp__Solids *solids, dlp__Domains *domains, dlp__WatchKind kind)
{
    for (int d = 0; d < domains->count && is_active(solids, domains); d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        dlp__Buffer *buffer = &solids->impulses.before[d];
        const bool ok = dlp__buffer_reserve(domains->memory, buffer, 3 * p->count + 1, sizeof(float));
        dlp__require_memory(domains, ok, "wall impulses");
        float *before = buffer->data;
        for (int a = 0; a < 3 && ok; a++) {
            const float *field = watched_field(p, kind)[a];
            for (int64_t i = 0; i < p->count; i++) {
                before[a * p->count + i] = field[i];
            }
        }
    }
}

static void add_changes(const void *context, int part, int64_t begin, int64_t end, dlp__ImpulseSums *sums)
{
    const Watch *watch = context;
    const dlp__Particles *p = &watch->domains->part[part].particles;
    const float *before = watch->solids->impulses.before[part].data;
    float *const *field = watched_field(p, watch->kind);
    const double per_change = watch->kind == DLP_WATCH_VELOCITY ? 1.0 : 1.0 / (double)(float)watch->solids->dt;
    for (int64_t i = begin; i < end; i++) {
        const dlp_Vec3 change = dlp__vec3((double)field[0][i] - (double)before[i],
                                          (double)field[1][i] - (double)before[p->count + i],
                                          (double)field[2][i] - (double)before[2 * p->count + i]);
        if (change.x != 0.0 || change.y != 0.0 || change.z != 0.0) {
            const double factor = -mass_of(watch, p, i) * per_change;
            dlp__add_impulse_to_nearest(watch->solids, sums, dlp__particle_position(p, i), dlp__scale(change, factor));
        }
    }
}

static void sum_watched(dlp__Solids *solids, dlp__Domains *domains, const Watch *watch, dlp__ImpulseFunction add)
{
    dlp__require_memory(domains, dlp__wall_impulses_sum(&solids->impulses, domains, add, watch), "wall impulses");
}

void dlp__wall_watch_end(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials,
                         dlp__WatchKind kind)
{
    if (is_active(solids, domains)) {
        sum_watched(solids, domains, &(Watch){solids, domains, materials, kind}, add_changes);
    }
}

static void add_samples(const void *context, int part, int64_t begin, int64_t end, dlp__ImpulseSums *sums)
{
    const Watch *watch = context;
    const dlp__Domain *domain = &watch->domains->part[part];
    const dlp__Samples *samples = &domain->samples;
    for (int64_t i = begin; i < end && samples->displacement[0] != NULL; i++) {
        const double factor = -mass_of(watch, &domain->particles, i) / (double)(float)watch->solids->dt;
        dlp__ParticleImpulse of = {.solid = -1};
        for (int32_t k = 0; k < domain->boundary.count[i]; k++) {
            const int64_t row = dlp__neighbors_entry(&domain->boundary, i, k) - domain->boundary.entry;
            const float *at = samples->position_volume + 4 * row;
            const dlp_Vec3 move = dlp__vec3((double)samples->displacement[0][row],
                                            (double)samples->displacement[1][row],
                                            (double)samples->displacement[2][row]);
            if (samples->solid[row] >= 0) {
                dlp__particle_impulse_add(&of, sums, samples->solid[row], DLP_IMPULSE_PRESSURE,
                                          dlp__scale(move, factor),
                                          dlp__vec3((double)at[0], (double)at[1], (double)at[2]));
            }
        }
        dlp__particle_impulse_flush(&of, sums);
    }
}

void dlp__wall_watch_samples(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials)
{
    if (is_active(solids, domains)) {
        sum_watched(solids, domains, &(Watch){solids, domains, materials, DLP_WATCH_MOVES}, add_samples);
    }
}
