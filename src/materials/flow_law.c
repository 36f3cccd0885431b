/* Flow laws of generalised Newtonian and yield-stress fluids, and thixotropy. */
#include "materials/flow_law.h"

#include <math.h>

/* The lowest rate at which laws are evaluated: viscosity is finite there. */
static const double LEAST_RATE = 1e-12; /* 1/s */

/* pow(x, exponent), as a product for the exponents 1 and 2: Bingham's law, and that of a flow_index of 0.5, are common. */
static double power(double x, double exponent)
{
    return exponent == 2.0 ? x * x : exponent == 1.0 ? x : pow(x, exponent);
}

/* Viscosity of Carreau-Yasuda and Cross over its range: 1 at rest, 0 at very high rates. */
static double thinned_fraction(const dlp_MaterialDef *m, double rate)
{
    const double x = m->thinning_time * rate;
    if (m->flow_law == DLP_FLOW_CROSS) {
        return 1.0 / (1.0 + pow(x, 1.0 - m->flow_index));
    }
    return pow(1.0 + pow(x, m->transition), (m->flow_index - 1.0) / m->transition);
}

/* The points of a flow curve between which a rate lies, or the first or last two. A point at rate 0 is the yield stress. */
static const dlp_FlowPoint *segment_of(const dlp_FlowCurve *curve, double rate)
{
    int64_t k = curve->count > 0 && curve->point[0].rate == 0.0 ? 1 : 0;
    while (k + 2 < curve->count && curve->point[k + 1].rate < rate) {
        k++;
    }
    return &curve->point[k];
}

/* Exponent of the power law between two points, of the stress above `yield`. */
static double segment_exponent(const dlp_FlowPoint *from, double yield)
{
    return log((from[1].stress - yield) / (from[0].stress - yield)) / log(from[1].rate / from[0].rate);
}

double dlp__flow_yield_stress(const dlp_MaterialDef *material, double structure)
{
    const dlp_FlowCurve *curve = &material->flow_curve;
    switch (material->flow_law) {
    case DLP_FLOW_CASSON:
    case DLP_FLOW_BINGHAM:
    case DLP_FLOW_HERSCHEL_BULKLEY: return structure * material->yield_stress;
    case DLP_FLOW_TABLE:
        return curve->count > 0 && curve->point[0].rate == 0.0 ? structure * curve->point[0].stress : 0.0;
    default: return 0.0;
    }
}

static double table_stress(const dlp_MaterialDef *m, double rate)
{
    const dlp_FlowPoint *from = segment_of(&m->flow_curve, rate);
    const double yield = dlp__flow_yield_stress(m, 1.0);
    return yield + (from->stress - yield) * pow(rate / from->rate, segment_exponent(from, yield));
}

double dlp__flow_stress(const dlp_MaterialDef *material, double rate, double structure)
{
    const dlp_MaterialDef *m = material;
    const double yield = dlp__flow_yield_stress(m, structure), r = fmax(rate, LEAST_RATE);
    switch (m->flow_law) {
    case DLP_FLOW_POWER_LAW:
    case DLP_FLOW_HERSCHEL_BULKLEY: return yield + structure * m->consistency * pow(r, m->flow_index);
    case DLP_FLOW_BINGHAM: return yield + structure * m->viscosity * r;
    case DLP_FLOW_CASSON: {
        const double root = sqrt(yield) + sqrt(structure * m->viscosity * r);
        return root * root;
    }
    case DLP_FLOW_CARREAU:
    case DLP_FLOW_CROSS: {
        const double range = structure * (m->viscosity - m->infinite_viscosity);
        return (m->infinite_viscosity + range * thinned_fraction(m, r)) * r;
    }
    case DLP_FLOW_TABLE: return structure * table_stress(m, r);
    default: return m->viscosity * r * structure;
    }
}

double dlp__flow_slope_at(const dlp_MaterialDef *material, double rate, double stress, double structure)
{
    const dlp_MaterialDef *m = material;
    const double r = fmax(rate, LEAST_RATE), yield = dlp__flow_yield_stress(m, structure);
    switch (m->flow_law) {
    case DLP_FLOW_POWER_LAW:
    case DLP_FLOW_HERSCHEL_BULKLEY: return m->flow_index * (stress - yield) / stress;
    case DLP_FLOW_BINGHAM: return (stress - yield) / stress;
    case DLP_FLOW_CASSON: return 1.0 - sqrt(yield / stress);
    case DLP_FLOW_CARREAU: {
        const double x = pow(m->thinning_time * r, m->transition), above = stress / r - m->infinite_viscosity;
        return 1.0 + (m->flow_index - 1.0) * x / (1.0 + x) * above * r / stress;
    }
    case DLP_FLOW_CROSS: {
        const double x = pow(m->thinning_time * r, 1.0 - m->flow_index), above = stress / r - m->infinite_viscosity;
        return 1.0 + (m->flow_index - 1.0) * x / (1.0 + x) * above * r / stress;
    }
    case DLP_FLOW_TABLE: {
        const double still = dlp__flow_yield_stress(m, 1.0);
        return segment_exponent(segment_of(&m->flow_curve, r), still) * (stress - yield) / stress;
    }
    default: return 1.0;
    }
}

double dlp__flow_slope(const dlp_MaterialDef *material, double rate, double structure)
{
    const double r = fmax(rate, LEAST_RATE);
    return dlp__flow_slope_at(material, r, dlp__flow_stress(material, r, structure), structure);
}

/* The rate in a flow curve of points. */
static double table_rate(const dlp_MaterialDef *m, double stress)
{
    const double yield = dlp__flow_yield_stress(m, 1.0);
    const dlp_FlowCurve *curve = &m->flow_curve;
    int64_t k = curve->point[0].rate == 0.0 ? 1 : 0;
    while (k + 2 < curve->count && curve->point[k + 1].stress < stress) {
        k++;
    }
    const dlp_FlowPoint *from = &curve->point[k];
    return from->rate * pow((stress - yield) / (from->stress - yield), 1.0 / segment_exponent(from, yield));
}

/* Newton's method on ln(stress) over ln(rate), which is nearly straight, kept between bounds. */
static double search_rate(const dlp_MaterialDef *m, double stress, double structure)
{
    const double least = dlp__flow_stress(m, LEAST_RATE, structure);
    if (stress <= least) {
        return LEAST_RATE * stress / least;
    }
    double low = log(LEAST_RATE), high = log(1e18), x = log(fmax(stress / m->viscosity, LEAST_RATE));
    for (int k = 0; k < 60; k++) {
        const double rate = exp(x), error = log(dlp__flow_stress(m, rate, structure) / stress);
        if (fabs(error) < 1e-13) {
            break;
        }
        low = error < 0.0 ? x : low;
        high = error > 0.0 ? x : high;
        const double next = x - error / fmax(dlp__flow_slope(m, rate, structure), 1e-3);
        x = next > low && next < high ? next : 0.5 * (low + high);
    }
    return exp(x);
}

double dlp__flow_rate_at(const dlp_MaterialDef *material, double stress, double structure)
{
    const dlp_MaterialDef *m = material;
    const double yield = dlp__flow_yield_stress(m, structure);
    if (!(stress > yield)) {
        return 0.0;
    }
    switch (m->flow_law) {
    case DLP_FLOW_POWER_LAW:
    case DLP_FLOW_HERSCHEL_BULKLEY: return power((stress - yield) / (structure * m->consistency), 1.0 / m->flow_index);
    case DLP_FLOW_BINGHAM: return (stress - yield) / (structure * m->viscosity);
    case DLP_FLOW_CASSON: {
        const double root = sqrt(stress) - sqrt(yield);
        return root * root / (structure * m->viscosity);
    }
    case DLP_FLOW_CARREAU:
    case DLP_FLOW_CROSS: return search_rate(m, stress, structure);
    case DLP_FLOW_TABLE: return table_rate(m, stress / structure);
    default: return stress / (structure * m->viscosity);
    }
}

/* 1/s, at which the structure approaches its steady value. */
static double structure_speed(const dlp_MaterialDef *m, double rate)
{
    return 1.0 / m->recovery_time + m->breakdown * rate;
}

double dlp__structure_steady(const dlp_MaterialDef *material, double rate)
{
    return material->recovery_time > 0.0 ? 1.0 / (material->recovery_time * structure_speed(material, rate)) : 1.0;
}

double dlp__structure_after(const dlp_MaterialDef *material, double structure, double rate, double time)
{
    if (material->recovery_time <= 0.0) {
        return 1.0;
    }
    const double steady = dlp__structure_steady(material, rate);
    return steady + (structure - steady) * exp(-structure_speed(material, rate) * time);
}

static dlp_Result fail_missing(const dlp_MaterialDef *m, const char *law, const char *keys, dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_ARGUMENT, "material '%s' has the flow law %s, which needs %s", m->name, law,
                     keys);
}

/* Stress must rise with the rate, or the flow is not unique. */
static dlp_Result check_curve(const dlp_MaterialDef *m, dlp_Error *error)
{
    const dlp_FlowCurve *curve = &m->flow_curve;
    const bool yields = curve->count > 0 && curve->point[0].rate == 0.0;
    if (curve->count < (yields ? 3 : 2)) {
        return fail_missing(m, "table",
                            "a flow_curve of two points or more, such as [[0.1 1/s, 20 Pa], [10 1/s, 60 Pa]]", error);
    }
    for (int64_t k = 0; k < curve->count; k++) {
        if (!(curve->point[k].stress > (k > 0 ? curve->point[k - 1].stress : 0.0))) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "material '%s': the stress of flow_curve is %g Pa at %g 1/s, which is not above that of the "
                "point before: stress must rise with the rate",
                m->name, curve->point[k].stress, curve->point[k].rate);
        }
    }
    return DLP_OK;
}

static dlp_Result check_flow(const dlp_MaterialDef *m, dlp_Error *error)
{
    switch (m->flow_law) {
    case DLP_FLOW_POWER_LAW:
        return m->consistency > 0.0 ? DLP_OK : fail_missing(m, "power_law", "a consistency", error);
    case DLP_FLOW_CARREAU:
    case DLP_FLOW_CROSS:
        if (!(m->viscosity > m->infinite_viscosity) || !(m->thinning_time > 0.0)) {
            return fail_missing(m, m->flow_law == DLP_FLOW_CROSS ? "cross" : "carreau",
                                "a thinning_time, and a viscosity above infinite_viscosity", error);
        }
        if (m->flow_index > 1.0) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "material '%s' has a flow_index of %g: this law thins, give at most 1", m->name,
                             m->flow_index);
        }
        return DLP_OK;
    case DLP_FLOW_CASSON:
    case DLP_FLOW_BINGHAM:
        return m->viscosity > 0.0 ? DLP_OK
                                  : fail_missing(m, m->flow_law == DLP_FLOW_CASSON ? "casson" : "bingham",
                                                 "a viscosity, that above the yield stress", error);
    case DLP_FLOW_HERSCHEL_BULKLEY:
        return m->consistency > 0.0 ? DLP_OK : fail_missing(m, "herschel_bulkley", "a consistency", error);
    case DLP_FLOW_TABLE: return check_curve(m, error);
    default: return DLP_OK;
    }
}

dlp_Result dlp__flow_law_check(const dlp_MaterialDef *material, dlp_Error *error)
{
    const dlp_MaterialDef *m = material;
    const bool uses_viscosity = m->flow_law == DLP_FLOW_NEWTONIAN || m->flow_law == DLP_FLOW_CARREAU ||
                                m->flow_law == DLP_FLOW_CROSS || m->flow_law == DLP_FLOW_CASSON ||
                                m->flow_law == DLP_FLOW_BINGHAM;
    if (!uses_viscosity && m->viscosity > 0.0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "material '%s' has a viscosity, which its flow law does not use: remove it; that of a solvent is "
            "solvent_viscosity",
            m->name);
    }
    if (!dlp__flow_is_newtonian(m) && (m->relaxation_time > 0.0 || m->extensibility > 0.0 || m->modes.count > 0 ||
                                       m->elastic_law != DLP_ELASTIC_MAXWELL)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has a flow law and %s: with a flow law, elasticity is given by modulus alone",
                         m->name, m->modes.count > 0 ? "modes" : "a relaxation_time, extensibility or elastic_law");
    }
    if (m->modes.count > 0 && (m->viscosity > 0.0 || m->modulus > 0.0 || m->relaxation_time > 0.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has modes and a %s: modes replace it; that of a solvent is solvent_viscosity",
                         m->name,
                         m->viscosity > 0.0 ? "viscosity"
                         : m->modulus > 0.0 ? "modulus"
                                            : "relaxation_time");
    }
    if (m->elastic_law != DLP_ELASTIC_MAXWELL && m->extensibility > 0.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has an extensibility and another elastic law than maxwell: remove one of them",
                         m->name);
    }
    if (m->recovery_time > 0.0 && m->modes.count > 0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "material '%s' is thixotropic and has modes: thixotropy changes the flow law, remove the modes", m->name);
    }
    return check_flow(m, error);
}
