/* Steady shear, steady extension and small oscillations of the law of a material, from the equations of the steady state.
 *
 * Maxwell elements: the tensor A = Q - I of an element in units of its modulus, at the Weissenberg number W = relaxation time * rate.
 * PTT and FENE-P in shear relax f times as fast with f^2 (f - 1) = 2 epsilon W^2, or f^2 ln f of exponential PTT, where epsilon of FENE-P is
 * 1 / b; Giesekus is solved in closed form (Bird, Armstrong, Hassager, Dynamics of Polymeric Liquids 1, section 7.3). */
#include "base/root.h"
#include "materials/flow_law.h"
#include "materials/law_parts.h"
#include "materials/maxwell.h"

#include <dollop/rheology.h>
#include <math.h>

static const dlp__LawStress NO_STRESS = {NAN, NAN, NAN, NAN};

/* f^2 (f - 1) or f^2 ln f, as a function of x = ln f, less its value. */
typedef struct Speedup {
    bool exponential;
    double value;
} Speedup;

static double speedup_excess(const void *user, double x)
{
    const Speedup *s = user;
    return exp(2.0 * x) * (s->exponential ? x : expm1(x)) - s->value;
}

/* f of PTT and FENE-P in steady shear. */
static double shear_speedup(const dlp__LawParts *law, double w)
{
    const dlp_MaterialDef *m = law->material;
    const double epsilon = law->limit > 0.0 ? 1.0 / law->limit : m->ptt_epsilon;
    const Speedup s = {m->elastic_law == DLP_ELASTIC_PTT_EXPONENTIAL, 2.0 * epsilon * w * w};
    return exp(dlp__find_root(speedup_excess, &s, 0.0, log1p(s.exponential ? s.value : cbrt(s.value))));
}

/* Giesekus in steady shear, in units of the modulus. No difference cancels at any mobility and W. */
static dlp__LawStress giesekus_shear(double mobility, double w)
{
    const double root = sqrt(1.0 + 16.0 * mobility * (1.0 - mobility) * w * w), steep = sqrt(2.0 / (root + 1.0));
    const double per_mobility = 16.0 * w * w / ((root + 1.0) * (root + 1.0) * (1.0 + steep)),
                 v = mobility * per_mobility;
    const double f = v / (v + 2.0 * steep), rest = 2.0 * steep / (v + 2.0 * steep); /* 1 - f */
    const double viscosity = rest * rest / (rest + 2.0 * (1.0 - mobility) * f);
    const double first = 2.0 * per_mobility / (v + 2.0 * steep) * (1.0 - mobility * f) / rest;
    return (dlp__LawStress){.xx = first - f, .zz = -f, .xz = viscosity * w};
}

/* Pa, of a Maxwell element that relaxes in `time` (s), in steady shear; without isotropic stress. */
static dlp__LawStress element_shear(const dlp__LawParts *law, const dlp_RelaxationMode *mode, double time, double rate)
{
    const double g = mode->modulus, w = time * rate;
    if (isinf(time)) {
        return NO_STRESS;
    }
    if (law->limit <= 0.0 && law->material->elastic_law == DLP_ELASTIC_GIESEKUS) {
        const dlp__LawStress s = giesekus_shear(law->material->mobility, w);
        return (dlp__LawStress){g * s.xx, 0.0, g * s.zz, g * s.xz};
    }
    const double f = law->limit > 0.0 || law->material->elastic_law != DLP_ELASTIC_MAXWELL ? shear_speedup(law, w)
                                                                                           : 1.0;
    return (dlp__LawStress){.xx = 2.0 * g * (w / f) * (w / f), .xz = g * w / f};
}

/* An element in steady extension: the excess of the trace over that of its law, decreasing with the distance of f from its least value. */
typedef struct Stretch {
    double epsilon; /* of PTT; 0: FENE-P */
    double limit;   /* b */
    bool exponential;
    double w, least; /* f is above the larger of 2 W and -W */
} Stretch;

/* x is the logarithm of f - least. */
static double stretch_excess(const void *user, double x)
{
    const Stretch *s = user;
    const double over = exp(x), f = s->least + over;
    const double along = s->w > 0.0 ? over : f - 2.0 * s->w, across = s->w > 0.0 ? f + s->w : over;
    if (s->epsilon == 0.0) {
        return s->limit - (s->limit - 3.0) / f - 1.0 / along - 2.0 / across;
    }
    const double trace = s->epsilon * 6.0 * (s->w / along) * (s->w / across);
    return (s->exponential ? log(f) : f - 1.0) - trace;
}

/* Qxx - Qyy of an element, of FENE-P times f. */
static double stretched_element(const dlp__LawParts *law, double w)
{
    const dlp_MaterialDef *m = law->material;
    const bool linear = law->limit <= 0.0 && (m->elastic_law == DLP_ELASTIC_MAXWELL || m->ptt_epsilon <= 0.0);
    const Stretch s = {.epsilon = law->limit > 0.0 ? 0.0 : m->ptt_epsilon,
                       .limit = law->limit,
                       .exponential = m->elastic_law == DLP_ELASTIC_PTT_EXPONENTIAL,
                       .w = w,
                       .least = fmax(2.0 * w, -w)};
    const double over = linear ? 1.0 - s.least : exp(dlp__find_root(stretch_excess, &s, -300.0, 300.0));
    if (!(over > 0.0)) {
        return NAN; /* it stretches for ever */
    }
    const double f = s.least + over, along = w > 0.0 ? over : f - 2.0 * w, across = w > 0.0 ? f + w : over;
    return 3.0 * (w / along) * (f / across);
}

/* The root of a x^2 + p x = c that is 0 at c = 0 and p > 0. */
static double small_root(double a, double p, double c)
{
    const double d = sqrt(fmax(p * p + 4.0 * a * c, 0.0));
    return p > 0.0 ? 2.0 * c / (p + d) : (d - p) / (2.0 * a);
}

/* Pa, of a Maxwell element that relaxes in `time`, in steady extension along x. */
static dlp__LawStress element_extension(const dlp__LawParts *law, const dlp_RelaxationMode *mode, double time,
                                        double rate)
{
    const double w = time * rate, mobility = law->material->mobility;
    if (isinf(time)) {
        return NO_STRESS;
    }
    if (law->limit <= 0.0 && law->material->elastic_law == DLP_ELASTIC_GIESEKUS && mobility > 0.0) {
        const double across = small_root(mobility, 1.0 + w, -w);
        return (dlp__LawStress){mode->modulus * small_root(mobility, 1.0 - 2.0 * w, 2.0 * w), mode->modulus * across,
                                mode->modulus * across, 0.0};
    }
    return (dlp__LawStress){.xx = mode->modulus * stretched_element(law, w)};
}

typedef dlp__LawStress ElementStress(const dlp__LawParts *law, const dlp_RelaxationMode *mode, double time,
                                     double rate);

/* The steady structure of a thixotropic element: it relaxes faster with less structure, and flow breaks the structure. */
typedef struct Thixotropy {
    const dlp__LawParts *law;
    ElementStress *stress;
    double rate;
} Thixotropy;

static double structure_excess(const void *user, double structure)
{
    const Thixotropy *t = user;
    const dlp_RelaxationMode *mode = t->law->mode;
    const dlp__LawStress stress = t->stress(t->law, mode, structure * mode->relaxation_time, t->rate);
    const double flow = dlp__law_element_flow(mode, dlp__law_stress_size(&stress), structure);
    /* without a steady stress it is stretched ever more, until its structure is gone */
    return isnan(flow) ? 1.0 : structure - dlp__structure_steady(t->law->material, flow);
}

/* The sum of the elements. */
static dlp__LawStress elastic_stress(const dlp__LawParts *law, ElementStress *stress, double rate)
{
    const Thixotropy thixotropy = {law, stress, rate};
    const bool thins = law->material->recovery_time > 0.0 && !isinf(law->mode[0].relaxation_time);
    const double structure = thins ? dlp__find_root(structure_excess, &thixotropy, 1e-12, 1.0) : 1.0;
    dlp__LawStress sum = {0};
    for (int k = 0; k < law->mode_count; k++) {
        const dlp__LawStress s = stress(law, &law->mode[k], structure * law->mode[k].relaxation_time, rate);
        sum = (dlp__LawStress){sum.xx + s.xx, sum.yy + s.yy, sum.zz + s.zz, sum.xz + s.xz};
    }
    return sum;
}

/* Saramito's law in steady flow. The rate of flow p = flow_rate_at(t) determines t and the relaxation rate G p / t, and with them the shear
 * stress or the tension, and the rate of shear or extension. */
typedef struct PlasticFlow {
    const dlp_MaterialDef *material;
    double modulus;
    bool extends;
    double rate; /* of shear or extension, 1/s; extension may be negative */
} PlasticFlow;

/* Pa, t at a rate of flow. */
static double plastic_stress(const dlp_MaterialDef *m, double flow)
{
    return dlp__flow_stress(m, flow, dlp__structure_steady(m, flow));
}

/* Shear stress over modulus: t^2 = s^2 + N1^2 / 3 with N1 = 2 s^2 / G. */
static double plastic_shear(double t)
{
    return t * sqrt(2.0 / (1.0 + sqrt(1.0 + 16.0 / 3.0 * t * t)));
}

/* Rate of extension over the relaxation rate at a tension over modulus d = sqrt(3) t: d (1 - 2 x) (1 + x) = 3 x. */
static double plastic_extension(double d)
{
    const double p = 3.0 + d;
    return 2.0 * d / (p + sqrt(p * p + 8.0 * d * d));
}

/* The logarithm of the rate of shear or extension at the rate of flow exp(x), less the one that is asked for. */
static double plastic_excess(const void *user, double x)
{
    const PlasticFlow *f = user;
    const double flow = exp(x), t = plastic_stress(f->material, flow) / f->modulus;
    const double root = sqrt(3.0), sign = f->rate < 0.0 ? -1.0 : 1.0;
    const double rate = f->extends ? sign * plastic_extension(sign * root * t) / t : plastic_shear(t) / t;
    return x + log(rate) - log(fabs(f->rate));
}

/* Pa, t; NaN if there is no steady flow. The rate of flow is at least that of shear, and 1.5 times that of extension. Where a flow law
 * thickens strongly there may be several; the slowest is stable. */
static double steady_plastic_stress(const PlasticFlow *flow)
{
    const double most = log(1e150), wider = 1.05;
    double length = 0.25;
    if (flow->rate == 0.0) {
        return dlp__flow_yield_stress(flow->material, 1.0);
    }
    double low = log(0.5 * fabs(flow->rate));
    while (low < most) {
        if (plastic_excess(flow, low + length) >= 0.0) {
            return plastic_stress(flow->material, exp(dlp__find_root(plastic_excess, flow, low, low + length)));
        }
        low += length;
        length *= wider;
    }
    return NAN;
}

/* A paste without a given modulus flows like a viscous fluid. */
static bool is_viscous(const dlp__LawParts *law)
{
    return law->kind == DLP_LAW_VISCOUS || dlp__law_is_rigid(law);
}

/* Pa, without solvent; at rest the limit for slow flow. */
static double viscous_stress(const dlp_MaterialDef *material, double rate)
{
    return rate != 0.0 ? plastic_stress(material, rate) : dlp__flow_yield_stress(material, 1.0);
}

/* Pa, the stress of steady shear without solvent, at a rate of 0 or more. */
static dlp__LawStress steady_shear(const dlp__LawParts *law, double rate)
{
    if (law->kind == DLP_LAW_ELASTIC) {
        return elastic_stress(law, element_shear, rate);
    }
    if (is_viscous(law)) {
        return (dlp__LawStress){.xz = viscous_stress(law->material, rate)};
    }
    const double g = law->mode[0].modulus;
    const double s = plastic_shear(steady_plastic_stress(&(PlasticFlow){law->material, g, false, rate}) / g);
    return (dlp__LawStress){.xx = 2.0 * g * s * s, .xz = g * s};
}

double dlp_material_shear_stress(const dlp_MaterialDef *material, double rate)
{
    if (material == NULL || !isfinite(rate)) {
        return NAN;
    }
    const dlp__LawParts law = dlp__law_parts(material);
    return copysign(steady_shear(&law, fabs(rate)).xz, rate) + material->solvent_viscosity * rate;
}

double dlp_material_normal_stress(const dlp_MaterialDef *material, double rate)
{
    if (material == NULL || !isfinite(rate)) {
        return NAN;
    }
    const dlp__LawParts law = dlp__law_parts(material);
    const dlp__LawStress s = steady_shear(&law, fabs(rate));
    return s.xx - s.zz;
}

double dlp_material_yield_stress(const dlp_MaterialDef *material)
{
    return material != NULL ? dlp__flow_yield_stress(material, 1.0) : NAN;
}

double dlp_material_extensional_stress(const dlp_MaterialDef *material, double rate)
{
    if (material == NULL || !isfinite(rate)) {
        return NAN;
    }
    const dlp__LawParts law = dlp__law_parts(material);
    const double root = sqrt(3.0), solvent = 3.0 * material->solvent_viscosity * rate;
    if (law.kind == DLP_LAW_ELASTIC) {
        const dlp__LawStress s = elastic_stress(&law, element_extension, rate);
        return s.xx - s.yy + solvent;
    }
    const PlasticFlow flow = {material, law.mode[0].modulus, true, rate};
    const double size = is_viscous(&law) ? viscous_stress(material, root * fabs(rate)) : steady_plastic_stress(&flow);
    return copysign(root * size, rate) + solvent;
}

/* Pa.s, viscosity of a flow law without yield stress at vanishing rates: infinite if it thins there, 0 if it thickens. */
static double zero_shear_viscosity(const dlp_MaterialDef *m)
{
    if (m->flow_law != DLP_FLOW_POWER_LAW && m->flow_law != DLP_FLOW_HERSCHEL_BULKLEY &&
        m->flow_law != DLP_FLOW_TABLE) {
        return m->viscosity;
    }
    const double rate = 1e-12, exponent = dlp__flow_slope(m, rate, 1.0);
    if (exponent == 1.0) {
        return dlp__flow_stress(m, rate, 1.0) / rate;
    }
    return exponent < 1.0 ? INFINITY : 0.0;
}

/* Adds a Maxwell element. */
static void add_element(double modulus, double time, double frequency, double *storage, double *loss)
{
    if (isinf(time)) {
        *storage += modulus;
        return;
    }
    const double x = frequency * time, part = modulus / (1.0 + x * x);
    *storage += part * x * x;
    *loss += part * x;
}

void dlp_material_moduli(const dlp_MaterialDef *material, double frequency, double *storage, double *loss)
{
    double elastic = NAN, viscous = NAN;
    if (material != NULL && frequency >= 0.0) {
        const dlp__LawParts law = dlp__law_parts(material);
        const bool yields = dlp__flow_yield_stress(material, 1.0) > 0.0;
        elastic = dlp__law_is_rigid(&law) ? NAN : 0.0;
        viscous = material->solvent_viscosity * frequency;
        for (int k = 0; k < law.mode_count; k++) {
            const dlp_RelaxationMode *mode = &law.mode[k];
            const double time = law.kind == DLP_LAW_ELASTIC ? mode->relaxation_time
                                : yields                    ? INFINITY
                                                            : zero_shear_viscosity(material) / mode->modulus;
            add_element(mode->modulus, time, frequency, &elastic, &viscous);
        }
        if (law.kind == DLP_LAW_VISCOUS) {
            const double viscosity = zero_shear_viscosity(material);
            elastic = isinf(viscosity) ? NAN : 0.0;
            viscous = isinf(viscosity) ? NAN : viscous + viscosity * frequency;
        }
    }
    if (storage != NULL) {
        *storage = elastic;
    }
    if (loss != NULL) {
        *loss = viscous;
    }
}
