/* Values at points, interpolated from the particles within the kernel support: a weighted least squares fit of a linear field, so
 * that values at walls and surfaces are not biased towards the inside. Where particles are too few for that, their weighted mean
 * (Shepard). */
#include "probes/probes.h"

#include <math.h>
#include <string.h>

enum { TERMS = 4, MOMENTS = 10 }; /* of a linear field; different entries of the symmetric 4 x 4 matrix */

/* Smallest pivot of the fit, relative to the sum of weights; a plane layer of particles is far below. */
static const double LEAST_PIVOT = 0.005;

typedef struct PointSums {
    dlp__LongAccumulator moment[MOMENTS];
    dlp__LongAccumulator value[DLP_PROBE_COMPONENTS][TERMS];
    int64_t known[DLP_PROBE_COMPONENTS]; /* particles that have the component */
    int64_t near;                        /* particles within one spacing */
} PointSums;

_Static_assert(sizeof(PointSums) % sizeof(int64_t) == 0, "they are summed over ranks as integers");

static dlp_Vec3 point_at(const dlp_ProbeDef *def, int64_t n)
{
    const double share = def->kind == DLP_PROBE_LINE && def->count > 1 ? (double)n / (double)(def->count - 1) : 0.0;
    return dlp__add(def->position, dlp__scale(dlp__sub(def->end, def->position), share));
}

/* 1/s, sqrt(2 D:D). */
static double shear_rate_of(const dlp__Particles *p, int64_t i)
{
    double square = 0.0;
    for (int n = 0; n < 9; n++) {
        const double both = (double)p->velocity_gradient[n][i] + (double)p->velocity_gradient[n % 3 * 3 + n / 3][i];
        square += 0.5 * both * both;
    }
    return sqrt(square);
}

/* All components of a particle; NaN where the method or the scene does not have one. */
static void components_of(const dlp__ProbeInput *input, const dlp__Particles *p, int64_t i,
                          double to[DLP_PROBE_COMPONENTS])
{
    const bool has_gradient = dlp__particles_have(p, DLP_FIELD_velocity_gradient);
    const bool has_stress = has_gradient && dlp__particles_have(p, DLP_FIELD_stress);
    for (int a = 0; a < 3; a++) {
        to[a] = (double)p->velocity[a][i];
    }
    to[3] = (double)p->pressure[0][i];
    to[4] = has_gradient ? shear_rate_of(p, i) : input->has_shear_rate ? (double)p->shear_rate[0][i] : NAN;
    for (int n = 0; n < 6; n++) {
        to[5 + n] = has_stress ? (double)p->stress[n][i] : NAN;
    }
    to[11] = input->has_temperature ? (double)p->temperature[0][i] : NAN;
    to[12] = (double)p->density[0][i];
}

static double shortest(double way, double period)
{
    return period > 0.0 ? way - period * nearbyint(way / period) : way;
}

/* Points on the line that may be within the support of x: from `first` up to, not including, `last`. */
static void points_near(const dlp_ProbeDef *def, const dlp__ProbeInput *input, dlp_Vec3 x, int64_t *first,
                        int64_t *last)
{
    const dlp_Vec3 along = dlp__sub(def->end, def->position), period = input->periodic_size;
    const double length = dlp__length(along), step = length / (double)(def->count - 1);
    const int64_t count = def->kind == DLP_PROBE_LINE ? def->count : 1;
    *first = 0;
    *last = count;
    if (count > 1 && step > 0.0 && !(period.x > 0.0 || period.y > 0.0 || period.z > 0.0)) {
        const double at = dlp__dot(dlp__sub(x, def->position), along) / length, reach = (double)input->kernel->support;
        const double low = floor((at - reach) / step), high = ceil((at + reach) / step) + 1.0;
        *first = (int64_t)fmin(fmax(low, 0.0), (double)count);
        *last = (int64_t)fmin(fmax(high, 0.0), (double)count);
    }
}

static void add_particle(PointSums *sums, const dlp__ProbeInput *input, dlp_Vec3 offset, double distance,
                         const double component[DLP_PROBE_COMPONENTS])
{
    const double support = (double)input->kernel->support, weight = dlp__kernel_value(input->kernel, distance);
    const double term[TERMS] = {1.0, offset.x / support, offset.y / support, offset.z / support};
    int moment = 0;
    sums->near += distance < input->spacing;
    for (int a = 0; a < TERMS; a++) {
        for (int b = a; b < TERMS; b++) {
            dlp__long_add(&sums->moment[moment++], weight * term[a] * term[b]);
        }
        for (int n = 0; n < DLP_PROBE_COMPONENTS; n++) {
            if (!isnan(component[n])) {
                sums->known[n]++;
                dlp__long_add(&sums->value[n][a], weight * term[a] * component[n]);
            }
        }
    }
}

/* The coefficients c of the value at the point, sum of c_a times the sums of component n: the first row of the inverse matrix. */
static void fit(const PointSums *sums, double c[TERMS])
{
    double lower[TERMS][TERMS] = {{0.0}}, forward[TERMS];
    int moment = 0;
    for (int a = 0; a < TERMS; a++) {
        for (int b = a; b < TERMS; b++) {
            lower[b][a] = dlp__long_value(&sums->moment[moment++]);
        }
    }
    const double all = lower[0][0];
    for (int a = 0; a < TERMS; a++) { /* Cholesky */
        for (int k = 0; k < a; k++) {
            for (int b = a; b < TERMS; b++) {
                lower[b][a] -= lower[b][k] * lower[a][k];
            }
        }
        if (!(lower[a][a] > LEAST_PIVOT * all)) {
            c[0] = 1.0 / all;
            c[1] = c[2] = c[3] = 0.0;
            return;
        }
        const double root = sqrt(lower[a][a]);
        for (int b = a; b < TERMS; b++) {
            lower[b][a] /= root;
        }
    }
    for (int a = 0; a < TERMS; a++) {
        forward[a] = a == 0 ? 1.0 : 0.0;
        for (int k = 0; k < a; k++) {
            forward[a] -= lower[a][k] * forward[k];
        }
        forward[a] /= lower[a][a];
    }
    for (int a = TERMS - 1; a >= 0; a--) {
        c[a] = forward[a];
        for (int k = a + 1; k < TERMS; k++) {
            c[a] -= lower[k][a] * c[k];
        }
        c[a] /= lower[a][a];
    }
}

/* There is fluid where a particle is within one spacing. */
static void finish_point(dlp__Probe *probe, const PointSums *sums, int64_t point)
{
    int first = 0;
    const int components = dlp__quantity_components(probe->def.quantity, &first);
    double c[TERMS];
    if (sums->near == 0) {
        return;
    }
    fit(sums, c);
    for (int n = 0; n < components; n++) {
        double value = sums->known[first + n] > 0 ? 0.0 : NAN;
        for (int a = 0; a < TERMS; a++) {
            value += c[a] * dlp__long_value(&sums->value[first + n][a]);
        }
        probe->values[1 + point * components + n] = value;
    }
}

static void add_part(const dlp__Probe *probe, const dlp__ProbeInput *input, const dlp__Particles *p)
{
    PointSums *sums = probe->work.data;
    const dlp_Vec3 period = input->periodic_size;
    for (int64_t i = 0; i < p->count; i++) {
        const dlp_Vec3 x = dlp__probe_position(p, i);
        double component[DLP_PROBE_COMPONENTS];
        int64_t first = 0, last = 0;
        points_near(&probe->def, input, x, &first, &last);
        for (int64_t n = first; n < last; n++) {
            dlp_Vec3 offset = dlp__sub(x, point_at(&probe->def, n));
            offset = dlp__vec3(shortest(offset.x, period.x), shortest(offset.y, period.y),
                               shortest(offset.z, period.z));
            const double distance = dlp__length(offset);
            if (distance < (double)input->kernel->support && dlp__probe_counts(&probe->def, p, i)) {
                components_of(input, p, i, component);
                add_particle(&sums[n], input, offset, distance, component);
            }
        }
    }
}

bool dlp__point_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input)
{
    const int64_t count = probe->def.kind == DLP_PROBE_LINE ? probe->def.count : 1;
    if (!dlp__buffer_reserve(input->domains->memory, &probe->work, count, sizeof(PointSums))) {
        return false;
    }
    PointSums *sums = probe->work.data;
    memset(sums, 0, (size_t)count * sizeof *sums);
    for (int d = 0; d < input->domains->count; d++) {
        add_part(probe, input, &input->domains->part[d].particles);
    }
    dlp__ranks_reduce(input->domains->ranks, DLP_REDUCE_SUM, sums, count * (int64_t)(sizeof *sums / sizeof(int64_t)));
    for (int64_t n = 0; n < count; n++) {
        finish_point(probe, &sums[n], n);
    }
    return true;
}
