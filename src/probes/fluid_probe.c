/* Volume, mass, height and centre of mass of the fluid in a region. */
#include "probes/probes.h"

#include "geometry/shape.h"

#include <math.h>

typedef struct Region {
    bool everywhere;
    dlp__Shape shape;
} Region;

static Region region_of(const dlp_ProbeDef *def)
{
    static const int32_t kinds[] = {DLP_SHAPE_BOX, DLP_SHAPE_BOX, DLP_SHAPE_SPHERE, DLP_SHAPE_CYLINDER};
    const dlp_ShapeDef shape = {.kind = kinds[def->shape],
                                .position = def->position,
                                .rotation = def->rotation,
                                .size = def->box,
                                .radius = def->radius,
                                .length = def->length,
                                .mesh = -1};
    return (Region){def->shape == DLP_PROBE_EVERYWHERE, dlp__shape_place(&shape, NULL)};
}

enum { MASS, MOMENT, TERMS = MOMENT + 3 };

typedef struct Sums {
    dlp__LongAccumulator term[TERMS]; /* kg; kg m, 3 */
    int64_t count;
    double lowest, highest; /* m, along `up` */
} Sums;

static void add_particle(Sums *sums, dlp_Vec3 x, dlp_Vec3 up, double mass)
{
    const double level = dlp__dot(x, up);
    sums->count++;
    sums->lowest = fmin(sums->lowest, level);
    sums->highest = fmax(sums->highest, level);
    dlp__long_add(&sums->term[MASS], mass);
    dlp__long_add(&sums->term[MOMENT], mass * x.x);
    dlp__long_add(&sums->term[MOMENT + 1], mass * x.y);
    dlp__long_add(&sums->term[MOMENT + 2], mass * x.z);
}

static void merge_ranks(Sums *sums, dlp_Ranks *ranks)
{
    dlp__long_merge_ranks(ranks, sums->term, TERMS);
    sums->count = dlp__ranks_sum(ranks, sums->count);
    sums->lowest = dlp__ranks_least(ranks, sums->lowest);
    sums->highest = dlp__ranks_most(ranks, sums->highest);
}

void dlp__fluid_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input)
{
    const Region region = region_of(&probe->def);
    const dlp_Vec3 up = dlp__unit_or_up(dlp__scale(input->gravity, -1.0));
    Sums sums = {.lowest = INFINITY, .highest = -INFINITY};
    for (int d = 0; d < input->domains->count; d++) {
        const dlp__Particles *p = &input->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const dlp_Vec3 x = dlp__probe_position(p, i);
            if (dlp__probe_counts(&probe->def, p, i) &&
                (region.everywhere || dlp__shape_distance(&region.shape, x, NULL) < 0.0)) {
                add_particle(&sums, x, up, dlp__probe_mass(input, p, i));
            }
        }
    }
    merge_ranks(&sums, input->domains->ranks);
    const double mass = dlp__long_value(&sums.term[MASS]), spacing = input->spacing;
    probe->values[1] = (double)sums.count * spacing * spacing * spacing;
    probe->values[2] = mass;
    if (sums.count > 0) { /* the surface is half a spacing beyond the outermost particles */
        probe->values[3] = sums.highest + 0.5 * spacing;
        probe->values[4] = sums.lowest - 0.5 * spacing;
        probe->values[5] = probe->values[3] - probe->values[4];
        for (int a = 0; a < 3; a++) {
            probe->values[6 + a] = dlp__long_value(&sums.term[MOMENT + a]) / mass;
        }
    }
}
