#include "heat/heat_exchange.h"

#include "stages/stage_runner.h"
#include "boundary/nearby_solids.h"

#include <math.h>

typedef struct Visit {
    const dlp__HeatStep *step;
    dlp__Particles *p;
} Visit;

/* What one wall does to particle i. */
static void meet_wall(const Visit *visit, int64_t i, const dlp__Solid *solid, int number, const dlp__Wall *wall)
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
    const double outlet = fmin(conductance, dlp__heat_most(visit->step, dlp__heat_def(visit->step, visit->p, i)));
    conduction[DLP_HEAT_EVENING][i] += (float)share.moment;
    if (!dlp__solid_is_warm(solid)) {
        conduction[DLP_HEAT_OUTLET][i] += (float)outlet;
        conduction[DLP_HEAT_INFLOW][i] += (float)(outlet * solid->temperature);
    } else if (outlet > (double)conduction[DLP_HEAT_TO_BODY][i]) {
        conduction[DLP_HEAT_TO_BODY][i] = (float)outlet;
        conduction[DLP_HEAT_BODY][i] = (float)(1 + number);
    }
}

/* Free bodies that warm and cool before this one. */
static int number_of(const dlp__Solids *solids, int index)
{
    int number = 0;
    for (int n = 0; n < index; n++) {
        number += dlp__solid_is_warm(&solids->solid[n]);
    }
    return number;
}

static void meet_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Visit *visit = context;
    const dlp__Solids *solids = visit->step->solids;
    for (int k = 0; k < near->count; k++) {
        const int index = dlp__nearby_index(near, k);
        const dlp__Solid *solid = &solids->solid[index];
        const int number = dlp__solid_is_warm(solid) ? number_of(solids, index) : -1;
        for (int64_t i = begin; i < end; i++) {
            dlp__Wall wall[DLP_SHAPE_WALLS];
            const int walls = dlp__shape_walls(&solid->shape, dlp__particle_position(visit->p, i),
                                               visit->step->heat->wall.reach, wall);
            for (int w = 0; w < walls; w++) {
                meet_wall(visit, i, solid, number, &wall[w]);
            }
        }
    }
}

static void meet(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__HeatStep *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_def(step, p, i);
        for (int n = 0; n < DLP_FIELD_MOST_COMPONENTS; n++) {
            p->conduction[n][i] = 0.0f;
        }
        p->conduction[DLP_HEAT_CONDUCTIVITY][i] = (float)material->conductivity;
        p->conduction[DLP_HEAT_INFLOW][i] = (float)material->heat_source;
    }
    Visit visit = {step, p};
    dlp__for_groups_near_solids(step->solids, p, begin, end, step->heat->wall.reach, meet_group, &visit);
}

bool dlp__heat_meet_walls(const dlp__HeatStep *step)
{
    static const dlp__Stage stage = {.name = "heat walls", .function = meet, .writes = DLP_FIELD_BIT(conduction)};
    return dlp__run(step->domains, &stage, step);
}

typedef struct BodyTerms {
    const dlp__Domains *domains;
    int field; /* DLP_FIELD_NONE: a one stands for it */
    int number;
} BodyTerms;

static void add_exchange(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const BodyTerms *terms = context;
    const dlp__Particles *p = &terms->domains->part[part].particles;
    const float *values = terms->field != DLP_FIELD_NONE ? dlp__field_array(p, terms->field, 0) : NULL;
    for (int64_t i = begin; i < end; i++) {
        if ((int)p->conduction[DLP_HEAT_BODY][i] == terms->number) {
            const double value = values != NULL ? (double)values[i] : 1.0;
            dlp__exact_add(sum, (double)p->conduction[DLP_HEAT_TO_BODY][i] * value);
        }
    }
}

double dlp__warm_bodies_sum(const dlp__Domains *domains, int field, int n)
{
    const BodyTerms terms = {domains, field, 1 + n};
    int64_t counts[DLP_DOMAINS_MOST];
    double scale = 1.0;
    for (int d = 0; d < domains->count; d++) {
        counts[d] = domains->part[d].particles.count;
    }
    return dlp__exact_sum(domains->parallel, domains->count, counts, add_exchange, &terms, &scale);
}

bool dlp__warm_bodies_find(dlp__WarmBodies *bodies, const dlp__HeatStep *step)
{
    enum { NUMBERS = 5 }; /* of each unknown: change, residual, search, product, mobility */
    const dlp__Solids *solids = step->solids;
    const int count = number_of(solids, solids->count);
    *bodies = (dlp__WarmBodies){.count = count};
    if (count == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(step->domains->memory, &step->heat->body_buffer, count,
                             sizeof(dlp__WarmBody) + NUMBERS * sizeof(double))) {
        return false;
    }
    bodies->body = step->heat->body_buffer.data;
    double *numbers = (double *)(bodies->body + count);
    bodies->unknown = (dlp__KrylovExtra){count,
                                         numbers,
                                         numbers + count,
                                         numbers + 2 * (int64_t)count,
                                         numbers + 3 * (int64_t)count,
                                         numbers + 4 * (int64_t)count};
    bodies->mobility = numbers + 4 * (int64_t)count;
    const double volume = step->spacing * step->spacing * step->spacing;
    for (int n = 0, index = 0; index < solids->count; index++) {
        const dlp__Solid *solid = &solids->solid[index];
        if (!dlp__solid_is_warm(solid)) {
            continue;
        }
        bodies->body[n] = (dlp__WarmBody){index, solid->weight.mass * solid->def.heat_capacity / (step->dt * volume),
                                          dlp__warm_bodies_sum(step->domains, DLP_FIELD_NONE, n), solid->temperature};
        n++;
    }
    return true;
}
