/* Companions stand on solids half a spacing off, where the surface of what they are made of begins. */
#include "companions/companions.h"
#include "boundary/nearby_solids.h"

typedef struct Standing {
    const dlp__Solids *solids;
    dlp__Particles *p;
} Standing;

static void move_off(const Standing *standing, int64_t i, const dlp__NearbySolids *near)
{
    const double off = 0.5 * (double)standing->solids->spacing;
    dlp__Particles *p = standing->p;
    for (int k = 0; k < near->count; k++) {
        dlp__Wall wall[DLP_SHAPE_WALLS];
        const dlp_Vec3 point = dlp__particle_position(p, i);
        const int walls = dlp__shape_walls(&standing->solids->solid[dlp__nearby_index(near, k)].shape, point, off,
                                           wall);
        for (int w = 0; w < walls; w++) {
            const double missing = off - wall[w].distance;
            const dlp_Vec3 way = dlp__scale(wall[w].normal, missing > 0.0 ? missing : 0.0);
            const float step[3] = {(float)way.x, (float)way.y, (float)way.z};
            for (int a = 0; a < 3; a++) {
                p->position[a][i] += step[a];
                p->correction[a][i] += step[a];
            }
        }
    }
}

static void stand_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Standing *standing = context;
    for (int64_t i = begin; i < end; i++) {
        if (standing->p->companion[0][i] > 0) {
            move_off(standing, i, near);
        }
    }
}

static void stand_range(void *context, int64_t begin, int64_t end)
{
    const Standing *standing = context;
    dlp__for_groups_near_solids(standing->solids, standing->p, begin, end, 0.5 * (double)standing->solids->spacing,
                                stand_group, context);
}

void dlp__companions_stand_off(const dlp__Companions *companions, const dlp__Solids *solids, dlp__Domains *domains)
{
    if (companions->count == 0 || solids->count == 0) {
        return;
    }
    const double started = dlp__clock();
    for (int d = 0; d < domains->count; d++) {
        Standing standing = {solids, &domains->part[d].particles};
        dlp__parallel_for(domains->parallel, standing.p->count, DLP_NEARBY_BLOCK, stand_range, &standing);
    }
    dlp__profile_add(domains, "companion contact", started);
}
