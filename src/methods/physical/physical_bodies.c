#include "methods/physical/physical_bodies.h"

#include "methods/physical/image_forces.h"

#include <math.h>
#include <string.h>

enum { DOFS = 6, ARRAYS = 6 };

/* One image of a particle in a body. */
typedef struct BodyRow {
    int64_t row;
    int64_t particle;
    double force[3]; /* force on the body per volume; sign as on the left side of the equations */
} BodyRow;

static const dlp__Solid *body_of(const dlp__BodyCoupling *coupling, int body)
{
    return dlp__free_body_at(coupling->step->solids, body);
}

static int body_count(const dlp__BodyCoupling *coupling)
{
    return coupling->unknown.count / DOFS;
}

/* Whether there are bodies, and the step has not failed. */
static bool is_coupled(const dlp__BodyCoupling *coupling)
{
    return coupling->unknown.count > 0 && dlp__step_is_ok(coupling->step->domains);
}

/* List the rows of a part that are images in bodies; if `rows` is null, only count. */
static int64_t list_rows(const dlp__Domain *domain, BodyRow *rows)
{
    const dlp__Mirror *mirror = &domain->mirror;
    const int64_t groups = (domain->particles.count + DLP_GROUP - 1) / DLP_GROUP;
    int64_t count = 0;
    for (int64_t group = 0; group < groups; group++) {
        for (int64_t row = mirror->list.start[group] * DLP_GROUP; row < mirror->list.start[group + 1] * DLP_GROUP;
             row++) {
            if (mirror->body[row] == 0) {
                continue;
            }
            if (rows != NULL) {
                rows[count] = (BodyRow){.row = row, .particle = group * DLP_GROUP + row % DLP_GROUP};
            }
            count++;
        }
    }
    return count;
}

static BodyRow *rows_of(const dlp__Domain *domain)
{
    return domain->mirror.rows.data;
}

static float *velocities_of(const dlp__Domain *domain)
{
    return domain->mirror.velocities.data;
}

static int body_of_row(const void *context, int64_t n)
{
    const dlp__Domain *domain = context;
    return domain->mirror.body[rows_of(domain)[n].row] - 1;
}

/* Lists of images in bodies, for every part. */
static bool list_images(dlp__Domains *domains, int bodies)
{
    for (int d = 0; d < domains->count; d++) {
        dlp__Mirror *mirror = &domains->part[d].mirror;
        mirror->row_count = list_rows(&domains->part[d], NULL);
        if (!dlp__buffer_reserve(domains->memory, &mirror->rows, mirror->row_count + 1, sizeof(BodyRow)) ||
            !dlp__buffer_reserve(domains->memory, &mirror->velocities,
                                 3 * dlp__neighbors_entries(&mirror->list) + DLP_GROUP, sizeof(float))) {
            return false;
        }
        list_rows(&domains->part[d], rows_of(&domains->part[d]));
        if (!dlp__grouping_make(&mirror->rows_by_body, domains->memory, bodies, mirror->row_count, body_of_row,
                                &domains->part[d])) {
            return false;
        }
    }
    return true;
}

void dlp__body_coupling_begin(dlp__BodyCoupling *coupling, dlp__StepContext *step, double inertia)
{
    dlp__Domains *domains = step->domains;
    const int unknowns = DOFS * step->solids->body_count;
    const double spacing = (double)step->spacing;
    *coupling = (dlp__BodyCoupling){
        .step = step, .per_volume = 1.0 / (spacing * spacing * spacing), .inertia = inertia};
    if (unknowns == 0 || !dlp__step_is_ok(domains)) {
        return;
    }
    double *all = dlp__step_scratch(domains, (int64_t)ARRAYS * unknowns, sizeof *all, "free bodies");
    dlp__require_memory(domains, list_images(domains, step->solids->body_count), "images in free bodies");
    if (all == NULL || !dlp__step_is_ok(domains)) {
        return;
    }
    memset(all, 0, (size_t)(ARRAYS * unknowns) * sizeof *all);
    coupling->mobility = all + (size_t)4 * (size_t)unknowns;
    coupling->scale = all + (size_t)5 * (size_t)unknowns;
    coupling->unknown = (dlp__KrylovExtra){.count = unknowns,
                                           .change = all,
                                           .residual = all + unknowns,
                                           .search = all + (size_t)2 * (size_t)unknowns,
                                           .product = all + (size_t)3 * (size_t)unknowns,
                                           .mobility = coupling->mobility};
    for (int n = 0; n < unknowns; n++) {
        coupling->scale[n] = 1.0;
    }
}

static void compute_reaction(const dlp__Domain *domain, BodyRow *at, bool pulled)
{
    const dlp__ImageForce force = dlp__image_force(domain, at->particle, at->row,
                                                   (dlp__ImageView){.relative_to_wall = true, .pulled = pulled});
    for (int a = 0; a < 3; a++) {
        at->force[a] = force.viscous[a] - force.viscous_back[a] + force.pressed[a] - force.pressed_back[a];
    }
}

/* One of the six sums for a body. */
typedef struct Sum {
    const dlp__Domains *domains;
    int body, freedom;
} Sum;

static void add_forces(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Sum *of = context;
    const dlp__Mirror *mirror = &of->domains->part[part].mirror;
    const BodyRow *rows = mirror->rows.data;
    const int64_t *number = mirror->rows_by_body.item + mirror->rows_by_body.start[of->body];
    const int a = (of->freedom + 1) % 3, b = (of->freedom + 2) % 3;
    for (int64_t n = begin; n < end; n++) {
        const BodyRow *row = &rows[number[n]];
        const float *arm = mirror->arm + 3 * row->row;
        dlp__exact_add(sum, of->freedom < 3 ? row->force[of->freedom]
                                            : (double)arm[a] * row->force[b] - (double)arm[b] * row->force[a]);
    }
}

/* Forces and torques of the fluid on all bodies, times `sign`. */
static void sum_reactions(const dlp__BodyCoupling *coupling, double sign, bool pulled, double *to)
{
    const dlp__Domains *domains = coupling->step->domains;
    int64_t counts[DLP_DOMAINS_MOST];
    for (int d = 0; d < domains->count; d++) {
        for (int64_t n = 0; n < domains->part[d].mirror.row_count; n++) {
            compute_reaction(&domains->part[d], &rows_of(&domains->part[d])[n], pulled);
        }
    }
    for (int n = 0; n < coupling->unknown.count; n++) {
        for (int d = 0; d < domains->count; d++) {
            const int64_t *start = domains->part[d].mirror.rows_by_body.start + n / DOFS;
            counts[d] = start[1] - start[0];
        }
        const Sum sum = {domains, n / DOFS, n % DOFS};
        to[n] = sign * dlp__exact_sum(domains->parallel, domains->count, counts, add_forces, &sum, &coupling->scale[n]);
    }
}

void dlp__body_coupling_balance(const dlp__BodyCoupling *coupling, const float kick[3], bool pulled)
{
    if (!is_coupled(coupling)) {
        return;
    }
    sum_reactions(coupling, -1.0, pulled, coupling->unknown.residual);
    for (int n = 0; n < coupling->unknown.count; n++) {
        const double mass = body_of(coupling, n / DOFS)->mass_properties.mass;
        coupling->unknown.residual[n] += n % DOFS < 3 ? coupling->per_volume * mass * (double)kick[n % DOFS] : 0.0;
    }
}

/* Inertia times motion, added. */
static void add_momentum(const dlp__Solid *solid, double per_volume, const double motion[DOFS], double to[DOFS])
{
    const double *i = solid->mass_properties.inertia, *w = motion + 3;
    const double spin[3] = {i[0] * w[0] + i[3] * w[1] + i[4] * w[2], i[3] * w[0] + i[1] * w[1] + i[5] * w[2],
                            i[4] * w[0] + i[5] * w[1] + i[2] * w[2]};
    for (int a = 0; a < 3; a++) {
        to[a] += per_volume * solid->mass_properties.mass * motion[a];
        to[3 + a] += per_volume * spin[a];
    }
}

void dlp__body_coupling_ready(const dlp__BodyCoupling *coupling)
{
    const dlp__Domains *domains = coupling->step->domains;
    if (!is_coupled(coupling)) {
        return;
    }
    for (int n = 0; n < coupling->unknown.count; n++) {
        /* One over the mass, as for particles: then every iteration conserves momentum. */
        const dlp__BodyMass *weight = &body_of(coupling, n / DOFS)->mass_properties;
        const int freedom = n % DOFS;
        coupling->mobility[n] = 1.0 / (coupling->inertia * coupling->per_volume *
                                       (freedom < 3 ? weight->mass : weight->inertia[freedom - 3]));
    }
    for (int d = 0; d < domains->count; d++) {
        const dlp__Mirror *mirror = &domains->part[d].mirror;
        float *kept = velocities_of(&domains->part[d]);
        for (int64_t row = 0; row < dlp__neighbors_entries(&mirror->list); row++) {
            float *velocity = dlp__image_values(mirror, row) + DLP_IMAGE_VELOCITY * DLP_GROUP;
            for (int a = 0; a < 3; a++) {
                kept[3 * row + a] = velocity[a * DLP_GROUP];
                velocity[a * DLP_GROUP] = 0.0f;
            }
        }
    }
}

/* Add a motion of bodies to the velocities of their walls; `set`: replace them. */
static void move_walls(const dlp__BodyCoupling *coupling, const double *motion, bool set)
{
    const dlp__Domains *domains = coupling->step->domains;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Mirror *mirror = &domains->part[d].mirror;
        for (int64_t n = 0; n < mirror->row_count; n++) {
            const int64_t row = rows_of(&domains->part[d])[n].row;
            const double *m = motion + (ptrdiff_t)DOFS * (mirror->body[row] - 1);
            const float *r = mirror->arm + 3 * row;
            float *velocity = dlp__image_values(mirror, row) + DLP_IMAGE_VELOCITY * DLP_GROUP;
            for (int a = 0; a < 3; a++) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                const double moved = m[a] + m[3 + b] * (double)r[c] - m[3 + c] * (double)r[b];
                velocity[a * DLP_GROUP] = (float)(moved + (set ? 0.0 : (double)velocity[a * DLP_GROUP]));
            }
        }
    }
}

void dlp__body_coupling_search(const dlp__BodyCoupling *coupling)
{
    if (is_coupled(coupling)) {
        move_walls(coupling, coupling->unknown.search, true);
    }
}

void dlp__body_coupling_product(const dlp__BodyCoupling *coupling)
{
    const dlp__KrylovExtra *unknown = &coupling->unknown;
    if (!is_coupled(coupling)) {
        return;
    }
    sum_reactions(coupling, 1.0, false, unknown->product);
    for (int body = 0; body < body_count(coupling); body++) {
        add_momentum(body_of(coupling, body), coupling->inertia * coupling->per_volume, unknown->search + DOFS * body,
                     unknown->product + DOFS * body);
    }
}

/* Set the velocity of the solid too: contact uses the body's velocity after the solve. */
static void change_motion(dlp__Solid *solid, const double change[DOFS])
{
    const dlp_Vec3 along = dlp__vec3(change[0], change[1], change[2]),
                   about = dlp__vec3(change[3], change[4], change[5]);
    const dlp_Vec3 arm = dlp__sub(solid->shape.position, solid->mass_properties.center);
    solid->velocity = dlp__add(solid->velocity, dlp__add(along, dlp__cross(about, arm)));
    solid->spin = dlp__add(solid->spin, about);
}

void dlp__body_coupling_end(const dlp__BodyCoupling *coupling)
{
    const dlp__Domains *domains = coupling->step->domains;
    if (!is_coupled(coupling)) {
        return;
    }
    for (int d = 0; d < domains->count; d++) {
        const dlp__Mirror *mirror = &domains->part[d].mirror;
        const float *kept = velocities_of(&domains->part[d]);
        for (int64_t row = 0; row < dlp__neighbors_entries(&mirror->list); row++) {
            for (int a = 0; a < 3; a++) {
                dlp__image_values(mirror, row)[(DLP_IMAGE_VELOCITY + a) * DLP_GROUP] = kept[3 * row + a];
            }
        }
    }
    move_walls(coupling, coupling->unknown.change, false);
    for (int body = 0; body < body_count(coupling); body++) {
        const double *change = coupling->unknown.change + (ptrdiff_t)DOFS * body;
        const dlp__StepContext *step = coupling->step;
        double push[DOFS] = {0}, without_gravity[DOFS]; /* the rigid-body engine applies gravity itself */
        for (int n = 0; n < DOFS; n++) {
            without_gravity[n] = change[n] - (n < 3 ? (double)(step->dt * step->gravity[n]) : 0.0);
        }
        add_momentum(body_of(coupling, body), 1.0, without_gravity, push);
        change_motion(dlp__free_body_at(step->solids, body), change);
        dlp__bodies_apply_impulse(coupling->step->solids->bodies, body, dlp__vec3(push[0], push[1], push[2]),
                                  dlp__vec3(push[3], push[4], push[5]));
    }
}
