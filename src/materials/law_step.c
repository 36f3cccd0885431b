/* Material laws over a time step: relaxation of elastic laws, return mapping of yield-stress fluids, structure. */
#include "materials/law_step.h"

#include "materials/flow_law.h"
#include "materials/maxwell.h"

#include <math.h>
#include <string.h>

enum { XX, YY, ZZ, XY, XZ, YZ };

/* Strain stops growing at this stretch, as in method physical. */
static const double MOST_STRAIN = 1e4;

/* Structure that is left of a thixotropic material, however fast it is sheared: rates of relaxation are divided by it. */
static const double LEAST_STRUCTURE = 1e-6;

/* 1/s, where the flow law of a strongly thinning fluid would overflow. */
static const double MOST_RATE = 1e30;

/* How an element relaxes: at a rate r towards T; T - I is given. */
typedef struct Relaxation {
    double rate; /* 1/s */
    double target[6];
} Relaxation;

static double trace_of(const double m[6])
{
    return m[XX] + m[YY] + m[ZZ];
}

/* a:b */
static double product_of(const double a[6], const double b[6])
{
    return a[XX] * b[XX] + a[YY] * b[YY] + a[ZZ] * b[ZZ] + 2.0 * (a[XY] * b[XY] + a[XZ] * b[XZ] + a[YZ] * b[YZ]);
}

static double square_of(const double m[6])
{
    return product_of(m, m);
}

/* s:t / 2 of the deviators s of a and t of b. */
static double deviator_product(const double a[6], const double b[6])
{
    return 0.5 * (product_of(a, b) - trace_of(a) * trace_of(b) / 3.0);
}

/* sqrt(s:s / 2) of the deviator s of m. */
static double deviator_size(const double m[6])
{
    const double square = deviator_product(m, m);
    return square > 0.0 ? sqrt(square) : 0.0;
}

/* A m for symmetric m. */
static void multiply(const double a[9], const double m[6], double to[9])
{
    for (int n = 0; n < 9; n += 3) {
        const double x = a[n], y = a[n + 1], z = a[n + 2];
        to[n] = x * m[XX] + y * m[XY] + z * m[XZ];
        to[n + 1] = x * m[XY] + y * m[YY] + z * m[YZ];
        to[n + 2] = x * m[XZ] + y * m[YZ] + z * m[ZZ];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A B^T where that is symmetric. */
static void multiply_rows(const double a[9], const double b[9], double to[6])
{
    to[XX] = dot(a, b);
    to[YY] = dot(a + 3, b + 3);
    to[ZZ] = dot(a + 6, b + 6);
    to[XY] = dot(a, b + 3);
    to[XZ] = dot(a, b + 6);
    to[YZ] = dot(a + 3, b + 6);
}

/* A m A^T for symmetric m. */
static void transform(const double a[9], const double m[6], double to[6])
{
    double left[9];
    multiply(a, m, left);
    multiply_rows(left, a, to);
}

/* A + A^T */
static void twice_symmetric(const double a[9], double to[6])
{
    to[XX] = a[0] + a[0];
    to[YY] = a[4] + a[4];
    to[ZZ] = a[8] + a[8];
    to[XY] = a[1] + a[3];
    to[XZ] = a[2] + a[6];
    to[YZ] = a[5] + a[7];
}

/* The parts of a step with velocity gradient L of which relaxation at any rate is a combination. */
typedef struct Carried {
    double gradient[9];
    double strain[6]; /* F Q F^T - I, F = I + dt L */
    double twice[6];  /* L + L^T */
    double square[6]; /* L L^T */
    double dt;
} Carried;

static Carried carry(const double strain[6], const double gradient[9], double dt)
{
    Carried carried = {.dt = dt};
    double forward[9];
    memcpy(carried.gradient, gradient, sizeof carried.gradient);
    for (int n = 0; n < 9; n++) {
        forward[n] = dt * gradient[n];
    }
    forward[0] += 1.0;
    forward[4] += 1.0;
    forward[8] += 1.0;
    transform(forward, strain, carried.strain); /* F (Q - I) F^T */
    multiply_rows(gradient, gradient, carried.square);
    twice_symmetric(gradient, carried.twice);
    for (int n = 0; n < 6; n++) {
        carried.strain[n] += dt * (carried.twice[n] + dt * carried.square[n]); /* F F^T - I */
    }
    return carried;
}

/* What is left of each part of a step after x relaxation times: exp(-x) and its mean with the weights x and x^2 of the time before the end,
 * f(x) = (1 - (1 + x) exp(-x)) / x and g(x) = (2 - (2 + 2 x + x^2) exp(-x)) / x^2. */
typedef struct Decay {
    double kept, gone;    /* exp(-x), 1 - exp(-x) */
    double first, second; /* f, g */
    double slope[3];      /* d/dx of kept, f and g */
} Decay;

static Decay decay_after(double x)
{
    const double gone = -expm1(-x), kept = 1.0 - gone;
    const bool is_short = x < 1e-2; /* where differences would cancel */
    const double first = is_short ? 0.5 - x * (1.0 / 3.0 - x * (0.125 - x / 30.0)) : (gone / x - kept) / x; /* f / x */
    const double second = is_short ? 1.0 / 3.0 - x * (0.25 - x * (0.1 - x / 36.0)) : (2.0 * first - kept) / x;
    return (Decay){kept, gone, x * first, x * second, {-kept, kept - first, kept - 2.0 * second}};
}

/* Q - I at the end of the step: e F Q F^T + r (integral of exp(-r s) (I + s L) T (I + s L)^T) - I, e = exp(-r dt). */
static void relax(const Carried *carried, const Relaxation *relaxation, double strain[6])
{
    const double longest = 1e9; /* relaxation times; all is relaxed long before */
    const double dt = carried->dt;
    const Decay decay = decay_after(dlp__at_most(relaxation->rate * dt, longest));
    const double e = decay.kept, gone = decay.gone, first = dt * decay.first, second = dt * dt * decay.second;
    const double *target = relaxation->target;
    for (int n = 0; n < 6; n++) {
        strain[n] = e * carried->strain[n] + gone * target[n] + first * carried->twice[n] + second * carried->square[n];
    }
    if (square_of(target) > 0.0) {
        double stretched[6], turned[9], twice[6];
        transform(carried->gradient, target, stretched);
        multiply(carried->gradient, target, turned); /* L (T - I) */
        twice_symmetric(turned, twice);
        for (int n = 0; n < 6; n++) {
            strain[n] += first * twice[n] + second * stretched[n];
        }
    }
}

/* f of FENE-P at this strain. */
static double stiffening_of(const dlp__LawParts *law, const double strain[6])
{
    return dlp__maxwell_stiffening(law->limit, 3.0 + trace_of(strain));
}

/* (Q - I)^2 */
static void square_matrix(const double m[6], double to[6])
{
    const double full[9] = {m[XX], m[XY], m[XZ], m[XY], m[YY], m[YZ], m[XZ], m[YZ], m[ZZ]};
    multiply_rows(full, full, to);
}

/* Relaxation of an element of an elastic law. That of Giesekus, (Q - I) + alpha (Q - I)^2, is written as a rate that no direction exceeds
 * and a target that keeps Q positive. */
static Relaxation elastic_relaxation(const dlp__LawParts *law, int mode, const double strain[6], double structure)
{
    const dlp_MaterialDef *m = law->material;
    Relaxation relaxation = {.rate = 1.0 / (law->mode[mode].relaxation_time * structure)};
    const double trace = dlp__at_least(trace_of(strain), 0.0);
    switch (m->elastic_law) {
    case DLP_ELASTIC_PTT_LINEAR: relaxation.rate *= 1.0 + m->ptt_epsilon * trace; break;
    case DLP_ELASTIC_PTT_EXPONENTIAL: relaxation.rate *= exp(dlp__at_most(m->ptt_epsilon * trace, 100.0)); break;
    case DLP_ELASTIC_GIESEKUS: {
        const double alpha = m->mobility, most = 1.0 + alpha * sqrt(square_of(strain));
        double square[6];
        square_matrix(strain, square);
        for (int n = 0; n < 6; n++) {
            relaxation.target[n] = strain[n] - (strain[n] + alpha * square[n]) / most;
        }
        relaxation.rate *= most;
        break;
    }
    default: {
        const double f = stiffening_of(law, strain);
        for (int n = 0; n < 3; n++) {
            relaxation.target[n] = 1.0 / f - 1.0;
        }
        relaxation.rate *= f;
    }
    }
    return relaxation;
}

/* The mean of two relaxations. */
static Relaxation mean_relaxation(const Relaxation *a, const Relaxation *b)
{
    Relaxation mean = {.rate = 0.5 * (a->rate + b->rate)};
    for (int n = 0; n < 6 && mean.rate > 0.0; n++) {
        mean.target[n] = 0.5 * (a->rate * a->target[n] + b->rate * b->target[n]) / mean.rate;
    }
    return mean;
}

static Relaxation advance_elastic(const dlp__LawParts *law, int mode, const Carried *carried, double structure,
                                  double strain[6])
{
    const Relaxation begin = elastic_relaxation(law, mode, strain, structure);
    double guess[6];
    relax(carried, &begin, guess);
    const bool is_linear = law->material->elastic_law == DLP_ELASTIC_MAXWELL && law->limit <= 3.0;
    if (is_linear) {
        memcpy(strain, guess, sizeof guess);
        return begin;
    }
    const Relaxation end = elastic_relaxation(law, mode, guess, structure);
    const Relaxation mean = mean_relaxation(&begin, &end);
    relax(carried, &mean, strain);
    return mean;
}

/* 1/s, of an element under the stress t = G `size`: flow_rate_at(t) / size. */
static double plastic_rate(const dlp__LawParts *law, double size, double structure)
{
    const double stress = law->mode[0].modulus * size;
    return size > 0.0 ? dlp__at_most(dlp__flow_rate_at(law->material, stress, structure) / size, MOST_RATE) : 0.0;
}

/* Halves of deviator products of the parts of a step, of which the size of the strain at its end is a function. */
typedef struct CarriedSizes {
    double strain, twice, square, strain_twice, strain_square, twice_square;
} CarriedSizes;

static CarriedSizes sizes_of(const Carried *carried)
{
    const double *c = carried->strain, *t = carried->twice, *s = carried->square;
    return (CarriedSizes){deviator_product(c, c), deviator_product(t, t), deviator_product(s, s),
                          deviator_product(c, t), deviator_product(c, s), deviator_product(t, s)};
}

/* An element that relaxes as under a stress of G `size`. */
typedef struct PlasticTrial {
    double rate;       /* 1/s */
    double rate_slope; /* d rate / d size */
    double error;      /* its own size at the end of the step minus `size` */
    double slope;      /* d error / d size */
} PlasticTrial;

static PlasticTrial try_size(const dlp__LawParts *law, const CarriedSizes *sizes, double dt, double size,
                             double structure)
{
    const double stress = law->mode[0].modulus * size, flow = dlp__flow_rate_at(law->material, stress, structure);
    const double rate = dlp__at_most(flow / size, MOST_RATE), longest = 1e9;
    const double stiffness = dlp__flow_slope_at(law->material, flow, stress, structure);
    const double rate_slope = rate / size * (1.0 / dlp__at_least(stiffness, 1e-12) - 1.0);
    const Decay decay = decay_after(dlp__at_most(rate * dt, longest));
    const double a = decay.kept, b = dt * decay.first, c = dt * dt * decay.second;
    const double to_strain = a * sizes->strain + b * sizes->strain_twice + c * sizes->strain_square,
                 to_twice = a * sizes->strain_twice + b * sizes->twice + c * sizes->twice_square,
                 to_square = a * sizes->strain_square + b * sizes->twice_square + c * sizes->square;
    const double strained = sqrt(dlp__at_least(a * to_strain + b * to_twice + c * to_square, 0.0));
    const double *d = decay.slope, change = d[0] * to_strain + dt * (d[1] * to_twice + dt * d[2] * to_square);
    return (PlasticTrial){.rate = rate,
                          .rate_slope = rate_slope,
                          .error = strained - size,
                          .slope = (strained > 0.0 ? change / strained * dt * rate_slope : 0.0) - 1.0};
}

/* Return mapping: the size s of the strain that an element has at the end of the step if it relaxes as under a stress of G s. It lies between
 * the yield strain and the sum of the largest sizes of the parts. Steady flow has the size of its start. Newton's
 * method between bounds; the state is stored in single precision, and the error is of the square of the last step. */
static double plastic_relaxation(const dlp__LawParts *law, const Carried *carried, double begin, double structure)
{
    enum { MOST_TRIALS = 60 };
    const double accuracy = 1e-4, rounding = 1e-9;
    const double yield = dlp__flow_yield_stress(law->material, structure) / law->mode[0].modulus;
    const double dt = carried->dt, most_first = 0.3, most_second = 0.2; /* bounds of f and g */
    const CarriedSizes sizes = sizes_of(carried);
    if (sizes.strain <= yield * yield) {
        return 0.0;
    }
    double low = yield, high = sqrt(sizes.strain) + most_first * dt * sqrt(dlp__at_least(sizes.twice, 0.0)) +
                               most_second * dt * dt * sqrt(dlp__at_least(sizes.square, 0.0));
    double trial = begin > low && begin < high ? begin : 0.5 * (low + high), rate = 0.0;
    for (int k = 0; k < MOST_TRIALS; k++) {
        const PlasticTrial at = try_size(law, &sizes, dt, trial, structure);
        const double step = -at.error / at.slope, next = trial + step;
        rate = at.rate;
        if (fabs(step) <= dlp__at_least(accuracy * (trial - yield), rounding * trial) ||
            high - low <= rounding * high) {
            return dlp__at_most(dlp__at_least(rate + at.rate_slope * step, 0.0), MOST_RATE);
        }
        low = at.error > 0.0 ? trial : low;
        high = at.error > 0.0 ? high : trial;
        trial = k % 8 < 7 && next > low && next < high ? next : 0.5 * (low + high);
    }
    return rate;
}

static Relaxation advance_plastic(const dlp__LawParts *law, const Carried *carried, double structure, double strain[6])
{
    const Relaxation relaxation = {.rate = plastic_relaxation(law, carried, deviator_size(strain), structure)};
    if (relaxation.rate > 0.0) {
        relax(carried, &relaxation, strain);
    } else {
        memcpy(strain, carried->strain, sizeof carried->strain);
    }
    return relaxation;
}

static void limit_strain(const dlp__LawParts *law, double strain[6])
{
    const double largest = dlp__at_least(strain[XX], dlp__at_least(strain[YY], strain[ZZ])), trace = trace_of(strain);
    double part = largest > MOST_STRAIN ? MOST_STRAIN / largest : 1.0;
    if (law->limit > 3.0 && trace > 0.999 * law->limit - 3.0) {
        part = dlp__at_most(part, (0.999 * law->limit - 3.0) / trace);
    }
    for (int n = 0; n < 6 && part < 1.0; n++) {
        strain[n] *= part;
    }
}

static double element_modulus(const dlp__LawParts *law, int mode, const double strain[6])
{
    return law->mode[mode].modulus * stiffening_of(law, strain);
}

void dlp__law_elements(const dlp__LawParts *law, const dlp__LawState *state, dlp__LawElement element[DLP_MODES_MOST])
{
    const double structure = dlp__at_least(1.0 - state->damage, LEAST_STRUCTURE);
    for (int mode = 0; mode < law->mode_count; mode++) {
        const double *strain = state->strain[mode];
        element[mode].modulus = element_modulus(law, mode, strain);
        element[mode].relaxation = law->kind == DLP_LAW_PLASTIC ? plastic_rate(law, deviator_size(strain), structure)
                                                                : elastic_relaxation(law, mode, strain, structure).rate;
    }
}

static double shear_rate_of(const double gradient[9])
{
    double twice[6];
    twice_symmetric(gradient, twice);
    return sqrt(0.5 * square_of(twice));
}

/* The rate of flow that breaks the structure: that of a plastic or elastic element under its stress, or the shear rate. */
static double breaking_rate(const dlp__LawParts *law, const dlp__LawState *state, const dlp__LawElement *element,
                            const double gradient[9])
{
    return law->mode_count > 0 ? element[0].relaxation * deviator_size(state->strain[0]) : shear_rate_of(gradient);
}

void dlp__law_advance(const dlp__LawParts *law, const double gradient[9], double dt, dlp__LawState *state,
                      dlp__LawElement element[DLP_MODES_MOST])
{
    const double structure = dlp__at_least(1.0 - state->damage, LEAST_STRUCTURE);
    for (int mode = 0; mode < law->mode_count; mode++) {
        double *strain = state->strain[mode];
        const Carried carried = carry(strain, gradient, dt);
        const Relaxation relaxation = law->kind == DLP_LAW_PLASTIC
                                          ? advance_plastic(law, &carried, structure, strain)
                                          : advance_elastic(law, mode, &carried, structure, strain);
        limit_strain(law, strain);
        element[mode] = (dlp__LawElement){element_modulus(law, mode, strain), relaxation.rate};
    }
    state->damage = 0.0;
    if (law->material->recovery_time <= 0.0) {
        return;
    }
    const double fastest = 1e18; /* 1/s */
    const double rate = dlp__at_most(breaking_rate(law, state, element, gradient), fastest);
    const double left = dlp__structure_after(law->material, structure, rate, dt);
    state->damage = dlp__at_least(1.0 - dlp__at_least(left, LEAST_STRUCTURE), 0.0);
}

double dlp__law_viscosity(const dlp__LawParts *law, double rate, double damage)
{
    const double least = 1e-9; /* 1/s */
    if (law->kind != DLP_LAW_VISCOUS) {
        return 0.0;
    }
    return dlp__flow_stress(law->material, dlp__at_least(rate, least), 1.0 - damage) / dlp__at_least(rate, least);
}

double dlp__law_slope(const dlp__LawParts *law, const dlp__LawState *state, double rate)
{
    const double structure = dlp__at_least(1.0 - state->damage, LEAST_STRUCTURE);
    if (law->kind == DLP_LAW_ELASTIC) {
        return 1.0;
    }
    if (law->kind == DLP_LAW_PLASTIC) {
        const double stress = law->mode[0].modulus * deviator_size(state->strain[0]);
        rate = dlp__flow_rate_at(law->material, stress, structure);
        return rate > 0.0 ? dlp__at_most(dlp__flow_slope_at(law->material, rate, stress, structure), 1.0)
                          : 1.0; /* elastic */
    }
    return dlp__at_most(dlp__flow_slope(law->material, rate, structure), 1.0);
}
