/* Fits laws to measured points by least squares of ln(law / measured), with confidence intervals and a choice by BIC.
 *
 * Minima are found in coordinates without bounds; intervals follow from the Jacobian J at the minimum: with the variance s^2 of a residual,
 * the covariance is s^2 (J^T J)^-1, and Student's t with n - p degrees of freedom gives the 95 % interval of each coordinate. Those of
 * logarithms are asymmetric in the value itself. */
#include "rheology/fit_laws.h"
#include "rheology/fit_parts.h"
#include "rheology/least_squares.h"

#include <dollop/rheology.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative standard deviation that no rheometer goes below: exact data would otherwise decide by rounding errors. */
static const double LEAST_DEVIATION = 1e-4;
/* A coordinate that may vary by this standard deviation does not matter to the data; keeps the covariance finite. */
static const double WEAK_PRIOR = 1e-7; /* part of the largest column of the Jacobian */
static const double WIDEST = 100.0; /* ratio of the ends of an interval, beyond which a parameter is not determined */
static const double WIDEST_FRACTION = 0.9, WIDEST_YIELD = 10.0; /* width; upper end over the lowest stress measured */
static const double EQUAL_CRITERION = 2.0;   /* a difference "not worth more than a bare mention" (Raftery 1995) */
static const double NO_YIELD = 1e-9;         /* part of the lowest stress measured that is 0 */
static const double COORDINATE_MOST = 300.0; /* of logarithms and logits, to stay finite */
static const double FAR_RESIDUAL = 1e3;

struct dlp_Fit {
    int count;
    dlp_FitResult results[DLP_FIT_LAW_COUNT + DLP_MODES_MOST];
};

/* What a minimisation evaluates. */
typedef struct Problem {
    const dlp_FitData *data;
    const dlp__FitModel *model;
    bool has_flow, has_moduli; /* which points are compared */
    int value_count;
    dlp_MaterialDef material;
} Problem;

const char *dlp_fit_law_name(dlp_FitLaw law)
{
    static const char *const names[DLP_FIT_LAW_COUNT] = {"auto",   "newtonian", "power_law",        "carreau", "cross",
                                                         "casson", "bingham",   "herschel_bulkley", "maxwell", "modes"};
    return law >= 0 && law < DLP_FIT_LAW_COUNT ? names[law] : NULL;
}

dlp_FitOptions dlp_default_fit_options(void)
{
    return (dlp_FitOptions){.size = sizeof(dlp_FitOptions), .density = dlp_default_material_def().density};
}

static double to_coordinate(const dlp__FitTerm *term, double value)
{
    switch (term->scale) {
    case DLP__SCALE_YIELD: return sqrt(value / term->reference);
    case DLP__SCALE_FRACTION: return log(value / (1.0 - value));
    default: return log(value);
    }
}

static double from_coordinate(const dlp__FitTerm *term, double coordinate)
{
    const double x = fmin(fmax(coordinate, -COORDINATE_MOST), COORDINATE_MOST);
    switch (term->scale) {
    case DLP__SCALE_YIELD: return term->reference * x * x;
    case DLP__SCALE_FRACTION: return 1.0 / (1.0 + exp(-x));
    default: return exp(x);
    }
}

static double log_ratio(double law, double measured)
{
    const double residual = log(law / measured);
    return isfinite(residual) ? fmin(fmax(residual, -FAR_RESIDUAL), FAR_RESIDUAL) : FAR_RESIDUAL;
}

static void evaluate_material(const Problem *problem, const dlp_MaterialDef *material, double *residuals)
{
    const dlp_FitData *data = problem->data;
    double *next = residuals;
    for (int k = 0; problem->has_flow && k < data->flow_count; k++) {
        *next++ = log_ratio(dlp_material_shear_stress(material, data->flow[k].rate), data->flow[k].stress);
    }
    for (int k = 0; problem->has_moduli && k < data->moduli_count; k++) {
        double storage = 0.0, loss = 0.0;
        dlp_material_moduli(material, data->moduli[k].frequency, &storage, &loss);
        *next++ = log_ratio(storage, data->moduli[k].storage);
        *next++ = log_ratio(loss, data->moduli[k].loss);
    }
}

static void evaluate(void *user, const double *coordinates, double *residuals)
{
    Problem *problem = user;
    for (int t = 0; t < problem->model->term_count; t++) {
        const dlp__FitTerm *term = &problem->model->terms[t];
        *dlp__fit_value(&problem->material, term) = from_coordinate(term, coordinates[t]);
    }
    evaluate_material(problem, &problem->material, residuals);
}

/* Leaves the material of the best minimum of all starts in problem->material. Returns its sum of squares; NaN without memory. */
static double minimize(Problem *problem)
{
    const dlp__FitModel *model = problem->model;
    const dlp__LeastSquares squares = {problem->value_count, model->term_count, evaluate, problem};
    dlp_MaterialDef best = model->base;
    double least = INFINITY;
    for (int s = 0; s < model->start_count; s++) {
        double coordinates[DLP_FIT_PARAMETERS_MOST];
        for (int t = 0; t < model->term_count; t++) {
            coordinates[t] = to_coordinate(&model->terms[t], model->starts[s][t]);
        }
        const double sum = dlp__least_squares_minimize(&squares, coordinates);
        if (isnan(sum)) {
            return NAN;
        }
        if (sum < least) { /* the material of the last evaluation, which was that of the minimum */
            least = sum;
            best = problem->material;
        }
    }
    problem->material = best;
    for (int t = 0; t < model->term_count; t++) {
        double *value = dlp__fit_value(&problem->material, &model->terms[t]);
        if (model->terms[t].scale == DLP__SCALE_YIELD && *value < NO_YIELD * model->terms[t].reference) {
            *value = 0.0;
        }
    }
    return least;
}

static int compare_modes(const void *a, const void *b)
{
    const double first = ((const dlp_RelaxationMode *)a)->relaxation_time,
                 second = ((const dlp_RelaxationMode *)b)->relaxation_time;
    return (first > second) - (first < second);
}

/* Quantile 0.975 of Student's t: a table, and beyond it the expansion of Cornish and Fisher, exact to 1e-4. */
static double student_quantile(int freedom)
{
    static const double table[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281};
    if (freedom <= 10) {
        return table[freedom < 1 ? 0 : freedom - 1];
    }
    const double z = 1.959964, v = freedom, z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4.0 * v) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v) +
           (3.0 * z5 * z * z + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v * v * v);
}

/* The coordinate of which the interval is taken: that of the value itself for a yield stress, which may be 0. */
static double interval_coordinate(const dlp__FitTerm *term, double value)
{
    return term->scale == DLP__SCALE_YIELD ? value / term->reference : to_coordinate(term, value);
}

static double interval_value(const dlp__FitTerm *term, double coordinate)
{
    return term->scale == DLP__SCALE_YIELD ? term->reference * fmax(coordinate, 0.0)
                                           : from_coordinate(term, coordinate);
}

/* Columns of the Jacobian by differences; a yield stress of 0 has one-sided ones. `scratch` holds two vectors of residuals. */
static void differentiate(const Problem *problem, double *jacobian, int rows, double *scratch)
{
    const double STEP = 1e-5;
    const int n = problem->value_count;
    for (int t = 0; t < problem->model->term_count; t++) {
        const dlp__FitTerm *term = &problem->model->terms[t];
        dlp_MaterialDef material = problem->material;
        double *value = dlp__fit_value(&material, term), *high = scratch, *low = scratch + n;
        const double x = interval_coordinate(term, *value);
        const double below = term->scale == DLP__SCALE_YIELD ? fmax(x - STEP, 0.0) : x - STEP;
        *value = interval_value(term, x + STEP);
        evaluate_material(problem, &material, high);
        *value = interval_value(term, below);
        evaluate_material(problem, &material, low);
        for (int i = 0; i < n; i++) {
            jacobian[(size_t)t * (size_t)rows + (size_t)i] = (high[i] - low[i]) / (x + STEP - below);
        }
    }
}

/* Rows of a prior so weak that it matters only to coordinates on which the data do not depend. */
static void add_prior(double *jacobian, int rows, int value_count, int term_count)
{
    double largest = 0.0;
    for (int t = 0; t < term_count; t++) {
        double sum = 0.0;
        for (int i = 0; i < value_count; i++) {
            const double entry = jacobian[(size_t)t * (size_t)rows + (size_t)i];
            sum += entry * entry;
        }
        largest = fmax(largest, sqrt(sum));
    }
    for (int t = 0; t < term_count; t++) {
        jacobian[(size_t)t * (size_t)rows + (size_t)(value_count + t)] = WEAK_PRIOR * fmax(largest, 1.0);
    }
}

static bool is_narrow(const dlp__FitTerm *term, const dlp_FitParameter *parameter)
{
    switch (term->scale) {
    case DLP__SCALE_YIELD: return parameter->high <= WIDEST_YIELD * term->reference;
    case DLP__SCALE_FRACTION: return parameter->high - parameter->low <= WIDEST_FRACTION;
    default: return parameter->high / parameter->low <= WIDEST;
    }
}

static bool set_intervals(const Problem *problem, dlp_FitResult *result)
{
    const int p = problem->model->term_count, n = problem->value_count, rows = n + p;
    const size_t squares = (size_t)p * (size_t)p;
    double *memory = calloc((size_t)rows * (size_t)p + squares + 2 * (size_t)n, sizeof *memory);
    if (!memory) {
        return false;
    }
    double *jacobian = memory, *inverse = jacobian + (size_t)rows * (size_t)p;
    differentiate(problem, jacobian, rows, inverse + squares);
    add_prior(jacobian, rows, n, p);
    const bool ok = dlp__least_squares_inverse(jacobian, rows, p, inverse);
    const double deviation = fmax(result->relative_error, LEAST_DEVIATION) * student_quantile(n - p);
    result->is_determined = ok;
    for (int t = 0; ok && t < p; t++) {
        const dlp__FitTerm *term = &problem->model->terms[t];
        dlp_FitParameter *parameter = &result->parameters[t];
        dlp_MaterialDef material = problem->material;
        parameter->value = *dlp__fit_value(&material, term);
        parameter->unit = term->unit;
        memcpy(parameter->name, term->name, sizeof parameter->name);
        const double x = interval_coordinate(term, parameter->value);
        const double half = deviation * sqrt(inverse[(size_t)t * (size_t)p + (size_t)t]);
        parameter->low = interval_value(term, x - half);
        parameter->high = interval_value(term, x + half);
        parameter->is_determined = is_narrow(term, parameter);
        if (!parameter->is_determined) {
            parameter->low = 0.0;
            parameter->high = term->scale == DLP__SCALE_FRACTION ? 1.0 : INFINITY;
        }
        result->is_determined = result->is_determined && parameter->is_determined;
    }
    free(memory);
    return ok;
}

static bool is_in_range(const Problem *problem)
{
    dlp_MaterialDef material = problem->material;
    for (int t = 0; t < problem->model->term_count; t++) {
        const dlp__FitTerm *term = &problem->model->terms[t];
        const double value = *dlp__fit_value(&material, term);
        if (!(value >= term->least && value <= term->most)) {
            return false;
        }
    }
    return dlp_material_check(&material, NULL) == DLP_OK;
}

static double largest_residual(const Problem *problem, double *residuals)
{
    evaluate_material(problem, &problem->material, residuals);
    double largest = 0.0;
    for (int i = 0; i < problem->value_count; i++) {
        largest = fmax(largest, fabs(residuals[i]));
    }
    return largest;
}

typedef enum Outcome { FITTED, NOT_FITTED, NO_MEMORY } Outcome;

/* Fits one model. NOT_FITTED: too few values, or parameters out of their range. */
static Outcome fit_model(const dlp_FitData *data, const dlp__FitModel *model, dlp_FitResult *result)
{
    Problem problem = {.data = data,
                       .model = model,
                       .has_flow = data->flow_count > 0,
                       .has_moduli = model->modes > 0,
                       .material = model->base};
    problem.value_count = (problem.has_flow ? data->flow_count : 0) + (problem.has_moduli ? 2 * data->moduli_count : 0);
    const int n = problem.value_count, p = model->term_count;
    if (n < 1 || n < p + 2) {
        return NOT_FITTED;
    }
    double *residuals = malloc((size_t)n * sizeof *residuals);
    if (!residuals) {
        return NO_MEMORY;
    }
    const double sum = minimize(&problem);
    if (isnan(sum)) {
        free(residuals);
        return NO_MEMORY;
    }
    if (problem.material.modes.count > 0) {
        qsort(problem.material.modes.mode, (size_t)problem.material.modes.count, sizeof problem.material.modes.mode[0],
              compare_modes);
    }
    *result = (dlp_FitResult){.law = model->law, .modes = model->modes, .value_count = n, .parameter_count = p};
    result->material = problem.material;
    result->relative_error = sqrt(sum / (n - p));
    result->largest_error = largest_residual(&problem, residuals);
    result->criterion = n * log(fmax(sum / n, LEAST_DEVIATION * LEAST_DEVIATION)) + (p + 1) * log(n);
    free(residuals);
    if (!is_in_range(&problem)) {
        return NOT_FITTED;
    }
    return set_intervals(&problem, result) ? FITTED : NO_MEMORY;
}

/* The order of results: determined ones first, then by the criterion. */
static bool is_before(const dlp_FitResult *a, const dlp_FitResult *b)
{
    return a->is_determined != b->is_determined ? a->is_determined : a->criterion < b->criterion;
}

static int compare_results(const void *a, const void *b)
{
    const dlp_FitResult *first = a, *second = b;
    return is_before(second, first) - is_before(first, second);
}

/* Sorts results and moves the one to choose to the front: the simplest that is not clearly worse than the first. */
static void rank_results(dlp_FitResult *results, int count)
{
    qsort(results, (size_t)count, sizeof *results, compare_results);
    int chosen = 0;
    for (int i = 1; i < count && results[i].is_determined == results[0].is_determined &&
                    results[i].criterion <= results[0].criterion + EQUAL_CRITERION;
         i++) {
        chosen = results[i].parameter_count < results[chosen].parameter_count ? i : chosen;
    }
    const dlp_FitResult first = results[chosen];
    memmove(results + 1, results, (size_t)chosen * sizeof *results);
    results[0] = first;
}

/* The results of the choices of one law. */
typedef struct Choices {
    int count;
    dlp_FitResult results[4];
} Choices;

static Outcome fit_choice(const dlp_FitData *data, const dlp__FitModel *model, Choices *choices)
{
    const Outcome outcome = fit_model(data, model, &choices->results[choices->count]);
    choices->count += outcome == FITTED;
    return outcome;
}

static dlp_Result fail_memory(dlp_Error *error)
{
    return dlp__fit_fail(error, DLP_ERROR_MEMORY, "no memory to fit");
}

static dlp_Result add_flow_law(dlp_Fit *fit, const dlp_FitData *data, dlp_FitLaw law, double density,
                               dlp__FitModel *model, dlp_Error *error)
{
    Choices choices = {0};
    for (int choice = 0; dlp__fit_flow_model(law, choice, data, density, model); choice++) {
        if (fit_choice(data, model, &choices) == NO_MEMORY) {
            return fail_memory(error);
        }
    }
    if (choices.count > 0) {
        rank_results(choices.results, choices.count);
        fit->results[fit->count++] = choices.results[0];
    }
    return DLP_OK;
}

static dlp_Result add_modes(dlp_Fit *fit, const dlp_FitData *data, int least, int most, double density,
                            dlp__FitModel *model, dlp_Error *error)
{
    dlp_MaterialDef fewer = dlp_default_material_def();
    double lowest = INFINITY;
    int worse = 0; /* numbers of modes in succession that did not improve the criterion */
    for (int modes = 1; modes <= most && (worse < 2 || modes <= least);
         modes++) { /* fits with fewer modes are starts for more, so none is skipped */
        Choices choices = {0};
        for (int solvent = 0; solvent < 2; solvent++) {
            dlp__fit_modes_model(modes, solvent > 0, data, density, modes > 1 ? &fewer : NULL, model);
            if (fit_choice(data, model, &choices) == NO_MEMORY) {
                return fail_memory(error);
            }
        }
        if (choices.count == 0) {
            return DLP_OK;
        }
        rank_results(choices.results, choices.count);
        const dlp_FitResult *best = &choices.results[0];
        fewer = best->material;
        worse = best->criterion < lowest ? 0 : worse + 1;
        lowest = fmin(lowest, best->criterion);
        if (modes >= least) {
            fit->results[fit->count++] = *best;
        }
    }
    return DLP_OK;
}

static dlp_Result check_options(const dlp_FitData *data, const dlp_FitOptions *options, dlp_Error *error)
{
    const bool is_flow_law = options->law >= DLP_FIT_NEWTONIAN && options->law <= DLP_FIT_HERSCHEL_BULKLEY;
    if (!dlp_fit_law_name((dlp_FitLaw)options->law)) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "there is no law %d", options->law);
    }
    if (options->modes < 0 || options->modes > DLP_MODES_MOST) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "%d modes: give 1 to %d", options->modes, DLP_MODES_MOST);
    }
    if (!(options->density > 0.0)) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "the density is %g kg/m3: it must be above 0",
                             options->density);
    }
    if (data->flow_count == 0 && data->moduli_count == 0) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "there are no measured points");
    }
    if (is_flow_law && data->flow_count == 0) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT,
                             "the law %s needs a flow curve, but the data have only G' and G''",
                             dlp_fit_law_name((dlp_FitLaw)options->law));
    }
    if ((options->modes > 0 || options->law >= DLP_FIT_MAXWELL) && data->moduli_count == 0) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT,
                             "relaxation modes need G' and G'', but the data have only a flow curve");
    }
    if (is_flow_law && options->modes > 0) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "the law %s has no modes",
                             dlp_fit_law_name((dlp_FitLaw)options->law));
    }
    if ((options->law == DLP_FIT_MAXWELL && options->modes > 1) ||
        (options->law == DLP_FIT_MODES && options->modes == 1)) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "one mode is the law maxwell, two or more are the law modes");
    }
    return DLP_OK;
}

static dlp_Result fit_laws(dlp_Fit *fit, const dlp_FitData *data, const dlp_FitOptions *options, dlp__FitModel *model,
                           dlp_Error *error)
{
    const bool is_auto = options->law == DLP_FIT_AUTO;
    if (is_auto ? data->moduli_count > 0 : options->law >= DLP_FIT_MAXWELL) {
        const int least = options->modes > 0 ? options->modes : options->law == DLP_FIT_MODES ? 2 : 1;
        const int most = options->modes > 0 ? options->modes : options->law == DLP_FIT_MAXWELL ? 1 : DLP_MODES_MOST;
        return add_modes(fit, data, least, most, options->density, model, error);
    }
    for (int law = DLP_FIT_NEWTONIAN; law <= DLP_FIT_HERSCHEL_BULKLEY; law++) {
        const dlp_Result result = is_auto || law == options->law
                                      ? add_flow_law(fit, data, (dlp_FitLaw)law, options->density, model, error)
                                      : DLP_OK;
        if (result != DLP_OK) {
            return result;
        }
    }
    return DLP_OK;
}

dlp_Result dlp_fit_create(const dlp_FitData *data, const dlp_FitOptions *options, dlp_Fit **fit, dlp_Error *error)
{
    if (!data || !fit) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "a pointer that is required is null");
    }
    *fit = NULL;
    const dlp_FitOptions used = options ? *options : dlp_default_fit_options();
    dlp_Result result = check_options(data, &used, error);
    if (result == DLP_OK && !dlp__least_squares_exists()) {
        result = dlp__fit_fail(
            error, DLP_ERROR_UNSUPPORTED,
            "this build of dollop cannot fit: install cminpack (Debian: libcminpack-dev) and build dollop again");
    }
    if (result != DLP_OK) {
        return result;
    }
    dlp_Fit *created = calloc(1, sizeof *created);
    dlp__FitModel *model = malloc(sizeof *model);
    if (!created || !model) {
        free(created);
        free(model);
        return fail_memory(error);
    }
    result = fit_laws(created, data, &used, model, error);
    free(model);
    if (result == DLP_OK && created->count == 0) {
        result = dlp__fit_fail(
            error, DLP_ERROR_ARGUMENT,
            "no law fits: %d measured values are too few for its parameters, or these leave their range",
            data->flow_count + 2 * data->moduli_count);
    }
    if (result != DLP_OK) {
        dlp_fit_destroy(created);
        return result;
    }
    rank_results(created->results, created->count);
    *fit = created;
    return DLP_OK;
}

void dlp_fit_destroy(dlp_Fit *fit)
{
    free(fit);
}

int dlp_fit_count(const dlp_Fit *fit)
{
    return fit ? fit->count : 0;
}

const dlp_FitResult *dlp_fit_get(const dlp_Fit *fit, int index)
{
    return fit && index >= 0 && index < fit->count ? &fit->results[index] : NULL;
}
