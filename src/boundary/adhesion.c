/* Adhesion of fluid to walls (Clavet et al. 2005, eq. 12, with its sign corrected): a force S, the wall's
 * stickiness, per unit of wall area, independent of spacing and time step.
 *
 * Where the fluid supports tension, as in the physical solver, it is a surface force: fluid that faces the wall
 * across a gap is attracted by the traction T = S (1 - gap / reach), and a particle represents one spacing squared.
 * Where it supports no tension, nothing would hold the fluid behind that first layer: there all particles within the
 * reach are held by up to f = 2 S / reach (1 - s / reach) per volume at a distance s, which adds up to S if fluid
 * fills the reach. That force only opposes separation. If it also attracted fluid that nothing pulls off, it would press
 * the fluid against the wall, and that pressure would drive fluid along the wall: up the sides of a plate. */
#include "boundary/nearby_solids.h"

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Particles *particles;
    const dlp__NeighborList *neighbors;
    const dlp_MaterialDef *materials;
    double dt;        /* s */
    dlp_Vec3 gravity; /* m/s2 */
} Job;

/* m, largest distance of a particle that some wall attracts. */
static double attraction_range(const Job *job)
{
    return 0.5 * (double)job->solids->spacing + job->solids->laws.reach;
}

/* Spacings beyond contact that an attracted particle may move: slow enough not to tear it from its neighbours. */
static const double OVERSHOOT = 0.1;

/* The wall nearest to a particle, if it is sticky: its solid and contact law; null if it is not. Free bodies hold
 * what touches them but do not attract, because they would not receive the reaction. */
static const dlp__Solid *sticky_wall(const Job *job, int64_t i, const dlp__NearbySolids *near, dlp__Wall *wall,
                                     dlp__ContactLaw *law)
{
    const dlp__Particles *p = job->particles;
    const dlp__Solid *solid = dlp__nearest_wall(job->solids, near, dlp__particle_position(p, i), attraction_range(job),
                                                wall);
    if (solid == NULL || solid->body >= 0) {
        return NULL;
    }
    *law = dlp__contact_law(job->solids, solid, p->material[0][i]);
    return law->stickiness > 0.0 ? solid : NULL;
}

/* m/s, the speed that closes the gap to a wall in a step. */
static double closing_speed(const Job *job, const dlp__Wall *wall)
{
    return (wall->distance + (OVERSHOOT - 0.5) * (double)job->solids->spacing) / job->dt;
}

/* Accelerate a particle towards a wall by a force per mass (m/s2) over a step, up to a speed (m/s) towards the wall. */
static void attract(const Job *job, int64_t i, const dlp__Solid *solid, const dlp__Wall *wall, double force,
                    double speed)
{
    dlp__Particles *p = job->particles;
    const dlp_Vec3 surface = dlp__sub(dlp__particle_position(p, i), dlp__scale(wall->normal, wall->distance));
    const dlp_Vec3 moving = dlp__vec3((double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]);
    const double leaving = dlp__dot(dlp__sub(moving, dlp__solid_velocity(solid, surface)), wall->normal);
    const double gain = fmin(job->dt * force, fmax(speed + leaving, 0.0));
    p->velocity[0][i] -= (float)(gain * wall->normal.x);
    p->velocity[1][i] -= (float)(gain * wall->normal.y);
    p->velocity[2][i] -= (float)(gain * wall->normal.z);
}

static void attract_surface_particle(const Job *job, int64_t i, const dlp__NearbySolids *near)
{
    const dlp__Particles *p = job->particles;
    const double spacing = (double)job->solids->spacing;
    dlp__Wall wall;
    dlp__ContactLaw law;
    const dlp__Solid *solid = sticky_wall(job, i, near, &wall, &law);
    if (solid == NULL) {
        return;
    }
    const double gap = fmax(wall.distance - 0.5 * spacing, 0.0);
    if (gap < law.reach && !dlp__particle_is_shielded(p, job->neighbors, spacing, i, wall.normal)) {
        const double traction = law.stickiness * (1.0 - gap / law.reach);
        attract(job, i, solid, &wall, traction * (double)p->specific_volume[0][i] / spacing, closing_speed(job, &wall));
    }
}

/* Particles attached to the wall are held by their stress, except lone particles, which have none. */
static void attract_detached_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    const dlp__Particles *p = job->particles;
    for (int64_t i = begin; i < end; i++) {
        const bool loose = p->detached[0][i] > 0.5f || p->correction_matrix[0][i] == 0.0f;
        if (loose && p->carrier[0][i] == 0) {
            attract_surface_particle(job, i, near);
        }
    }
}

static void attract_detached_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__for_groups_near_solids(job->solids, job->particles, begin, end, attraction_range(job), attract_detached_group,
                                context);
}

/* Spacings per step by which adhesion may press a particle on to carry others. Measured on films of eight layers: 0.1 is
 * too little. */
static const double MAX_APPROACH = 0.2;

/* m/s, the speed towards the wall that adhesion may give to fluid without tension: it compensates gravity, which is
 * applied later in the step. Particles also carry those behind them, whose load is known only after the step: they are
 * pressed on as far as gravity pulls fluid off this wall. */
static double holding_speed(const Job *job, const dlp__Wall *wall)
{
    const double falling = dlp__dot(job->gravity, wall->normal), most = dlp__length(job->gravity);
    const double limit = MAX_APPROACH * (double)job->solids->spacing / job->dt;
    const double approach = falling > 0.0 ? falling / most * fmin(closing_speed(job, wall), limit) : 0.0;
    return job->dt * falling + approach;
}

static void adhesion_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    for (int64_t i = begin; i < end; i++) {
        dlp__Wall wall;
        dlp__ContactLaw law;
        const dlp__Solid *solid = sticky_wall(job, i, near, &wall, &law);
        if (solid != NULL && wall.distance < law.reach) {
            const double density = job->materials[job->particles->material[0][i]].density;
            const double fade = 1.0 - fmax(wall.distance, 0.0) / law.reach;
            attract(job, i, solid, &wall, 2.0 * law.stickiness * fade / (law.reach * density),
                    holding_speed(job, &wall));
        }
    }
}

static void adhesion_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__for_groups_near_solids(job->solids, job->particles, begin, end, attraction_range(job), adhesion_group,
                                context);
}

static void for_all_particles(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials,
                              dlp_Vec3 gravity, float dt, dlp_RangeFunction work)
{
    const bool needed = solids->laws.reach > 0.0 && dlp__step_is_ok(domains);
    for (int part = 0; part < domains->count && needed; part++) {
        dlp__Domain *domain = &domains->part[part];
        Job job = {solids, &domain->particles, &domain->fluid, materials, (double)dt, gravity};
        dlp__parallel_for(domains->parallel, job.particles->count, 4 * DLP_NEARBY_BLOCK, work, &job);
    }
}

void dlp__boundary_attract_detached(dlp__Solids *solids, dlp__Domains *domains, float dt)
{
    for_all_particles(solids, domains, NULL, dlp__vec3(0.0, 0.0, 0.0), dt, attract_detached_range);
}

void dlp__boundary_apply_adhesion(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials,
                                  dlp_Vec3 gravity, float dt)
{
    for_all_particles(solids, domains, materials, gravity, dt, adhesion_range);
}
