/* Heat exchange of particles with solids of fixed temperature and with free bodies. */
#include "heat/heat_exchange.h"

#include "stages/stage_runner.h"
#include "boundary/nearby_solids.h"

#include <math.h>

typedef struct Visit {
    const dlp__HeatStep *step;
    dlp__Particles *p;
} Visit;

/* Add the heat exchange of particle i with one wall. */
static void add_wall(const Visit *visit, int64_t i, const dlp__Solid *solid, const dlp__Wall *wall)
{
    float *const *conduction = visit->p->conduction;
    const dlp__WallHeat *law = &visit->step->heat->wall;
    const dlp__WallShare share = dlp__wall_heat_at(law, wall->distance);
    conduction[DLP_HEAT_SURFACE][i] -= (float)(share.gradient * wall->normal.x);
    conduction[DLP_HEAT_SURFACE + 1][i] -= (float)(share.gradient * wall->normal.y);
    conduction[DLP_HEAT_SURFACE + 2][i] -= (float)(share.gradient * wall->normal.z);
    if (solid->temperature <= 0.0) {
        return;
    }
    const double conductance = 2.0 * (double)conduction[DLP_HEAT_CONDUCTIVITY][i] * share.gradient /
                               fmax(wall->distance, law->least);
    const double limited = fmin(
        conductance, dlp__heat_conductance_limit(visit->step, dlp__heat_material_def(visit->step, visit->p, i)));
    conduction[DLP_HEAT_NORMALIZATION][i] += (float)share.moment;
    if (!dlp__solid_has_heat_capacity(solid)) {
        conduction[DLP_HEAT_LOSS_CONDUCTANCE][i] += (float)limited;
        conduction[DLP_HEAT_SOURCE][i] += (float)(limited * solid->temperature);
    } else if (limited > (double)conduction[DLP_HEAT_BODY_CONDUCTANCE][i]) {
        conduction[DLP_HEAT_BODY_CONDUCTANCE][i] = (float)limited;
        conduction[DLP_HEAT_BODY][i] = (float)(1 + solid->warm_body);
    }
}

/* Number the solids whose temperature changes, in their order; returns how many there are. */
static int number_warm_bodies(dlp__Solids *solids)
{
    int count = 0;
    for (int n = 0; n < solids->count; n++) {
        dlp__Solid *solid = &solids->solid[n];
        solid->warm_body = dlp__solid_has_heat_capacity(solid) ? count++ : -1;
    }
    return count;
}

static void add_walls_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Visit *visit = context;
    const dlp__Solids *solids = visit->step->solids;
    for (int k = 0; k < near->count; k++) {
        const dlp__Solid *solid = &solids->solid[dlp__nearby_index(near, k)];
        for (int64_t i = begin; i < end; i++) {
            dlp__Wall wall[DLP_SHAPE_WALLS];
            const int walls = dlp__shape_walls(&solid->shape, dlp__particle_position(visit->p, i),
                                               visit->step->heat->wall.reach, wall);
            for (int w = 0; w < walls; w++) {
                add_wall(visit, i, solid, &wall[w]);
            }
        }
    }
}

static void add_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__HeatStep *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_material_def(step, p, i);
        for (int n = 0; n < DLP_FIELD_MOST_COMPONENTS; n++) {
            p->conduction[n][i] = 0.0f;
        }
        p->conduction[DLP_HEAT_CONDUCTIVITY][i] = (float)material->conductivity;
        p->conduction[DLP_HEAT_SOURCE][i] = (float)material->heat_source;
    }
    Visit visit = {step, p};
    dlp__for_groups_near_solids(step->solids, p, begin, end, step->heat->wall.reach, add_walls_group, &visit);
}

void dlp__heat_add_walls(const dlp__HeatStep *step)
{
    static const dlp__Stage stage = {.name = "heat walls",
                                     .function = add_walls,
                                     .reads = {DLP_FIELD_material, DLP_FIELD_position},
                                     .writes = {DLP_FIELD_conduction}};
    number_warm_bodies(step->solids);
    dlp__run(step->domains, &stage, step);
}

typedef struct BodyTerms {
    const dlp__Domains *domains;
    int field; /* DLP_FIELD_NONE: 1 is used instead */
    int number;
} BodyTerms;

static void add_exchange(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const BodyTerms *terms = context;
    const dlp__Particles *p = &terms->domains->part[part].particles;
    const dlp__Grouping *particles = &terms->domains->part[part].by_warm_body;
    const int64_t first = particles->start[terms->number];
    const float *field = terms->field != DLP_FIELD_NONE ? dlp__field_array(p, terms->field, 0) : NULL;
    for (int64_t n = begin; n < end; n++) {
        const int64_t i = particles->item[first + n];
        const double value = field != NULL ? (double)field[i] : 1.0;
        dlp__exact_add(sum, (double)p->conduction[DLP_HEAT_BODY_CONDUCTANCE][i] * value);
    }
}

double dlp__warm_bodies_sum(const dlp__Domains *domains, int field, int n)
{
    const BodyTerms terms = {domains, field, n};
    int64_t counts[DLP_DOMAINS_MOST];
    double scale = 1.0;
    for (int d = 0; d < domains->count; d++) {
        const int64_t *start = domains->part[d].by_warm_body.start + n;
        counts[d] = start[1] - start[0];
    }
    return dlp__exact_sum(domains->parallel, domains->count, counts, add_exchange, &terms, &scale);
}

static int warm_body_of_particle(const void *context, int64_t i)
{
    const dlp__Particles *p = context;
    return (int)p->conduction[DLP_HEAT_BODY][i] - 1;
}

/* List the particles of all parts by the body that they exchange heat with. */
static bool group_by_body(dlp__Domains *domains, int bodies)
{
    bool ok = true;
    for (int d = 0; d < domains->count && ok; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        ok = dlp__grouping_make(&domains->part[d].by_warm_body, domains->memory, bodies, p->count,
                                warm_body_of_particle, p);
    }
    return ok;
}

bool dlp__warm_bodies_find(dlp__WarmBodies *bodies, const dlp__HeatStep *step)
{
    enum { VALUES = 5 }; /* per unknown: change, residual, search, product, mobility */
    dlp__Solids *solids = step->solids;
    const int count = number_warm_bodies(solids);
    *bodies = (dlp__WarmBodies){.count = count};
    if (count == 0) {
        return true;
    }
    if (!group_by_body(step->domains, count) ||
        !dlp__buffer_reserve(step->domains->memory, &step->heat->body_buffer, count,
                             sizeof(dlp__WarmBody) + VALUES * sizeof(double))) {
        return false;
    }
    bodies->body = step->heat->body_buffer.data;
    double *values = (double *)(bodies->body + count);
    bodies->unknown = (dlp__KrylovExtra){count,
                                         values,
                                         values + count,
                                         values + 2 * (int64_t)count,
                                         values + 3 * (int64_t)count,
                                         values + 4 * (int64_t)count};
    bodies->mobility = values + 4 * (int64_t)count;
    const double volume = step->spacing * step->spacing * step->spacing;
    for (int n = 0, index = 0; index < solids->count; index++) {
        const dlp__Solid *solid = &solids->solid[index];
        if (!dlp__solid_has_heat_capacity(solid)) {
            continue;
        }
        bodies->body[n] = (dlp__WarmBody){index,
                                          solid->mass_properties.mass * solid->def.heat_capacity / (step->dt * volume),
                                          dlp__warm_bodies_sum(step->domains, DLP_FIELD_NONE, n), solid->temperature};
        n++;
    }
    return true;
}
