#include "methods/physical/image_forces.h"

#include "methods/physical/physical_fields.h"

static void load_vector(const float *image, int part, double to[3])
{
    for (int a = 0; a < 3; a++) {
        to[a] = (double)image[(part + a) * DLP_GROUP];
    }
}

/* R u and B u of an image, as in physical_pairs.h. */
static void reflect(const float *image, const double u[3], double to[3])
{
    double e[3];
    load_vector(image, DLP_IMAGE_AXIS, e);
    const double along = e[0] * u[0] + e[1] * u[1] + e[2] * u[2], sign = (double)image[DLP_IMAGE_SIGN * DLP_GROUP];
    for (int a = 0; a < 3; a++) {
        to[a] = sign * (u[a] - along * e[a]);
    }
}

static void drag(const float *image, const double u[3], double to[3])
{
    double mirrored[3];
    reflect(image, u, mirrored);
    for (int a = 0; a < 3; a++) {
        to[a] = (double)image[DLP_IMAGE_NO_SLIP * DLP_GROUP] * u[a] +
                (double)image[DLP_IMAGE_FREE_SLIP * DLP_GROUP] * mirrored[a];
    }
}

/* Flux, field and stabilization are in the long rows: see store_flux(). */
dlp__ImageForce dlp__image_force(const dlp__Domain *domain, int64_t i, int64_t row, dlp__ImageView view)
{
    const dlp__Particles *p = &domain->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const dlp__Mirror *mirror = &domain->mirror;
    const float *image = dlp__image_values(mirror, row), *rows = domain->rows[DLP_LONG_ROWS];
    const float *here = rows + DLP_LONG_ROW * i, *there = rows + DLP_LONG_ROW * (int64_t)mirror->list.entry[row];
    double g[3], wall[3] = {0.0, 0.0, 0.0}, own[3], source[3], dragged[3];
    dlp__ImageForce force;
    load_vector(image, DLP_IMAGE_GRADIENT, g);
    if (view.relative_to_wall) {
        load_vector(image, DLP_IMAGE_VELOCITY, wall);
    }
    for (int a = 0; a < 3; a++) {
        own[a] = (double)here[4 * a + 3] - wall[a];
        source[a] = (double)there[4 * a + 3] - wall[a];
    }
    drag(image, source, dragged);
    static const int symmetric[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    const float z = view.mean_stabilization ? 0.5f * (here[15] + there[15]) : here[15];
    const double uneven = (double)(z * image[DLP_IMAGE_WEIGHT * DLP_GROUP]);
    for (int a = 0; a < 3; a++) {
        double all = 0.0;
        force.pressed[a] = 0.0;
        for (int b = 0; b < 3; b++) {
            all += (double)here[4 * a + b] * g[b];
            force.pressed[a] += (double)f->pressure_flux[symmetric[3 * a + b]][i] * g[b];
        }
        force.viscous[a] = all - force.pressed[a] + uneven * (dragged[a] - own[a]);
    }
    drag(image, force.viscous, force.viscous_back);
    reflect(image, force.pressed, force.pressed_back);
    for (int a = 0; a < 3 && view.pulled; a++) {
        force.pressed[a] += (double)(f->wall_reaction[a][i] * image[DLP_IMAGE_WEIGHT * DLP_GROUP]);
    }
    return force;
}

static dlp_Vec3 vector_of(const float v[3])
{
    return dlp__vec3((double)v[0], (double)v[1], (double)v[2]);
}

/* Where walls meet, each receives its normal component, and all share the rest. */
static void add_to_walls(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums, const dlp__ImageWalls *walls,
                         dlp__ImpulsePart part, dlp_Vec3 impulse)
{
    dlp_Vec3 normal[3], rest = impulse;
    for (int n = 0; n < walls->count; n++) {
        const dlp_Vec3 axis = vector_of(walls->normal[n]);
        normal[n] = dlp__scale(axis, dlp__dot(impulse, axis));
        rest = dlp__sub(rest, normal[n]);
    }
    for (int n = 0; n < walls->count; n++) {
        dlp__particle_impulse_add(of, sums, walls->solid[n], part,
                                  dlp__add(normal[n], dlp__scale(rest, 1.0 / walls->count)), vector_of(walls->point));
    }
}

static dlp_Vec3 impulse_of(const double force[3], const double back[3], double volume)
{
    return dlp__scale(dlp__vec3(force[0] - back[0], force[1] - back[1], force[2] - back[2]), -volume);
}

/* What add_images() needs. */
typedef struct Recording {
    const dlp__PhysicalSolver *solver;
    dlp__ImageView view;
} Recording;

static void add_images(const void *context, int part, int64_t begin, int64_t end, dlp__ImpulseSums *sums)
{
    const Recording *recording = context;
    const dlp__PhysicalSolver *solver = recording->solver;
    const dlp__Domain *domain = &solver->step->domains->part[part];
    const dlp__Mirror *mirror = &domain->mirror;
    const double spacing = (double)solver->step->spacing, volume = spacing * spacing * spacing;
    for (int64_t i = begin; i < end; i++) {
        dlp__ParticleImpulse of = {.solid = -1};
        for (int32_t k = 0; k < mirror->list.count[i]; k++) {
            const int64_t row = dlp__neighbors_entry(&mirror->list, i, k) - mirror->list.entry;
            const dlp__ImageForce force = dlp__image_force(domain, i, row, recording->view);
            add_to_walls(&of, sums, &mirror->walls[row], DLP_IMPULSE_PRESSURE,
                         impulse_of(force.pressed, force.pressed_back, volume));
            for (int32_t n = 0; n < mirror->walls[row].count; n++) {
                dlp__particle_impulse_add_contact(&of, sums, mirror->walls[row].solid[n],
                                                  (double)dlp__image_values(mirror, row)[DLP_IMAGE_WEIGHT * DLP_GROUP],
                                                  vector_of(mirror->walls[row].point));
            }
            add_to_walls(&of, sums, &mirror->walls[row], DLP_IMPULSE_VISCOUS,
                         impulse_of(force.viscous, force.viscous_back, volume));
        }
        dlp__particle_impulse_flush(&of, sums);
    }
}

void dlp__physical_record_walls(const dlp__PhysicalSolver *solver, bool relative_to_wall, bool pulled)
{
    const Recording recording = {solver,
                                 {.relative_to_wall = relative_to_wall, .pulled = pulled, .mean_stabilization = true}};
    dlp__Domains *domains = solver->step->domains;
    dlp__WallImpulses *impulses = &solver->step->solids->impulses;
    if (impulses->count > 0 && solver->has_images && dlp__step_is_ok(domains)) {
        dlp__require_memory(domains, dlp__wall_impulses_sum(impulses, domains, add_images, &recording),
                            "wall impulses");
    }
}

/* Momentum per volume (kg/m2/s) of particle i along an axis. */
typedef double (*BalanceTerm)(const dlp__PhysicalSolver *solver, const dlp__Particles *p, int64_t i, int axis);

/* The velocity of particles in nozzles is prescribed. */
static void add_to_balance(const dlp__PhysicalSolver *solver, BalanceTerm term)
{
    const dlp__Domains *domains = solver->step->domains;
    dlp__WallImpulses *impulses = &solver->step->solids->impulses;
    const double spacing = (double)solver->step->spacing, volume = spacing * spacing * spacing;
    if (impulses->count == 0 || !dlp__step_is_ok(domains)) {
        return;
    }
    dlp__LongAccumulator sum[3] = {{{0}, 0}};
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            for (int a = 0; a < 3 && p->carrier[0][i] == 0; a++) {
                dlp__long_add(&sum[a], volume * term(solver, p, i, a));
            }
        }
    }
    dlp__long_merge_ranks(domains->ranks, sum, 3);
    for (int a = 0; a < 3; a++) {
        dlp__long_merge(&impulses->balance[a], &sum[a]);
    }
}

/* The residual, and the stored part of the stabilization force, whose limits break the balance between neighbours. */
static double residual_term(const dlp__PhysicalSolver *solver, const dlp__Particles *p, int64_t i, int axis)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const float kept = solver->arguments.dt * (1.0f - f->end_weight[0][i] * (1.0f - f->retention[0][i]));
    return -(double)p->residual[axis][i] - (double)(kept * f->hourglass_force[axis][i]);
}

static double shift_term(const dlp__PhysicalSolver *solver, const dlp__Particles *p, int64_t i, int axis)
{
    return (double)(p->change[axis][i] - solver->arguments.shift_mean[axis]) / (double)p->specific_volume[0][i];
}

void dlp__physical_record_residual(const dlp__PhysicalSolver *solver)
{
    add_to_balance(solver, residual_term);
}

void dlp__physical_record_shift(const dlp__PhysicalSolver *solver)
{
    add_to_balance(solver, shift_term);
}
