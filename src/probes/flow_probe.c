/* Flow through an opening: particles whose way in a substep crosses it are counted, each with its volume. Ways of consecutive
 * substeps join exactly, so no crossing is missed or counted twice. */
#include "probes/probes.h"

#include <math.h>
#include <string.h>

static int64_t slot_of(const dlp__Starts *starts, uint64_t id)
{
    int64_t slot = (int64_t)(((id + 1) * 0x9E3779B97F4A7C15u) >> 20) & (starts->slots - 1);
    while (starts->id[slot] != 0 && starts->id[slot] != id + 1) {
        slot = (slot + 1) & (starts->slots - 1);
    }
    return slot;
}

bool dlp__starts_save(dlp__Starts *starts, const dlp__ProbeInput *input)
{
    const int64_t particles = dlp__domains_particles(input->domains);
    dlp__Memory *memory = input->domains->memory;
    for (starts->slots = 16; starts->slots < 2 * particles; starts->slots *= 2) {}
    if (!dlp__buffer_reserve(memory, &starts->buffer[0], starts->slots, sizeof *starts->id) ||
        !dlp__buffer_reserve(memory, &starts->buffer[1], starts->slots, 3 * sizeof *starts->position)) {
        return false;
    }
    starts->id = starts->buffer[0].data;
    starts->position = starts->buffer[1].data;
    memset(starts->id, 0, (size_t)starts->slots * sizeof *starts->id);
    for (int d = 0; d < input->domains->count; d++) {
        const dlp__Particles *p = &input->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const int64_t slot = slot_of(starts, p->id[0][i]);
            starts->id[slot] = p->id[0][i] + 1;
            for (int a = 0; a < 3; a++) {
                starts->position[3 * slot + a] = p->position[a][i];
            }
        }
    }
    return true;
}

void dlp__starts_release(dlp__Starts *starts, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &starts->buffer[0]);
    dlp__buffer_release(memory, &starts->buffer[1]);
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
            const int64_t slot = slot_of(starts, p->id[0][i]);
            if (starts->id[slot] == 0 || !dlp__probe_counts(&probe->def, p, i)) {
                continue;
            }
            const float *from = starts->position + 3 * slot;
            crossings += count_crossings(&opening, dlp__vec3((double)from[0], (double)from[1], (double)from[2]),
                                         dlp__probe_position(p, i), input->periodic_size);
        }
    }
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
