/* Enthalpy, melting, viscosity over temperature, and validation of thermal parameters. */
#include "materials/thermal.h"

#include "materials/law_equivalent.h"

#include <dollop/rheology.h>
#include <math.h>
#include <string.h>

static const double GAS_CONSTANT = 8.314462618; /* J/mol/K */
static const double MIN_TEMPERATURE = 1.0;      /* K, lower limit in laws that divide by temperature */
static const double MAX_VISCOSITY = 1e12;       /* Pa.s, upper limit of the material table */
static const double MIN_KEY_INTERVAL = 1e-6;    /* K */

/* Exponent of the viscosity of partly molten material: at a tenth molten it is a thousand times as viscous. */
static const double SLUSH_POWER = 3.0;

bool dlp__thermal_varies(const dlp_MaterialDef *material)
{
    return material->activation_energy > 0.0 || material->wlf_c1 > 0.0 || material->frozen_modulus > 0.0;
}

bool dlp__thermal_is_needed(const dlp_MaterialDef *material)
{
    return material->heat_capacity > 0.0 || dlp__thermal_varies(material);
}

/* J/kg/K; a material without one keeps its temperature, and any number will do. */
static double capacity(const dlp_MaterialDef *m)
{
    return m->heat_capacity > 0.0 ? m->heat_capacity : 1.0;
}

/* Start and end of melting. */
typedef struct Melting {
    double from, to;              /* K */
    double enthalpy, enthalpy_to; /* J/kg */
} Melting;

static Melting melting(const dlp_MaterialDef *m)
{
    Melting range = {.from = m->melting_point, .to = fmax(m->liquidus, m->melting_point)};
    range.enthalpy = capacity(m) * range.from;
    range.enthalpy_to = m->melting_point > 0.0 ? range.enthalpy + capacity(m) * (range.to - range.from) + m->latent_heat
                                               : 0.0;
    return range;
}

double dlp__thermal_enthalpy(const dlp_MaterialDef *material, double temperature)
{
    const Melting range = melting(material);
    if (temperature < range.from) {
        return capacity(material) * temperature;
    }
    if (temperature >= range.to) {
        return range.enthalpy_to + capacity(material) * (temperature - range.to);
    }
    const double part = (temperature - range.from) / (range.to - range.from);
    return range.enthalpy + part * (range.enthalpy_to - range.enthalpy);
}

double dlp__thermal_molten(const dlp_MaterialDef *material, double enthalpy)
{
    const Melting range = melting(material);
    if (enthalpy >= range.enthalpy_to) {
        return 1.0;
    }
    return enthalpy > range.enthalpy ? (enthalpy - range.enthalpy) / (range.enthalpy_to - range.enthalpy) : 0.0;
}

double dlp__thermal_temperature(const dlp_MaterialDef *material, double enthalpy)
{
    const Melting range = melting(material);
    if (enthalpy >= range.enthalpy_to) {
        return range.to + (enthalpy - range.enthalpy_to) / capacity(material);
    }
    return enthalpy > range.enthalpy ? range.from + dlp__thermal_molten(material, enthalpy) * (range.to - range.from)
                                     : enthalpy / capacity(material);
}

double dlp__thermal_slope(const dlp_MaterialDef *material, double enthalpy)
{
    const Melting range = melting(material);
    const bool melts = enthalpy > range.enthalpy && enthalpy < range.enthalpy_to;
    return melts ? (range.to - range.from) / (range.enthalpy_to - range.enthalpy) : 1.0 / capacity(material);
}

static dlp_Result check_keys(const dlp_ViscosityKey *keys, int count, dlp_Error *error)
{
    if (count < 0 || count > DLP_KEYS_MOST || (count > 0 && keys == NULL)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "%d viscosities at %p: give 0 to %d of them", count,
                         (const void *)keys, DLP_KEYS_MOST);
    }
    for (int k = 0; k < count; k++) {
        if (dlp_params_check(dlp_viscosity_key_params(), &keys[k], error) != DLP_OK) {
            dlp__error_prefix(error, "viscosity_at %d: ", k);
            return DLP_ERROR_ARGUMENT;
        }
        if (k > 0 && !(keys[k].temperature - keys[k - 1].temperature >= MIN_KEY_INTERVAL)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "viscosity_at %d is for %.9g K, after one for %.9g K: temperatures must increase", k,
                             keys[k].temperature, keys[k - 1].temperature);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__viscosity_curve_set(dlp__ViscosityCurve *curve, dlp__Memory *memory, const dlp_ViscosityKey *keys,
                                    int count, dlp_Error *error)
{
    dlp_Result result = check_keys(keys, count, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp__ViscosityCurve copy = {dlp__memory_get(memory, count, sizeof *keys), count};
    if (count > 0 && copy.keys == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for %d viscosities", count);
    }
    if (count > 0) {
        memcpy(copy.keys, keys, (size_t)count * sizeof *keys);
    }
    dlp__viscosity_curve_release(curve, memory);
    *curve = copy;
    return DLP_OK;
}

void dlp__viscosity_curve_release(dlp__ViscosityCurve *curve, dlp__Memory *memory)
{
    dlp__memory_release(memory, curve->keys, curve->count, sizeof *curve->keys);
    *curve = (dlp__ViscosityCurve){NULL, 0};
}

/* Pa.s; constant below the first key and above the last. */
static double curve_at(const dlp_MaterialDef *m, const dlp__ViscosityCurve *curve, double temperature)
{
    const dlp_ViscosityKey *keys = curve->keys;
    int low = 0, high = curve->count - 1;
    if (temperature <= keys[low].temperature) {
        return keys[low].viscosity;
    }
    if (temperature >= keys[high].temperature) {
        return keys[high].viscosity;
    }
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const bool before = keys[middle].temperature <= temperature;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    const double part = (temperature - keys[low].temperature) / (keys[high].temperature - keys[low].temperature);
    if (m->viscosity_lines == DLP_LINES_FLUIDITY) {
        return 1.0 / ((1.0 - part) / keys[low].viscosity + part / keys[high].viscosity);
    }
    return keys[low].viscosity * pow(keys[high].viscosity / keys[low].viscosity, part);
}

/* Pa.s, at the reference temperature. */
static double own_viscosity(const dlp_MaterialDef *m)
{
    return m->viscosity > 0.0 ? m->viscosity : m->modulus * m->relaxation_time;
}

static bool has_keys(const dlp__ViscosityCurve *curve)
{
    return curve != NULL && curve->count > 0;
}

/* The factor on viscosity of Williams, Landel and Ferry; infinite at c2 below the reference temperature and colder. */
static double wlf_factor(const dlp_MaterialDef *m, double temperature)
{
    const double above = temperature - m->reference_temperature, distance = m->wlf_c2 + above;
    return distance > 0.0 ? pow(10.0, -m->wlf_c1 * above / distance) : INFINITY;
}

/* Viscosity relative to the material's own, or to that at the reference temperature. */
static double viscosity_ratio(const dlp_MaterialDef *m, const dlp__ViscosityCurve *curve, double temperature)
{
    const double own = own_viscosity(m), t = fmax(temperature, MIN_TEMPERATURE);
    if (has_keys(curve)) {
        return curve_at(m, curve, temperature) / (own > 0.0 ? own : curve_at(m, curve, m->reference_temperature));
    }
    if (m->wlf_c1 > 0.0) {
        return wlf_factor(m, temperature);
    }
    return exp(m->activation_energy / GAS_CONSTANT * (1.0 / t - 1.0 / fmax(m->reference_temperature, MIN_TEMPERATURE)));
}

const dlp__FlowScale dlp__flow_as_given = {1.0, 1.0};

static double scaled_rate(double rate, double fluidity)
{
    return rate >= 0.0 && fluidity > 0.0 ? rate * fluidity : -1.0;
}

double dlp__flow_rate(double rate, const dlp__FlowScale *scale)
{
    return scaled_rate(scaled_rate(rate, 1.0 / scale->viscosity), scale->fluidity);
}

/* Time-temperature superposition of the laws: their times are longer by the factor, their rates shorter. */
static void shift_laws(dlp_MaterialDef *m, double factor)
{
    m->infinite_viscosity *= factor;
    m->consistency *= pow(factor, m->flow_index);
    m->thinning_time *= factor;
    m->recovery_time *= factor;
    for (int64_t k = 0; k < m->flow_curve.count; k++) {
        m->flow_curve.point[k].rate /= factor;
    }
    for (int64_t k = 0; k < m->modes.count; k++) {
        m->modes.mode[k].relaxation_time *= factor;
    }
}

/* The solid form of a material, or a state between that and the fluid. */
static void freeze(dlp_MaterialDef *m, double molten, double fluidity)
{
    const double viscosity = own_viscosity(m);
    if (molten > 0.0 && viscosity == 0.0) {
        return; /* an inviscid fluid stays inviscid until it is solid */
    }
    m->modulus = m->modulus > 0.0 ? m->modulus * pow(m->frozen_modulus / m->modulus, 1.0 - molten) : m->frozen_modulus;
    m->viscosity = molten > 0.0 ? fmin(viscosity / fluidity, MAX_VISCOSITY) : 0.0;
    m->relaxation_time = 0.0;
    m->extensibility = 0.0;
    m->solvent_viscosity = 0.0;
}

dlp_MaterialDef dlp__thermal_material(const dlp_MaterialDef *material, const dlp__ViscosityCurve *curve,
                                      double temperature, double molten)
{
    return dlp__thermal_state(material, curve, temperature, molten).material;
}

dlp__MaterialState dlp__thermal_state(const dlp_MaterialDef *material, const dlp__ViscosityCurve *curve,
                                      double temperature, double molten)
{
    dlp_MaterialDef m = *material;
    /* Beyond the limit it flows like a solid. */
    const double own = own_viscosity(&m), most = MAX_VISCOSITY / (own > 0.0 ? own : 1.0);
    const double factor = fmax(fmin(viscosity_ratio(&m, curve, temperature), most), 1.0 / MAX_VISCOSITY);
    const bool by_keys = own == 0.0 && has_keys(curve) && !dlp__law_is_present(&m); /* laws have other viscosities */
    m.viscosity = by_keys ? curve_at(&m, curve, temperature) : m.viscosity * factor;
    m.relaxation_time *= factor;
    m.solvent_viscosity *= factor;
    if (dlp__law_is_present(&m)) {
        shift_laws(&m, factor);
    }
    const bool freezes = material->frozen_modulus > 0.0 && molten < 1.0;
    const double fluidity = freezes ? pow(molten, SLUSH_POWER) : 1.0;
    if (freezes) {
        m = dlp__law_is_present(&m) ? dlp__law_equivalent(&m, DLP_EQUIVALENT_RATE) : m;
        freeze(&m, molten, fluidity);
    }
    return (dlp__MaterialState){m, {factor, fluidity}};
}

dlp_MaterialDef dlp_material_at(const dlp_MaterialDef *material, const dlp_ViscosityKey *keys, int count,
                                double temperature)
{
    if (material == NULL) {
        return (dlp_MaterialDef){0};
    }
    const dlp__ViscosityCurve curve = {(dlp_ViscosityKey *)keys, keys != NULL ? count : 0}; /* not changed */
    const double molten = dlp__thermal_molten(material, dlp__thermal_enthalpy(material, temperature));
    /* Particles store temperatures in single precision: rounding as they do gives the same material bit for bit. */
    dlp_MaterialDef m = dlp__thermal_material(material, &curve, (double)(float)temperature, molten);
    m.temperature = temperature;
    m.conductivity = m.heat_capacity = m.latent_heat = m.melting_point = m.liquidus = 0.0;
    m.emissivity = m.convection = m.heat_source = m.activation_energy = m.frozen_modulus = 0.0;
    m.wlf_c1 = m.wlf_c2 = 0.0;
    m.reference_temperature = dlp_params_find(dlp_material_params(), "reference_temperature")->value[0];
    m.viscosity_lines = DLP_LINES_LOGARITHM;
    return m;
}

/* The first member that is set but needs a heat capacity, or null. */
static const char *needs_capacity(const dlp_MaterialDef *m)
{
    return m->conductivity > 0.0   ? "conductivity"
           : m->latent_heat > 0.0  ? "latent_heat"
           : m->emissivity > 0.0   ? "emissivity"
           : m->convection > 0.0   ? "convection"
           : m->heat_source != 0.0 ? "heat_source"
                                   : NULL;
}

dlp_Result dlp__thermal_check(const dlp_MaterialDef *material, dlp_Error *error)
{
    const char *name = material->name, *member = needs_capacity(material);
    if (material->heat_capacity == 0.0 && member != NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has a %s and no heat_capacity: give that too, such as 4180 J/kg/K for water",
                         name, member);
    }
    if ((material->latent_heat > 0.0 || material->frozen_modulus > 0.0) && material->melting_point == 0.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "material '%s' has a %s and no melting_point: give that too", name,
                         material->latent_heat > 0.0 ? "latent_heat" : "frozen_modulus");
    }
    if ((material->wlf_c1 > 0.0) != (material->wlf_c2 > 0.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "material '%s' has a %s alone: give wlf_c1 and wlf_c2", name,
                         material->wlf_c1 > 0.0 ? "wlf_c1" : "wlf_c2");
    }
    if (material->wlf_c1 > 0.0 && material->activation_energy > 0.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has an activation_energy and wlf_c1: both give viscosity over temperature, "
                         "remove one of them",
                         name);
    }
    if (material->liquidus > 0.0 && material->liquidus < material->melting_point) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' is molten at %g K but begins to melt at %g K: liquidus must not be below "
                         "melting_point",
                         name, material->liquidus, material->melting_point);
    }
    if (material->liquidus > 0.0 && material->melting_point == 0.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "material '%s' has a liquidus and no melting_point: give that too",
                         name);
    }
    return DLP_OK;
}
