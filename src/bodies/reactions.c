/* Recording and exact summation of the reactions of particles on free bodies. */
#include "bodies/reactions.h"

#include "base/exact_sum.h"

#include <string.h>

/* Reactions per block: two for each particle. A particle between three bodies uses the space of others, most of
 * which touch none. */
enum { BLOCK_CAPACITY = 2 * DLP_REACTION_BLOCK };

static int64_t blocks_of(const dlp__Particles *particles)
{
    return (particles->count + DLP_REACTION_BLOCK - 1) / DLP_REACTION_BLOCK;
}

static bool reserve(dlp__Solids *solids, dlp__Domains *domains, dlp__Reactions *reactions, int64_t items,
                    int64_t blocks)
{
    if (!dlp__buffer_reserve(domains->memory, &reactions->buffer[0], items + 1, sizeof *reactions->item) ||
        !dlp__buffer_reserve(domains->memory, &reactions->buffer[1], blocks + 1, sizeof *reactions->in_block)) {
        solids->short_of_memory = true;
        return false;
    }
    reactions->item = reactions->buffer[0].data;
    reactions->in_block = reactions->buffer[1].data;
    return true;
}

bool dlp__reactions_begin(dlp__Solids *solids, dlp__Domains *domains)
{
    bool ok = solids->bodies_predicted && !solids->short_of_memory;
    for (int part = 0; part < domains->count && ok; part++) {
        dlp__Domain *domain = &domains->part[part];
        const int64_t blocks = blocks_of(&domain->particles);
        ok = reserve(solids, domains, &domain->reactions, blocks * BLOCK_CAPACITY, blocks);
        if (ok) {
            memset(domain->reactions.in_block, 0, (size_t)blocks * sizeof *domain->reactions.in_block);
        }
    }
    return ok;
}

void dlp__reaction_add(const dlp__Solids *solids, const dlp__Particles *particles, dlp__Reactions *reactions, int64_t i,
                       const dlp__Solid *solid, dlp_Vec3 change, dlp_Vec3 point)
{
    if (reactions == NULL || solid->body < 0) {
        return;
    }
    const int64_t block = i / DLP_REACTION_BLOCK;
    dlp__Reaction *first = reactions->item + block * BLOCK_CAPACITY;
    int32_t *count = &reactions->in_block[block], k = *count - 1;
    while (k >= 0 && first[k].particle == (int32_t)i && first[k].body != solid->body) {
        k--;
    }
    const bool known = k >= 0 && first[k].particle == (int32_t)i;
    if (!known && *count == BLOCK_CAPACITY) {
        return;
    }
    const double factor = -dlp__particle_mass(solids, particles, i);
    const double impulse[3] = {factor * change.x, factor * change.y, factor * change.z};
    dlp__Reaction *reaction = known ? &first[k] : &first[(*count)++];
    if (!known) {
        *reaction = (dlp__Reaction){
            .body = solid->body, .particle = (int32_t)i, .point = {(float)point.x, (float)point.y, (float)point.z}};
    }
    for (int a = 0; a < 3; a++) {
        reaction->impulse[a] += (float)impulse[a];
    }
}

void dlp__reaction_add_friction(const dlp__Solids *solids, const dlp__Particles *particles, dlp__Reactions *reactions,
                                int64_t i, const dlp__Solid *solid, dlp_Vec3 relative, dlp_Vec3 point, dlp_Vec3 normal,
                                double fraction, bool stops)
{
    const int64_t block = i / DLP_REACTION_BLOCK;
    if (reactions == NULL || solid->body < 0 || reactions->in_block[block] == BLOCK_CAPACITY) {
        return;
    }
    const double mass = dlp__particle_mass(solids, particles, i);
    reactions->item[block * BLOCK_CAPACITY + reactions->in_block[block]++] = (dlp__Reaction){
        .body = solid->body,
        .particle = (int32_t)i,
        .impulse = {(float)relative.x, (float)relative.y, (float)relative.z},
        .point = {(float)point.x, (float)point.y, (float)point.z},
        .normal = {(float)normal.x, (float)normal.y, (float)normal.z},
        .tangential_mass = (float)(mass * fraction),
        .normal_mass = stops ? (float)mass : 0.0f,
    };
}

static void compact(dlp__Reactions *reactions, int64_t blocks)
{
    reactions->count = 0;
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t count = reactions->in_block[block];
        memmove(reactions->item + reactions->count, reactions->item + block * BLOCK_CAPACITY,
                (size_t)count * sizeof *reactions->item);
        reactions->count += count;
    }
}

static int body_of_reaction(const void *context, int64_t n)
{
    const dlp__Reactions *reactions = context;
    return reactions->item[n].body;
}

/* List the reactions of all parts by body. Without memory there are none, and the step fails at its end. */
static void group_by_body(dlp__Solids *solids, dlp__Domains *domains)
{
    for (int part = 0; part < domains->count; part++) {
        dlp__Reactions *reactions = &domains->part[part].reactions;
        if (!dlp__grouping_make(&reactions->by_body, domains->memory, solids->body_count, reactions->count,
                                body_of_reaction, reactions)) {
            reactions->count = 0;
            solids->short_of_memory = true;
        }
    }
}

int64_t dlp__reactions_count(const dlp__Domains *domains, int body, int64_t counts[DLP_DOMAINS_MOST])
{
    int64_t all = 0;
    for (int part = 0; part < domains->count; part++) {
        const dlp__Reactions *reactions = &domains->part[part].reactions;
        const int64_t *start = reactions->by_body.start;
        counts[part] = reactions->count > 0 ? start[body + 1] - start[body] : 0;
        all += counts[part];
    }
    return dlp__ranks_sum(domains->ranks, all);
}

/* One of the six components summed for a body. */
typedef struct Sum {
    const dlp__Domains *domains;
    const dlp__Solid *solid;
    int dof;
} Sum;

static void add_reactions(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Sum *of = context;
    const dlp_Vec3 center = of->solid->exchange.center;
    const double from[3] = {center.x, center.y, center.z};
    const int a = (of->dof + 1) % 3, b = (of->dof + 2) % 3;
    for (int64_t n = begin; n < end; n++) {
        const dlp__Reaction *reaction = dlp__reaction_on(of->domains, part, of->solid->body, n);
        const float *j = reaction->impulse, *at = reaction->point;
        dlp__exact_add(sum, of->dof < 3
                                ? (double)j[of->dof]
                                : ((double)at[a] - from[a]) * (double)j[b] - ((double)at[b] - from[b]) * (double)j[a]);
    }
}

static dlp__Impulse sum_of(const dlp__Domains *domains, const dlp__Solid *solid)
{
    int64_t counts[DLP_DOMAINS_MOST];
    const int64_t all = dlp__reactions_count(domains, solid->body, counts);
    double sums[6] = {0.0};
    for (int n = 0; n < 6 && all > 0; n++) {
        const Sum sum = {domains, solid, n};
        double scale = 1.0;
        sums[n] = dlp__exact_sum(domains->parallel, domains->count, counts, add_reactions, &sum, &scale);
    }
    return (dlp__Impulse){{sums[0], sums[1], sums[2]}, {sums[3], sums[4], sums[5]}};
}

void dlp__reactions_finish(dlp__Solids *solids, dlp__Domains *domains, bool accumulate)
{
    for (int part = 0; part < domains->count; part++) {
        compact(&domains->part[part].reactions, blocks_of(&domains->part[part].particles));
    }
    group_by_body(solids, domains);
    for (int body = 0; body < solids->body_count && accumulate; body++) {
        dlp__Solid *solid = dlp__free_body_at(solids, body);
        const dlp__Impulse sum = sum_of(domains, solid);
        solid->exchange.contact_impulse.linear = dlp__add(solid->exchange.contact_impulse.linear, sum.linear);
        solid->exchange.contact_impulse.angular = dlp__add(solid->exchange.contact_impulse.angular, sum.angular);
    }
}

/* Call `visit` for each sample of a free body, with the particle that it belongs to. */
typedef void (*SampleFunction)(const dlp__Solids *solids, dlp__Domain *domain, int64_t row, int64_t particle);

static void for_each_body_sample(const dlp__Solids *solids, dlp__Domain *domain, SampleFunction visit)
{
    const dlp__NeighborList *list = &domain->boundary;
    const int64_t groups = (domain->particles.count + DLP_GROUP - 1) / DLP_GROUP;
    for (int64_t group = 0; group < groups; group++) {
        for (int64_t row = list->start[group] * DLP_GROUP; row < list->start[group + 1] * DLP_GROUP; row++) {
            const int32_t solid = domain->samples.solid[row];
            if (solid >= 0 && solids->solid[solid].body >= 0) {
                visit(solids, domain, row, group * DLP_GROUP + row % DLP_GROUP);
            }
        }
    }
}

static void add_sample_reaction(const dlp__Solids *solids, dlp__Domain *domain, int64_t row, int64_t particle)
{
    const dlp__Samples *samples = &domain->samples;
    dlp__Reaction *reaction = &domain->reactions.item[domain->reactions.count++];
    const double factor = -dlp__particle_mass(solids, &domain->particles, particle) / solids->dt;
    *reaction = (dlp__Reaction){.body = solids->solid[samples->solid[row]].body, .particle = (int32_t)particle};
    for (int a = 0; a < 3; a++) {
        reaction->impulse[a] = (float)(factor * (double)samples->displacement[a][row]);
        reaction->point[a] = samples->position_volume[4 * row + a];
    }
}

void dlp__reactions_from_samples(dlp__Solids *solids, dlp__Domains *domains)
{
    for (int part = 0; part < domains->count; part++) {
        dlp__Domain *domain = &domains->part[part];
        domain->reactions.count = 0;
        if (domain->samples.displacement[0] != NULL &&
            reserve(solids, domains, &domain->reactions, domain->samples.count, blocks_of(&domain->particles))) {
            for_each_body_sample(solids, domain, add_sample_reaction);
        }
    }
    group_by_body(solids, domains);
    for (int body = 0; body < solids->body_count; body++) {
        dlp__Solid *solid = dlp__free_body_at(solids, body);
        solid->exchange.pressure_impulse = sum_of(domains, solid);
    }
}

/* Record the mass of a particle and its moment of inertia about the body in place of an impulse. */
static void add_particle_mass(const dlp__Solids *solids, dlp__Domain *domain, int64_t row, int64_t particle)
{
    const dlp__Solid *solid = &solids->solid[domain->samples.solid[row]];
    const double mass = dlp__particle_mass(solids, &domain->particles, particle);
    dlp_Vec3 arm = dlp__vec3((double)domain->particles.position[0][particle],
                             (double)domain->particles.position[1][particle],
                             (double)domain->particles.position[2][particle]);
    arm = dlp__sub(arm, solid->exchange.center);
    domain->reactions.item[domain->reactions.count++] = (dlp__Reaction){
        .body = solid->body, .impulse = {(float)mass, (float)(mass * dlp__dot(arm, arm)), 0.0f}};
}

void dlp__reactions_sum_nearby_mass(dlp__Solids *solids, dlp__Domains *domains)
{
    for (int part = 0; part < domains->count; part++) {
        dlp__Domain *domain = &domains->part[part];
        domain->reactions.count = 0;
        if (reserve(solids, domains, &domain->reactions, domain->samples.count, blocks_of(&domain->particles))) {
            for_each_body_sample(solids, domain, add_particle_mass);
        }
    }
    group_by_body(solids, domains);
    for (int body = 0; body < solids->body_count; body++) {
        dlp__Solid *solid = dlp__free_body_at(solids, body);
        const dlp__Impulse sum = sum_of(domains, solid);
        solid->exchange.nearby_mass = sum.linear.x;
        solid->exchange.nearby_inertia = sum.linear.y;
    }
}
