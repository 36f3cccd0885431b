/* Contact of companions with solids: particles keep half a spacing away, where the surface of a companion's material
 * is. */
#include "companions/companions.h"
#include "boundary/nearby_solids.h"

typedef struct Contact {
    const dlp__Solids *solids;
    dlp__Particles *p;
} Contact;

static void push_particle(const Contact *contact, int64_t i, const dlp__NearbySolids *near)
{
    const double clearance = 0.5 * (double)contact->solids->spacing;
    dlp__Particles *p = contact->p;
    for (int k = 0; k < near->count; k++) {
        dlp__Wall wall[DLP_SHAPE_WALLS];
        const dlp_Vec3 point = dlp__particle_position(p, i);
        const int walls = dlp__shape_walls(&contact->solids->solid[dlp__nearby_index(near, k)].shape, point, clearance,
                                           wall);
        for (int w = 0; w < walls; w++) {
            const double depth = clearance - wall[w].distance;
            const dlp_Vec3 way = dlp__scale(wall[w].normal, depth > 0.0 ? depth : 0.0);
            const float step[3] = {(float)way.x, (float)way.y, (float)way.z};
            for (int a = 0; a < 3; a++) {
                p->position[a][i] += step[a];
                p->correction[a][i] += step[a];
            }
        }
    }
}

static void push_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Contact *contact = context;
    for (int64_t i = begin; i < end; i++) {
        if (contact->p->companion[0][i] > 0) {
            push_particle(contact, i, near);
        }
    }
}

static void push_range(void *context, int64_t begin, int64_t end)
{
    const Contact *contact = context;
    dlp__for_groups_near_solids(contact->solids, contact->p, begin, end, 0.5 * (double)contact->solids->spacing,
                                push_group, context);
}

void dlp__companions_push_from_solids(const dlp__Companions *companions, const dlp__Solids *solids,
                                      dlp__Domains *domains)
{
    if (companions->count == 0 || solids->count == 0 || !dlp__step_is_ok(domains)) {
        return;
    }
    const double started = dlp__clock();
    for (int d = 0; d < domains->count; d++) {
        Contact contact = {solids, &domains->part[d].particles};
        dlp__parallel_for(domains->parallel, contact.p->count, DLP_NEARBY_BLOCK, push_range, &contact);
    }
    dlp__profile_add(domains, "companion contact", started);
}
