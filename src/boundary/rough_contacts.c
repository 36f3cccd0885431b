/* Coulomb friction on walls: finds the particles in contact, their sliding velocity and the largest friction force. */
#include "boundary/nearby_solids.h"

#include <math.h>

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Particles *particles;
} Job;

/* Friction is distributed over the first spacing from the wall with the weight 2 (1 - s/d) / d, whose integral is 1. */
static void set_rough_contact(const Job *job, int64_t i, const dlp__Solid *solid, double friction,
                              const dlp__Wall *wall)
{
    dlp__Particles *p = job->particles;
    const double spacing = (double)job->solids->spacing;
    const dlp_Vec3 n = wall->normal, point = dlp__particle_position(p, i);
    dlp_Vec3 moving = dlp__vec3((double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]);
    moving = dlp__sub(moving, dlp__solid_velocity(solid, dlp__sub(point, dlp__scale(n, wall->distance))));
    moving = dlp__sub(moving, dlp__scale(n, dlp__dot(moving, n)));
    const double layer_weight = 2.0 * (1.0 - fmax(wall->distance, 0.0) / spacing) / spacing;
    const double wall_pressure = fmax(-dlp__tension_along(p, i, n), 0.0); /* the first layer has the wall pressure */
    const double contact[4] = {n.x, n.y, n.z, friction * layer_weight * wall_pressure};
    const double slide[3] = {moving.x, moving.y, moving.z};
    for (int k = 0; k < 4; k++) {
        p->contact[k][i] = (float)contact[k];
    }
    for (int a = 0; a < 3; a++) {
        p->slide[a][i] = (float)slide[a];
    }
}

static void rough_contact_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    for (int64_t i = begin; i < end; i++) {
        dlp__Wall wall;
        const dlp__Solid *solid = dlp__nearest_wall(job->solids, near, dlp__particle_position(job->particles, i),
                                                    (double)job->solids->spacing, &wall);
        if (solid == NULL || job->particles->detached[0][i] > 0.5f) {
            continue;
        }
        const double friction = dlp__contact_law(job->solids, solid, job->particles->material[0][i]).friction;
        if (dlp__has_coulomb_friction(solid, friction)) {
            set_rough_contact(job, i, solid, friction, &wall);
        }
    }
}

static void rough_contact_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__Particles *p = job->particles;
    for (int64_t i = begin; i < end; i++) {
        p->contact[0][i] = p->contact[1][i] = p->contact[2][i] = p->contact[3][i] = 0.0f;
    }
    dlp__for_groups_near_solids(job->solids, p, begin, end, (double)job->solids->spacing, rough_contact_group, context);
}

bool dlp__boundary_find_rough_contacts(const dlp__Solids *solids, dlp__Domains *domains)
{
    const bool needed = solids->laws.rough && dlp__step_is_ok(domains);
    for (int part = 0; part < domains->count && needed; part++) {
        Job job = {solids, &domains->part[part].particles};
        dlp__parallel_for(domains->parallel, job.particles->count, 4 * DLP_NEARBY_BLOCK, rough_contact_range, &job);
    }
    return needed;
}
