/* Starts are read off the data, so that each law has one in the right valley: plateaus, slopes and the range of rates or frequencies. */
#include "rheology/fit_laws.h"
#include "rheology/fit_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double *dlp__fit_value(dlp_MaterialDef *material, const dlp__FitTerm *term)
{
    return (double *)(void *)((char *)material + term->offset);
}

dlp_RelaxationMode dlp__fit_mode(const dlp_MaterialDef *material, int mode)
{
    return material->modes.count > 0 ? material->modes.mode[mode]
                                     : (dlp_RelaxationMode){material->relaxation_time, material->modulus};
}

static dlp__FitTerm *add_term(dlp__FitModel *model, const char *name, dlp__FitScale scale)
{
    const dlp_Param *param = dlp_params_find(dlp_material_params(), name);
    dlp__FitTerm *term = &model->terms[model->term_count++];
    *term = (dlp__FitTerm){
        .unit = param->unit, .offset = param->offset, .least = param->least, .most = param->most, .scale = scale};
    snprintf(term->name, sizeof term->name, "%s", name);
    return term;
}

static void begin_model(dlp__FitModel *model, dlp_FitLaw law, int modes, int flow_law, double density)
{
    *model = (dlp__FitModel){.law = law, .modes = modes, .base = dlp_default_material_def()};
    model->base.flow_law = flow_law;
    model->base.density = density;
}

/* The next start, to be filled in the order of the terms. */
static double *add_start(dlp__FitModel *model)
{
    return model->start_count < DLP__FIT_STARTS_MOST ? model->starts[model->start_count++]
                                                     : model->starts[DLP__FIT_STARTS_MOST - 1];
}

/* Features of a flow curve. */
typedef struct Curve {
    double low_rate, high_rate, low_stress, high_stress; /* of the points with the lowest and the highest rate */
    double least_stress;
} Curve;

static Curve look_at(const dlp_FitData *data)
{
    const dlp_FlowPoint *low = data->flow, *high = data->flow;
    double least = data->flow[0].stress;
    for (int k = 1; k < data->flow_count; k++) {
        const dlp_FlowPoint *point = &data->flow[k];
        low = point->rate < low->rate ? point : low;
        high = point->rate > high->rate ? point : high;
        least = fmin(least, point->stress);
    }
    return (Curve){low->rate, high->rate, low->stress, high->stress, least};
}

static double clamp(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

/* The exponent of the power law through the ends of the curve, of the stress above `yield`. */
static double mean_slope(const Curve *curve, double yield)
{
    const double slope = log((curve->high_stress - yield) / (curve->low_stress - yield)) /
                         log(curve->high_rate / curve->low_rate);
    return isfinite(slope) ? clamp(slope, 0.1, 3.0) : 1.0;
}

static void start_newtonian(dlp__FitModel *model, const Curve *curve)
{
    add_term(model, "viscosity", DLP__SCALE_LOGARITHM);
    add_start(model)[0] = sqrt(curve->low_stress / curve->low_rate * curve->high_stress / curve->high_rate);
}

static void start_power_law(dlp__FitModel *model, const Curve *curve)
{
    add_term(model, "consistency", DLP__SCALE_LOGARITHM);
    add_term(model, "flow_index", DLP__SCALE_LOGARITHM);
    double *start = add_start(model);
    start[1] = mean_slope(curve, 0.0);
    start[0] = curve->high_stress / pow(curve->high_rate, start[1]);
}

/* Yield stress as a part of the lowest stress. */
static const double YIELD_PARTS[] = {0.95, 0.6, 0.15};
enum { YIELD_PART_COUNT = sizeof YIELD_PARTS / sizeof YIELD_PARTS[0] };

static void start_plastic(dlp__FitModel *model, const Curve *curve)
{
    add_term(model, "yield_stress", DLP__SCALE_YIELD)->reference = curve->least_stress;
    add_term(model, "viscosity", DLP__SCALE_LOGARITHM);
    for (int y = 0; y < YIELD_PART_COUNT; y++) {
        double *start = add_start(model);
        start[0] = YIELD_PARTS[y] * curve->least_stress;
        const double above = model->base.flow_law == DLP_FLOW_CASSON
                                 ? pow(sqrt(curve->high_stress) - sqrt(start[0]), 2.0)
                                 : curve->high_stress - start[0];
        start[1] = fmax(above, 1e-3 * curve->high_stress) / curve->high_rate;
    }
}

static void start_herschel_bulkley(dlp__FitModel *model, const Curve *curve)
{
    add_term(model, "yield_stress", DLP__SCALE_YIELD)->reference = curve->least_stress;
    add_term(model, "consistency", DLP__SCALE_LOGARITHM);
    add_term(model, "flow_index", DLP__SCALE_LOGARITHM);
    for (int y = 0; y < YIELD_PART_COUNT; y++) {
        for (int n = 0; n < 2; n++) {
            double *start = add_start(model);
            start[0] = YIELD_PARTS[y] * curve->least_stress;
            start[2] = n == 0 ? mean_slope(curve, start[0]) : 0.5;
            start[1] = fmax(curve->high_stress - start[0], 1e-3 * curve->high_stress) / pow(curve->high_rate, start[2]);
        }
    }
}

/* Carreau and Cross. */
static void start_thinning(dlp__FitModel *model, const Curve *curve, bool has_infinite, bool has_transition)
{
    static const double parts[] = {0.1, 0.4, 0.7},
                        indices[] = {0.5, 0.15}; /* of the range of rates, where thinning begins */
    add_term(model, "viscosity", DLP__SCALE_LOGARITHM);
    add_term(model, "thinning_time", DLP__SCALE_LOGARITHM);
    dlp__FitTerm *index = add_term(model, "flow_index", DLP__SCALE_FRACTION);
    index->most = 1.0;
    if (has_infinite) {
        add_term(model, "infinite_viscosity", DLP__SCALE_LOGARITHM);
    }
    if (has_transition) {
        add_term(model, "transition", DLP__SCALE_LOGARITHM);
    }
    for (int p = 0; p < 3; p++) {
        for (int n = 0; n < 2; n++) {
            double *start = add_start(model);
            start[0] = 1.1 * curve->low_stress / curve->low_rate;
            start[1] = pow(curve->high_rate / curve->low_rate, -parts[p]) / curve->low_rate;
            start[2] = indices[n];
            if (has_infinite) {
                start[3] = 0.7 * fmin(curve->high_stress / curve->high_rate, start[0]);
            }
            if (has_transition) {
                start[has_infinite ? 4 : 3] = p == 1 ? 0.8 : 1.5;
            }
        }
    }
}

bool dlp__fit_flow_model(dlp_FitLaw law, int choice, const dlp_FitData *data, double density, dlp__FitModel *model)
{
    static const int flow_laws[DLP_FIT_LAW_COUNT] = {
        [DLP_FIT_NEWTONIAN] = DLP_FLOW_NEWTONIAN,
        [DLP_FIT_POWER_LAW] = DLP_FLOW_POWER_LAW,
        [DLP_FIT_CARREAU] = DLP_FLOW_CARREAU,
        [DLP_FIT_CROSS] = DLP_FLOW_CROSS,
        [DLP_FIT_CASSON] = DLP_FLOW_CASSON,
        [DLP_FIT_BINGHAM] = DLP_FLOW_BINGHAM,
        [DLP_FIT_HERSCHEL_BULKLEY] = DLP_FLOW_HERSCHEL_BULKLEY,
    };
    const int choices = law == DLP_FIT_CARREAU ? 4 : law == DLP_FIT_CROSS ? 2 : 1;
    if (choice >= choices) {
        return false;
    }
    const Curve curve = look_at(data);
    begin_model(model, law, 0, flow_laws[law], density);
    switch (law) {
    case DLP_FIT_NEWTONIAN: start_newtonian(model, &curve); break;
    case DLP_FIT_POWER_LAW: start_power_law(model, &curve); break;
    case DLP_FIT_HERSCHEL_BULKLEY: start_herschel_bulkley(model, &curve); break;
    case DLP_FIT_CASSON:
    case DLP_FIT_BINGHAM: start_plastic(model, &curve); break;
    default: start_thinning(model, &curve, (choice & 1) != 0, (choice & 2) != 0); break;
    }
    return true;
}

/* The loss modulus at a frequency, between the measured ones by power laws. */
static double loss_near(const dlp_FitData *data, double frequency)
{
    const dlp_ModuliPoint *below = NULL, *above = NULL;
    for (int k = 0; k < data->moduli_count; k++) {
        const dlp_ModuliPoint *point = &data->moduli[k];
        if (point->frequency <= frequency && (!below || point->frequency > below->frequency)) {
            below = point;
        }
        if (point->frequency >= frequency && (!above || point->frequency < above->frequency)) {
            above = point;
        }
    }
    if (!below || !above || !(above->frequency > below->frequency)) {
        const dlp_ModuliPoint *nearest = below ? below : above;
        return nearest ? nearest->loss : NAN;
    }
    const double part = log(frequency / below->frequency) / log(above->frequency / below->frequency);
    return exp((1.0 - part) * log(below->loss) + part * log(above->loss));
}

/* Modes in equal logarithmic distances over a range of times. A mode alone has half its modulus as loss modulus at its frequency; modes
 * closer than a decade share it. */
static void spread_modes(const dlp_FitData *data, int modes, double low, double high, double *start)
{
    const double step = log(high / low) / modes, share = clamp(step / log(10.0), 0.2, 1.0);
    for (int k = 0; k < modes; k++) {
        start[2 * k] = low * exp((k + 0.5) * step);
        start[2 * k + 1] = 2.0 * share * loss_near(data, 1.0 / start[2 * k]);
    }
}

/* The modes of a fit with one mode less, and one more in the gap before mode `gap`. */
static void insert_mode(const dlp_FitData *data, int modes, const dlp_MaterialDef *fewer, int gap, double *start)
{
    const double first = dlp__fit_mode(fewer, 0).relaxation_time,
                 last = dlp__fit_mode(fewer, modes - 2).relaxation_time;
    for (int k = 0, from = 0; k < modes; k++) {
        dlp_RelaxationMode mode;
        if (k == gap) {
            mode.relaxation_time = gap == 0           ? first / 10.0
                                   : gap == modes - 1 ? last * 10.0
                                                      : sqrt(dlp__fit_mode(fewer, gap - 1).relaxation_time *
                                                             dlp__fit_mode(fewer, gap).relaxation_time);
            mode.modulus = 0.3 * loss_near(data, 1.0 / mode.relaxation_time);
        } else {
            mode = dlp__fit_mode(fewer, from++);
        }
        start[2 * k] = mode.relaxation_time;
        start[2 * k + 1] = mode.modulus;
    }
}

static void add_mode_terms(dlp__FitModel *model)
{
    const dlp_Param *list = dlp_params_find(dlp_material_params(), "modes");
    for (int k = 0; k < model->modes; k++) {
        for (int c = 0; c < 2; c++) {
            dlp__FitTerm *term = add_term(model, c == 0 ? "relaxation_time" : "modulus", DLP__SCALE_LOGARITHM);
            if (model->modes > 1) {
                term->offset = list->offset + offsetof(dlp_RelaxationModes, mode) +
                               (size_t)k * sizeof(dlp_RelaxationMode) + (size_t)c * sizeof(double);
                term->least = list->rows->least[c];
                term->most = list->rows->most_value[c];
                snprintf(term->name, sizeof term->name, "modes[%d].%s", k, list->rows->names[c]);
            }
        }
    }
}

void dlp__fit_modes_model(int modes, bool has_solvent, const dlp_FitData *data, double density,
                          const dlp_MaterialDef *fewer, dlp__FitModel *model)
{
    begin_model(model, modes > 1 ? DLP_FIT_MODES : DLP_FIT_MAXWELL, modes, DLP_FLOW_NEWTONIAN, density);
    model->base.modes.count = modes > 1 ? modes : 0;
    add_mode_terms(model);
    const dlp_ModuliPoint *low = data->moduli, *high = data->moduli;
    for (int k = 1; k < data->moduli_count; k++) {
        low = data->moduli[k].frequency < low->frequency ? &data->moduli[k] : low;
        high = data->moduli[k].frequency > high->frequency ? &data->moduli[k] : high;
    }
    spread_modes(data, modes, 1.0 / high->frequency, 1.0 / low->frequency, add_start(model));
    if (!fewer) { /* a single mode may be slower or faster than the middle of the range */
        spread_modes(data, modes, 1.0 / low->frequency, 10.0 / low->frequency, add_start(model));
        spread_modes(data, modes, 0.1 / high->frequency, 1.0 / high->frequency, add_start(model));
    }
    for (int gap = 0; fewer && gap < modes; gap++) {
        insert_mode(data, modes, fewer, gap, add_start(model));
    }
    if (has_solvent) {
        add_term(model, "solvent_viscosity", DLP__SCALE_LOGARITHM);
        for (int s = 0; s < model->start_count; s++) {
            model->starts[s][2 * modes] = 0.5 * high->loss / high->frequency;
        }
    }
}
