/* The virtual rheometer: its definition, the values that suit a material, and the results. */
#include "rheology/rheometer_parts.h"

#include <dollop/rheology.h>
#include <dollop/world.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *summary;
} tests[DLP_RHEOMETER_TEST_COUNT] = {
    [DLP_RHEOMETER_FLOW] = {"flow", "steady shear: stress, viscosity and first normal stress difference over the rate"},
    [DLP_RHEOMETER_OSCILLATION] = {"oscillation", "small oscillations: G' and G'' over the frequency"},
    [DLP_RHEOMETER_AMPLITUDE] = {"amplitude", "oscillations: G' and G'' over the strain amplitude"},
    [DLP_RHEOMETER_CREEP] = {"creep", "strain over time at a constant stress"},
    [DLP_RHEOMETER_STARTUP] = {"startup", "stress over time from rest at a constant rate"},
    [DLP_RHEOMETER_RELAXATION] = {"relaxation", "stress over time after a sudden strain"},
    [DLP_RHEOMETER_THINNING] = {"thinning", "radius of the neck of a thread under surface tension over time"},
    [DLP_RHEOMETER_SQUEEZE] = {"squeeze", "a disc between plates that approach each other: force over the gap"},
    [DLP_RHEOMETER_COUETTE] = {"couette", "a bob that turns in a cup: torque over the shear rate at the bob"},
    [DLP_RHEOMETER_VANE] = {"vane",
                            "a vane that turns in a cup: torque over the shear rate at a bob as wide as the vane"},
};

static const double MOST_WEISSENBERG =
    10.0; /* rate times longest relaxation time up to which flow curves go by themselves */

const char *dlp_rheometer_test_name(dlp_RheometerTest test)
{
    return (int)test >= 0 && test < DLP_RHEOMETER_TEST_COUNT ? tests[test].name : NULL;
}

const char *dlp_rheometer_test_summary(dlp_RheometerTest test)
{
    return (int)test >= 0 && test < DLP_RHEOMETER_TEST_COUNT ? tests[test].summary : NULL;
}

dlp_RheometerDef dlp_default_rheometer_def(void)
{
    return (dlp_RheometerDef){.size = sizeof(dlp_RheometerDef), .time_step_factor = 1.0};
}

dlp_Result dlp__rheometer_fail(dlp_Error *error, dlp_Result code, const char *format, ...)
{
    if (error) {
        va_list list;
        va_start(list, format);
        error->code = code;
        vsnprintf(error->text, sizeof error->text, format, list);
        va_end(list);
    }
    return code;
}

dlp__MaterialTimes dlp__material_times(const dlp_MaterialDef *m)
{
    dlp__MaterialTimes times = {0.0, 0.0};
    if (m->modes.count > 0) {
        times.longest = m->modes.mode[m->modes.count - 1].relaxation_time;
        times.shortest = m->modes.mode[0].relaxation_time;
    } else if (m->flow_law == DLP_FLOW_NEWTONIAN) {
        times.longest = m->relaxation_time > 0.0                 ? m->relaxation_time
                        : m->modulus > 0.0 && m->viscosity > 0.0 ? m->viscosity / m->modulus
                                                                 : 0.0;
        times.shortest = times.longest;
    }
    return times;
}

double dlp__instantaneous_modulus(const dlp_MaterialDef *m)
{
    double sum = 0.0;
    for (int n = 0; n < m->modes.count; n++) {
        sum += m->modes.mode[n].modulus;
    }
    if (m->modes.count > 0) {
        return sum;
    }
    if (m->modulus > 0.0) {
        return m->modulus;
    }
    if (m->relaxation_time > 0.0) {
        return m->viscosity / m->relaxation_time;
    }
    const double rigid_rate = 100.0; /* a rigid paste has a numerical modulus: see rheology.h */
    return dlp_material_yield_stress(m) > 0.0 ? 100.0 * dlp_material_shear_stress(m, rigid_rate) : 0.0;
}

static const double WAVE_SPACINGS =
    30.0; /* that an elastic wave may cross in a step: soft pastes and solids break up at 150, not at 60 */

static double wave_speed(const dlp_MaterialDef *material)
{
    return sqrt(dlp__instantaneous_modulus(material) / material->density);
}

double dlp__longest_step(const dlp_Measurement *measurement)
{
    const double world_most = 1.0; /* s, of dlp_world_step() */
    const dlp_MaterialDef *material = &measurement->material;
    /* a rigid paste flows steadily in any step; where only a part of it flows, waves may cross five times as many spacings */
    const bool is_rigid = dlp__instantaneous_modulus(material) > 0.0 && material->modulus <= 0.0 &&
                          dlp_material_yield_stress(material) > 0.0;
    const bool is_walled = measurement->def.test >= DLP_RHEOMETER_SQUEEZE;
    const double spacings = is_rigid && is_walled ? 5.0 * WAVE_SPACINGS : WAVE_SPACINGS;
    const bool has_waves = dlp__instantaneous_modulus(material) > 0.0 &&
                           (material->modulus > 0.0 || measurement->def.test != DLP_RHEOMETER_FLOW);
    return fmin(world_most, has_waves || material->relaxation_time > 0.0 || material->modes.count > 0
                                ? spacings * measurement->def.spacing / wave_speed(material)
                                : INFINITY);
}

double dlp__wall_hold(const dlp_MaterialDef *material, double rate)
{
    const double factor = 1e3;
    return factor * dlp_material_shear_stress(material, rate);
}

static bool is_elastic_solid(const dlp_MaterialDef *m)
{
    return m->flow_law == DLP_FLOW_NEWTONIAN && m->modes.count == 0 && m->modulus > 0.0 && m->viscosity <= 0.0 &&
           m->relaxation_time <= 0.0;
}

/* Pa, of a material that flows at any stress: NaN; and of an elastic one its strain there. */
static double yield_strain(const dlp_MaterialDef *material)
{
    const double yield = dlp_material_yield_stress(material);
    return yield > 0.0 && material->modulus > 0.0 ? yield / material->modulus : INFINITY;
}

static void complete_ranges(dlp_RheometerDef *def, const dlp_MaterialDef *material)
{
    const dlp__MaterialTimes times = dlp__material_times(material);
    const double time = times.longest, small = fmin(0.01, 0.1 * yield_strain(material));
    double from = 0.01, to = 100.0;
    int points = 9;
    switch (def->test) {
    case DLP_RHEOMETER_FLOW:
        to = time > 0.0 ? fmin(to, MOST_WEISSENBERG / time) : to;
        from = 1e-4 * to;
        break;
    case DLP_RHEOMETER_OSCILLATION:
        if (time > 0.0) {
            from = 0.01 / sqrt(time * times.shortest);
            to = 1e4 * from;
        }
        break;
    case DLP_RHEOMETER_AMPLITUDE:
        from = small;
        to = isfinite(yield_strain(material)) ? 100.0 * yield_strain(material) : 1.0;
        break;
    case DLP_RHEOMETER_SQUEEZE: points = 6; break;
    case DLP_RHEOMETER_COUETTE:
    case DLP_RHEOMETER_VANE:
        to = time > 0.0 ? fmin(10.0, 1.0 / time) : 10.0;
        from = 0.01 * to;
        points = 5;
        break;
    default: points = 50;
    }
    def->rate = dlp__or_else(def->rate, time > 0.0 ? 1.0 / time : 1.0);
    def->strain = dlp__or_else(
        def->strain, def->test == DLP_RHEOMETER_RELAXATION && !isfinite(yield_strain(material)) ? 0.5 : small);
    def->frequency = dlp__or_else(def->frequency, time > 0.0 ? 1.0 / time : 1.0);
    if (def->test == DLP_RHEOMETER_CREEP && def->stress <= 0.0) {
        const double yield = dlp_material_yield_stress(material);
        def->stress = yield > 0.0 ? 1.5 * yield : dlp_material_shear_stress(material, def->rate);
    }
    if (def->test == DLP_RHEOMETER_STARTUP || def->test == DLP_RHEOMETER_CREEP ||
        def->test == DLP_RHEOMETER_RELAXATION) {
        to = time > 0.0 ? 10.0 * time : 5.0 / def->rate;
        from = def->test == DLP_RHEOMETER_RELAXATION ? 0.01 * to : to / points;
    }
    def->points = def->points > 0 ? def->points : points;
    if (def->test == DLP_RHEOMETER_SQUEEZE) {
        return; /* the gap depends on the spacing */
    }
    def->to = dlp__or_else(def->to, def->from > 0.0 ? fmax(to, def->from) : to);
    def->from = dlp__or_else(def->from, fmin(from, def->to));
}

/* Elastic materials need spacings that are not small against the way of a wave in a step, because steps would be many otherwise. */
double dlp__suitable_spacing(const dlp_RheometerDef *def, const dlp_MaterialDef *material, double rate, double reynolds)
{
    const double usual = 1e-2, steps_per_period = 96.0, steps_per_relaxation = 10.0;
    const double stress = dlp_material_shear_stress(material, rate);
    const double viscous = stress > 0.0 ? fmin(usual, sqrt(reynolds * stress / material->density) / rate) : usual;
    const double longest = dlp__material_times(material).longest;
    double dt = longest / steps_per_relaxation;
    if (is_elastic_solid(material)) {
        dt = 6.3 / (def->test == DLP_RHEOMETER_OSCILLATION ? def->from : def->frequency) / steps_per_period;
    }
    /* m, over which momentum spreads in the longest step; very small parts of that are not resolved in single precision */
    const double most_diffusion = 100.0;
    const double diffusion = material->flow_law == DLP_FLOW_NEWTONIAN && wave_speed(material) <= 0.0
                                 ? sqrt(material->viscosity / material->density) / most_diffusion
                                 : 0.0;
    return fmax(fmax(viscous, diffusion), wave_speed(material) * fmin(dt, 1.0) / WAVE_SPACINGS);
}

/* Where the Reynolds number of a spacing is small, disorder decays within a fraction of a unit of strain. */
static dlp_Result complete_sheared_box(dlp_RheometerDef *def, const dlp_MaterialDef *material)
{
    const double reynolds = 0.1;
    const bool is_sweep = def->test == DLP_RHEOMETER_FLOW || def->test == DLP_RHEOMETER_OSCILLATION;
    const double rate = is_sweep ? def->to : def->rate;
    def->spacing = dlp__or_else(def->spacing, dlp__suitable_spacing(def, material, rate, reynolds));
    return DLP_OK;
}

static dlp_Result complete_sample(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error)
{
    switch (def->test) {
    case DLP_RHEOMETER_SQUEEZE: return dlp__complete_squeeze(def, material, error);
    case DLP_RHEOMETER_COUETTE:
    case DLP_RHEOMETER_VANE: return dlp__complete_cup(def, material, error);
    default: return complete_sheared_box(def, material);
    }
}

/* Particles along an edge of the sheared box, a radius of the thread, or across a gap. */
static int usual_edge(int test)
{
    switch (test) {
    case DLP_RHEOMETER_SQUEEZE:
    case DLP_RHEOMETER_COUETTE:
    case DLP_RHEOMETER_VANE: return 8;
    default: return 6;
    }
}

dlp_Result dlp_rheometer_complete(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error)
{
    if (!def || !material) {
        return dlp__rheometer_fail(error, DLP_ERROR_ARGUMENT, "a null pointer was given");
    }
    dlp_Result result = dlp_material_check(material, error);
    if (result != DLP_OK) {
        return result;
    }
    if (!dlp_rheometer_test_name((dlp_RheometerTest)def->test)) {
        return dlp__rheometer_fail(error, DLP_ERROR_ARGUMENT, "there is no test %d", def->test);
    }
    const double given[] = {def->spacing, def->time_step, def->time_step_factor, def->from,   def->to, def->rate,
                            def->strain,  def->frequency, def->stress,           def->radius, def->cup};
    for (size_t n = 0; n < sizeof given / sizeof given[0]; n++) {
        if (!(given[n] >= 0.0) || isinf(given[n])) {
            return dlp__rheometer_fail(error, DLP_ERROR_ARGUMENT,
                                       "%g is not a value for a rheometer: give one above 0, or 0 for a suitable one",
                                       given[n]);
        }
    }
    const bool is_flow = def->test == DLP_RHEOMETER_FLOW || def->test >= DLP_RHEOMETER_SQUEEZE;
    if (is_flow && is_elastic_solid(material)) {
        return dlp__rheometer_fail(error, DLP_ERROR_ARGUMENT,
                                   "an elastic solid has no flow curve: choose the test oscillation");
    }
    if (def->test == DLP_RHEOMETER_CREEP && def->stress <= 0.0 && is_elastic_solid(material)) {
        def->stress = 0.1 * material->modulus;
    }
    def->edge = def->edge > 0 ? def->edge : usual_edge(def->test);
    if (def->points > DLP_RHEOMETER_POINTS_MOST || def->edge < 4 || def->edge > 32) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "%lld points in a box of %lld particles along an edge: give 1 to %d points, and 4 to 32 particles",
            (long long)def->points, (long long)def->edge, DLP_RHEOMETER_POINTS_MOST);
    }
    if (def->test == DLP_RHEOMETER_THINNING) {
        result = dlp__complete_thinning(def, material, error);
        if (result != DLP_OK) {
            return result;
        }
    }
    complete_ranges(def, material);
    def->time_step_factor = dlp__or_else(def->time_step_factor, 1.0);
    if (!(def->from <= def->to)) {
        return dlp__rheometer_fail(error, DLP_ERROR_ARGUMENT, "the range from %g to %g is empty", def->from, def->to);
    }
    if (!(def->stress > 0.0) && def->test == DLP_RHEOMETER_CREEP) {
        return dlp__rheometer_fail(error, DLP_ERROR_ARGUMENT, "an inviscid fluid cannot be measured");
    }
    return complete_sample(def, material, error);
}

double dlp__rheometer_time(const dlp_RheometerDef *def, int index)
{
    const double part = def->points > 1 ? (double)index / (double)(def->points - 1) : 1.0;
    return def->from + part * (def->to - def->from);
}

double dlp__rheometer_position(const dlp_RheometerDef *def, int index)
{
    const double part = def->points > 1 ? (double)index / (double)(def->points - 1) : 1.0;
    return index == 0 && def->points > 1 ? def->from
           : index == def->points - 1    ? def->to
                                         : def->from * pow(def->to / def->from, part);
}

dlp_MeasuredPoint dlp__empty_point(void)
{
    const dlp_Rheology none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    return (dlp_MeasuredPoint){.time = NAN,
                               .rate = NAN,
                               .frequency = NAN,
                               .amplitude = NAN,
                               .measured = none,
                               .law = none,
                               .gap = NAN,
                               .radius = NAN,
                               .rotation = NAN};
}

dlp_Rheology dlp__shear_rheology(double stress, double normal_stress, double strain)
{
    dlp_Rheology rheology = dlp__empty_point().measured;
    rheology.stress = stress;
    rheology.normal_stress = normal_stress;
    rheology.strain = strain;
    return rheology;
}

void dlp__rheometer_report(const dlp_Measurement *measurement, double fraction)
{
    if (measurement->def.progress) {
        measurement->def.progress(measurement->def.user, fmin(fmax(fraction, 0.0), 1.0));
    }
}

static dlp_Result measure(dlp_Measurement *measurement, dlp_Error *error)
{
    switch (measurement->def.test) {
    case DLP_RHEOMETER_FLOW: return dlp__measure_flow(measurement, error);
    case DLP_RHEOMETER_OSCILLATION:
    case DLP_RHEOMETER_AMPLITUDE: return dlp__measure_oscillation(measurement, error);
    case DLP_RHEOMETER_CREEP: return dlp__measure_creep(measurement, error);
    case DLP_RHEOMETER_THINNING: return dlp__measure_thinning(measurement, error);
    case DLP_RHEOMETER_SQUEEZE: return dlp__measure_squeeze(measurement, error);
    case DLP_RHEOMETER_COUETTE:
    case DLP_RHEOMETER_VANE: return dlp__measure_cup(measurement, error);
    default: return dlp__measure_shear_history(measurement, error);
    }
}

dlp_Result dlp_rheometer_run(const dlp_RheometerDef *def, const dlp_MaterialDef *material,
                             dlp_Measurement **measurement, dlp_Error *error)
{
    if (!def || !material || !measurement) {
        return dlp__rheometer_fail(error, DLP_ERROR_ARGUMENT, "a null pointer was given");
    }
    dlp_Measurement *m = calloc(1, sizeof *m);
    if (!m) {
        return dlp__rheometer_fail(error, DLP_ERROR_MEMORY, "no memory for the measurement");
    }
    m->def = *def;
    m->material = dlp_material_at(material, NULL, 0, material->reference_temperature);
    dlp_Result result = dlp_rheometer_complete(&m->def, &m->material, error);
    m->particles = m->def.edge * m->def.edge * m->def.edge; /* of a box */
    result = result == DLP_OK ? measure(m, error) : result;
    if (result != DLP_OK) {
        dlp_measurement_destroy(m);
        return result;
    }
    *measurement = m;
    return DLP_OK;
}

void dlp_measurement_destroy(dlp_Measurement *measurement)
{
    free(measurement);
}

dlp_RheometerDef dlp_measurement_def(const dlp_Measurement *measurement)
{
    return measurement ? measurement->def : dlp_default_rheometer_def();
}

int64_t dlp_measurement_particles(const dlp_Measurement *measurement)
{
    return measurement ? measurement->particles : 0;
}

int dlp_measurement_count(const dlp_Measurement *measurement)
{
    return measurement ? measurement->count : 0;
}

const dlp_MeasuredPoint *dlp_measurement_point(const dlp_Measurement *measurement, int index)
{
    return measurement && index >= 0 && index < measurement->count ? &measurement->points[index] : NULL;
}

/* What a test over time measures. */
static double response(const dlp_Measurement *measurement, const dlp_Rheology *rheology)
{
    switch (measurement->def.test) {
    case DLP_RHEOMETER_CREEP: return rheology->strain;
    case DLP_RHEOMETER_THINNING: return rheology->radius;
    default: return rheology->stress;
    }
}

/* The largest response of the law in a test over time, to which deviations are relative. */
static double largest_law_value(const dlp_Measurement *measurement)
{
    double most = 0.0;
    for (int k = 0; k < measurement->count; k++) {
        most = fmax(most, fabs(response(measurement, &measurement->points[k].law)));
    }
    return most;
}

double dlp_measurement_error(const dlp_Measurement *measurement, int index)
{
    const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, index);
    if (!point) {
        return NAN;
    }
    const dlp_Rheology *a = &point->measured, *b = &point->law;
    switch (measurement->def.test) {
    case DLP_RHEOMETER_FLOW: return fabs(a->stress / b->stress - 1.0);
    case DLP_RHEOMETER_OSCILLATION:
    case DLP_RHEOMETER_AMPLITUDE: {
        const double size = hypot(b->storage, b->loss);
        return fmax(fabs(a->storage - b->storage), fabs(a->loss - b->loss)) / size;
    }
    case DLP_RHEOMETER_SQUEEZE: return fabs(a->force / b->force - 1.0);
    case DLP_RHEOMETER_COUETTE:
    case DLP_RHEOMETER_VANE: return fabs(a->torque / b->torque - 1.0);
    default: return fabs(response(measurement, a) - response(measurement, b)) / largest_law_value(measurement);
    }
}
